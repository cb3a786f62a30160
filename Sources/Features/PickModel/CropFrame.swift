// SPDX-License-Identifier: MIT

package import Photos

/// The part of a picture that a person crops it to: a frame of whole pixels inside the picture as the person
/// turned it.
package struct CropFrame: Hashable, Sendable {
    /// An edge or a corner of the frame, by which it is sized.
    package struct Handle: Hashable, Sendable {
        /// -1 for the left edge, 1 for the right one, 0 for neither.
        package let horizontal: Int
        /// -1 for the upper edge, 1 for the lower one, 0 for neither.
        package let vertical: Int

        /// Nil for none of both.
        package init?(horizontal: Int, vertical: Int) {
            guard horizontal != 0 || vertical != 0 else { return nil }
            self.horizontal = horizontal.signum()
            self.vertical = vertical.signum()
        }

        /// All eight, clockwise from the upper left corner.
        package static let all = [
            (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0),
        ].compactMap { Handle(horizontal: $0, vertical: $1) }
    }

    /// The upright picture after the quarter turns.
    package private(set) var picture: PixelSize
    package private(set) var area: PixelRectangle
    package private(set) var rotation: Rotation
    /// The area that the person wants; the angle may leave less room than that.
    private var wanted: PixelRectangle
    /// The area that the person wanted before quarter turns, and by how many quarters the picture was turned then.
    private var beforeTurns: Turned
    /// Whether the shape is that of the picture, however it is turned.
    private var hasShapeOfPicture = false
    /// The ratio of width to height; nil for any.
    package private(set) var shape: PixelSize?
    /// Whether the person has changed the area, or turned the picture.
    package private(set) var isTouched = false

    private struct Turned: Hashable {
        let area: PixelRectangle
        let quarters: Int
    }

    /// The shortest side that the person can make, in pixels.
    private static let shortest = 16

    /// Proposes the largest area of a shape, in the middle.
    ///
    /// - Parameters:
    ///   - upright: The upright size, not empty.
    ///   - shape: The ratio of width to height; nil for any.
    ///   - area: An area of the upright picture to begin with instead; one outside it is ignored.
    ///   - rotation: How the picture is turned.
    ///   - isTouched: Whether the person has made it so before.
    package init(
        of upright: PixelSize, shape: PixelSize?, area: PixelRectangle? = nil,
        rotation: Rotation = .none, isTouched: Bool = false
    ) {
        picture = rotation.applied(to: upright)
        self.shape = shape
        self.rotation = rotation
        self.isTouched = isTouched
        let largest = Self.largest(in: picture, shape)
        wanted = largest
        self.area = largest
        beforeTurns = Turned(area: largest, quarters: rotation.quarters)
        self.area = inside(largest)
        guard let area = area?.clamped(to: upright) else { return }
        let part = inside(rotation.applied(to: area, in: upright).settled(to: shape))
        // All that the angle leaves of the photo is more again at another angle.
        if part != self.area { want(part) }
        self.area = part
    }

    /// The area stays the same if it is narrowed again: whoever delivers the photo narrows it to the shape
    /// as well, and must not change it.
    private static func largest(in picture: PixelSize, _ shape: PixelSize?) -> PixelRectangle {
        PixelRectangle(picture).settled(to: shape)
    }

    // MARK: - The upright picture

    /// The upright size, before the picture was turned.
    package var upright: PixelSize { rotation.applied(to: picture) }

    /// The area in the upright picture, and how it is turned.
    package var chosen: Clip { Clip(area: uprightPart(area), rotation: rotation) }

    private func uprightPart(_ area: PixelRectangle) -> PixelRectangle {
        rotation.inverse.applied(to: area, in: picture)
    }

    /// An area that shows nothing beside the picture, by the rule of whoever delivers the photo.
    private func inside(_ area: PixelRectangle) -> PixelRectangle {
        let part = uprightPart(area).moved(
            inside: upright, rotation, shape: shape.map(rotation.applied(to:)))
        return rotation.applied(to: part, in: upright)
    }

    private func isInside(_ area: PixelRectangle) -> Bool {
        uprightPart(area).isInside(upright, rotation)
    }

    // MARK: - Changes

    /// Proposes the largest area of the upright picture again.
    package mutating func reset() {
        picture = upright
        rotation = .none
        if hasShapeOfPicture { shape = picture }
        area = Self.largest(in: picture, shape)
        want(area)
        isTouched = false
    }

    /// Changes the shape around the middle of the area; nil for any.
    package mutating func setShape(_ shape: PixelSize?) {
        hasShapeOfPicture = false
        change(shape)
    }

    /// Gives the area the shape of the picture, around its middle.
    package mutating func setShapeOfPicture() {
        hasShapeOfPicture = true
        change(picture)
    }

    private mutating func change(_ shape: PixelSize?) {
        guard shape != self.shape else { return }
        self.shape = shape
        let before = area
        want(wanted.settled(to: shape))
        area = inside(wanted)
        if area != before { isTouched = true }
    }

    /// Turns the picture, and the frame with it, by quarters clockwise.
    ///
    /// A shape stays what it is, because it is that of the result: then the frame keeps its middle and, as far as
    /// there is room, its size. Turning back gives the same frame again.
    package mutating func turn(by quarters: Int) {
        let turn = Rotation(quarters: quarters)
        guard turn != .none else { return }
        let isProposal = wanted == Self.largest(in: picture, shape)
        let upright = self.upright
        rotation = rotation.turned(by: turn.quarters)
        picture = rotation.applied(to: upright)
        if hasShapeOfPicture { shape = picture }
        wanted = isProposal ? Self.largest(in: picture, shape) : turned(upright)
        area = inside(wanted)
        isTouched = true
    }

    /// The area before the quarter turns, after them.
    private func turned(_ upright: PixelSize) -> PixelRectangle {
        let old = beforeTurns.area
        let turn = Rotation(quarters: rotation.quarters - beforeTurns.quarters)
        let pictureBefore = Rotation(quarters: beforeTurns.quarters).applied(to: upright)
        let area = turn.applied(to: old, in: pictureBefore)
        guard turn.swapsSides, shape != nil, !hasShapeOfPicture else {
            return area.settled(to: shape)
        }
        let size = PixelRectangle(
            PixelSize(
                width: min(old.width, picture.width), height: min(old.height, picture.height))
        ).settled(to: shape).size
        return placed(
            size, x: area.x + (area.width - size.width) / 2,
            y: area.y + (area.height - size.height) / 2)
    }

    private mutating func want(_ area: PixelRectangle) {
        wanted = area
        beforeTurns = Turned(area: area, quarters: rotation.quarters)
    }

    /// Turns the picture around its middle, to an angle in hundredths of a degree clockwise.
    ///
    /// The area becomes smaller where it would show something beside the picture, and larger again if the
    /// angle becomes less.
    package mutating func straighten(to hundredths: Int) {
        let rotation = Rotation(quarters: rotation.quarters, hundredths: hundredths)
        guard rotation != self.rotation else { return }
        self.rotation = rotation
        area = inside(wanted)
        isTouched = true
    }

    /// Moves the frame by pixels of the picture, as far as it stays inside.
    package mutating func move(x: Int, y: Int) {
        let target = placed(area.size, x: area.x.adding(x), y: area.y.adding(y))
        set(target)
        // Along an edge that leans.
        set(placed(area.size, x: target.x, y: area.y))
        set(placed(area.size, x: area.x, y: target.y))
    }

    /// Makes the frame larger or smaller around its middle.
    package mutating func grow(by factor: Double) {
        guard factor.isFinite, factor > 0 else { return }
        let width = (Double(area.width) * factor).rounded(factor > 1 ? .up : .down)
        let height = (Double(area.height) * factor).rounded(factor > 1 ? .up : .down)
        resize(
            to: limited(
                width: Int(min(width, Double(picture.width))),
                height: Int(min(height, Double(picture.height)))), at: nil)
    }

    /// Makes the frame wider or higher by pixels, to the right and down.
    ///
    /// With a fixed shape the other side follows.
    package mutating func stretch(x: Int, y: Int) {
        guard let handle = Handle(horizontal: x == 0 ? 0 : 1, vertical: y == 0 ? 0 : 1) else {
            return
        }
        drag(
            handle, toX: (area.x + area.width).adding(x), y: (area.y + area.height).adding(y))
    }

    /// Moves an edge or a corner to a point of the picture; what is opposite stays where it is.
    package mutating func drag(_ handle: Handle, toX x: Int, y: Int) {
        let x = min(max(x, 0), picture.width)
        let y = min(max(y, 0), picture.height)
        let width =
            switch handle.horizontal {
            case -1: area.x + area.width - x
            case 1: x - area.x
            default: area.width
            }
        let height =
            switch handle.vertical {
            case -1: area.y + area.height - y
            case 1: y - area.y
            default: area.height
            }
        resize(to: wanted(width, height, handle), at: handle)
    }

    /// The size that a drag means: with a fixed shape, the larger of both sides counts for a corner, and
    /// the one that was dragged for an edge.
    private func wanted(_ width: Int, _ height: Int, _ handle: Handle) -> PixelSize {
        let size = limited(width: width, height: height)
        guard let shape, !shape.isEmpty else { return size }
        let ratio = shape.aspectRatio
        // The room beyond the edge, or the corner, that stays.
        let roomX =
            switch handle.horizontal {
            case -1: area.x + area.width
            case 1: picture.width - area.x
            default: picture.width
            }
        let roomY =
            switch handle.vertical {
            case -1: area.y + area.height
            case 1: picture.height - area.y
            default: picture.height
            }
        let fromHeight = Double(size.height) * ratio
        let wide =
            handle.horizontal == 0
            ? fromHeight
            : handle.vertical == 0 ? Double(size.width) : max(Double(size.width), fromHeight)
        let width = min(wide, Double(roomX), Double(roomY) * ratio)
        return PixelSize(
            width: max(1, Int(width.rounded())), height: max(1, Int((width / ratio).rounded())))
    }

    private func limited(width: Int, height: Int) -> PixelSize {
        PixelSize(
            width: min(max(width, Self.shortest), picture.width),
            height: min(max(height, Self.shortest), picture.height))
    }

    /// - Parameter handle: What is opposite stays where it is; nil for the middle.
    private mutating func resize(to size: PixelSize, at handle: Handle?) {
        let size = PixelRectangle(
            PixelSize(
                width: min(size.width, picture.width), height: min(size.height, picture.height))
        ).settled(to: shape).size
        let x =
            switch handle?.horizontal {
            case -1: area.x + area.width - size.width
            case 1: area.x
            default: area.x + (area.width - size.width) / 2
            }
        let y =
            switch handle?.vertical {
            case -1: area.y + area.height - size.height
            case 1: area.y
            default: area.y + (area.height - size.height) / 2
            }
        set(placed(size, x: x, y: y))
    }

    /// An area of a size inside the picture, as near as possible.
    private func placed(_ size: PixelSize, x: Int, y: Int) -> PixelRectangle {
        PixelRectangle(
            x: min(max(x, 0), picture.width - size.width),
            y: min(max(y, 0), picture.height - size.height),
            width: size.width, height: size.height)
    }

    private mutating func set(_ area: PixelRectangle) {
        let area = reachable(area)
        guard area != self.area else { return }
        self.area = area
        want(area)
        isTouched = true
    }

    /// The last area inside the picture on the way from the one that is there to another.
    private func reachable(_ target: PixelRectangle) -> PixelRectangle {
        guard !isInside(target) else { return target }
        func between(_ from: Int, _ to: Int, _ share: Double) -> Int {
            from + Int((Double(to - from) * share).rounded())
        }
        var (last, low, high) = (area, 0.0, 1.0)
        for _ in 0..<24 {
            let share = (low + high) / 2
            let next = PixelRectangle(
                x: between(area.x, target.x, share), y: between(area.y, target.y, share),
                width: between(area.width, target.width, share),
                height: between(area.height, target.height, share)
            ).settled(to: shape)
            if isInside(next) { (last, low) = (next, share) } else { high = share }
        }
        return last
    }
}

extension Int {
    /// The sum, or the nearest number if it does not fit.
    fileprivate func adding(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}

// SPDX-License-Identifier: MIT

package import Photos

/// The part of a picture that a person crops it to: a frame of whole pixels inside the upright picture.
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

    /// The upright picture.
    package let picture: PixelSize
    package private(set) var area: PixelRectangle
    /// The ratio of width to height; nil for any.
    package private(set) var shape: PixelSize?
    /// Whether the person has changed the area.
    package private(set) var isTouched = false

    /// The shortest side that the person can make, in pixels.
    private static let shortest = 16

    /// Proposes the largest area of a shape, in the middle.
    ///
    /// - Parameters:
    ///   - picture: The upright size, not empty.
    ///   - shape: The ratio of width to height; nil for any.
    ///   - area: An area to begin with instead; one outside the picture is ignored.
    package init(of picture: PixelSize, shape: PixelSize?, area: PixelRectangle? = nil) {
        self.picture = picture
        self.shape = shape
        self.area = Self.largest(in: picture, shape)
        if let area = area?.clamped(to: picture) { self.area = fitted(area) }
    }

    private static func largest(in picture: PixelSize, _ shape: PixelSize?) -> PixelRectangle {
        let size = fitted(picture, to: shape)
        return PixelRectangle(
            x: (picture.width - size.width) / 2, y: (picture.height - size.height) / 2,
            width: size.width, height: size.height)
    }

    /// The largest size of a shape within another, which stays the same if it is narrowed again.
    ///
    /// Whoever delivers the photo narrows the area to the shape as well, and must not change it.
    private static func fitted(_ size: PixelSize, to shape: PixelSize?) -> PixelSize {
        guard let shape else { return size }
        var size = size
        while true {
            let next = PixelRectangle(size).narrowed(to: shape).size
            if next == size { return size }
            size = next
        }
    }

    private func fitted(_ area: PixelRectangle) -> PixelRectangle {
        let size = Self.fitted(area.size, to: shape)
        return PixelRectangle(
            x: area.x + (area.width - size.width) / 2,
            y: area.y + (area.height - size.height) / 2, width: size.width, height: size.height)
    }

    // MARK: - Changes

    /// Proposes the largest area again.
    package mutating func reset() {
        area = Self.largest(in: picture, shape)
        isTouched = false
    }

    /// Changes the shape around the middle of the area; nil for any.
    package mutating func setShape(_ shape: PixelSize?) {
        guard shape != self.shape else { return }
        self.shape = shape
        set(fitted(area))
    }

    /// Moves the frame by pixels of the picture, as far as it stays inside.
    package mutating func move(x: Int, y: Int) {
        set(placed(area.size, x: area.x.adding(x), y: area.y.adding(y)))
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
        let size = Self.fitted(
            PixelSize(
                width: min(size.width, picture.width), height: min(size.height, picture.height)),
            to: shape)
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
        guard area != self.area else { return }
        self.area = area
        isTouched = true
    }
}

extension Int {
    /// The sum, or the nearest number if it does not fit.
    fileprivate func adding(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}

// SPDX-License-Identifier: MIT

/// Whether an app wants photos cropped, and to which shape and size.
package struct ClipOptions: Hashable, Sendable {
    package enum Mode: String, CaseIterable, Sendable {
        /// The whole photo.
        case none
        /// A part of the photo, if the person chooses one.
        case optional
        /// A part of the photo; the middle if the person chooses none.
        case required
    }

    /// What the person sees of the part.
    package enum Outline: String, CaseIterable, Sendable {
        case rectangle
        /// The circle, or ellipse, that touches the sides of the part.
        case circle
    }

    /// The allowed sides of a result, in pixels.
    package static let sides = 1...8192

    /// The allowed numbers of an aspect ratio.
    package static let aspects = 1...65_535

    package var mode = Mode.none
    /// The ratio of width to height, not empty; nil for the default of the mode.
    package var aspect: PixelSize?
    /// The exact size of the result, not empty; it also determines the shape.
    package var size: PixelSize?
    package var outline = Outline.rectangle

    package init() {}

    /// The required shape of the cropped area; nil for any.
    package var shape: PixelSize? {
        let isSquare = mode == .required || outline == .circle
        return size ?? aspect ?? (isSquare ? PixelSize(width: 1, height: 1) : nil)
    }

    /// Returns the area of a photo that is delivered.
    ///
    /// - Parameters:
    ///   - picture: The upright size.
    ///   - chosen: The area that the person chose, not trusted: it is limited to the picture and
    ///     reduced to the shape around its own centre.
    ///   - rotation: How the person turned the photo. Of one that is straightened, the area is moved
    ///     and reduced until it shows nothing beside the photo.
    /// - Returns: The area, or nil for the whole photo.
    /// - Throws: ``Outside`` if the chosen area is outside the picture.
    package func clip(
        of picture: PixelSize, chosen: PixelRectangle?, rotation: Rotation = .none
    ) throws(Outside) -> Clip? {
        guard
            mode == .required || (mode == .optional && (chosen != nil || rotation != .none))
        else { return nil }
        guard let area = (chosen ?? PixelRectangle(picture)).clamped(to: picture) else {
            throw Outside()
        }
        // The shape is that of the result.
        let shape = shape.map(rotation.applied(to:))
        let part = (shape.map { area.narrowed(to: $0) } ?? area)
            .moved(inside: picture, rotation, shape: shape)
        return Clip(area: part, size: size, rotation: rotation, isRound: outline == .circle)
    }

    /// The error for an area outside the picture.
    package struct Outside: Error, Hashable {
        package init() {}
    }
}

/// A cropped area of a picture.
package struct Clip: Hashable, Sendable {
    /// The position in the upright picture; in one that is straightened, after it was turned by the angle.
    package var area: PixelRectangle
    /// How the area is turned; the quarter turns come last.
    package var rotation: Rotation
    /// The size it is scaled to, turned, which may be larger; nil for its own size.
    package var size: PixelSize?

    /// Whether the app wants the circle that touches its sides.
    package var isRound: Bool

    package init(
        area: PixelRectangle, size: PixelSize? = nil, rotation: Rotation = .none,
        isRound: Bool = false
    ) {
        self.area = area
        self.size = size
        self.rotation = rotation
        self.isRound = isRound
    }

    /// Whether it has everything of a picture, which may be turned by quarters.
    package func isWhole(_ picture: PixelSize?) -> Bool {
        picture.map(PixelRectangle.init) == area && rotation.hundredths == 0
    }

    /// Its own size after the quarter turns.
    package var ownSize: PixelSize { rotation.applied(to: area.size) }
}

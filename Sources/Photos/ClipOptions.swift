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

    /// The allowed sides of a result, in pixels.
    package static let sides = 1...8192

    /// The allowed numbers of an aspect ratio.
    package static let aspects = 1...65_535

    package var mode = Mode.none
    /// The ratio of width to height, not empty; nil for the default of the mode.
    package var aspect: PixelSize?
    /// The exact size of the result, not empty; it also determines the shape.
    package var size: PixelSize?

    package init() {}

    /// The required shape of the cropped area; nil for any.
    package var shape: PixelSize? {
        size ?? aspect ?? (mode == .required ? PixelSize(width: 1, height: 1) : nil)
    }

    /// Returns the area of a photo that is delivered.
    ///
    /// - Parameters:
    ///   - picture: The upright size.
    ///   - chosen: The area that the person chose, not trusted: it is limited to the picture and
    ///     reduced to the shape around its own centre.
    /// - Returns: The area, or nil for the whole photo.
    /// - Throws: ``Outside`` if the chosen area is outside the picture.
    package func clip(
        of picture: PixelSize, chosen: PixelRectangle?
    ) throws(Outside) -> Clip? {
        guard mode == .required || (mode == .optional && chosen != nil) else { return nil }
        guard let area = (chosen ?? PixelRectangle(picture)).clamped(to: picture) else {
            throw Outside()
        }
        return Clip(area: shape.map { area.narrowed(to: $0) } ?? area, size: size)
    }

    /// The error for an area outside the picture.
    package struct Outside: Error, Hashable {
        package init() {}
    }
}

/// A cropped area of a picture.
package struct Clip: Hashable, Sendable {
    /// The position in the upright picture.
    package var area: PixelRectangle
    /// The size it is scaled to, which may be larger; nil for its own size.
    package var size: PixelSize?

    package init(area: PixelRectangle, size: PixelSize? = nil) {
        self.area = area
        self.size = size
    }

    /// Whether it is all of a picture.
    package func isWhole(_ picture: PixelSize?) -> Bool { picture.map(PixelRectangle.init) == area }
}

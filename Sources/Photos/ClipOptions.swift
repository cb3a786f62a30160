// SPDX-License-Identifier: MIT

/// Whether an app wants a part of a photo, and of which shape and size.
package struct ClipOptions: Hashable, Sendable {
    package enum Mode: String, CaseIterable, Sendable {
        /// The whole photo.
        case none
        /// A part, if the person chooses one.
        case optional
        /// A part; what lies in the middle when the person chooses none.
        case required
    }

    /// The sides that a result may have, in pixels.
    package static let sides = 1...8192

    package var mode = Mode.none
    /// Width to height, not empty; nil for the default of the mode.
    package var aspect: PixelSize?
    /// The exact size of the result, not empty; the part has its shape.
    package var size: PixelSize?

    package init() {}

    /// The shape that a part must have; nil for any.
    package var shape: PixelSize? {
        size ?? aspect ?? (mode == .required ? PixelSize(width: 1, height: 1) : nil)
    }

    /// The part of a photo that is delivered.
    ///
    /// - Parameters:
    ///   - picture: The upright size.
    ///   - chosen: What the person chose, as a stranger tells it: cut to the picture, and to the
    ///     shape around its own middle.
    /// - Returns: Nil for the whole photo as it is.
    /// - Throws: ``Outside`` when what was chosen has no pixel of the picture.
    package func clip(
        of picture: PixelSize, chosen: PixelRectangle?
    ) throws(Outside) -> Clip? {
        guard mode == .required || (mode == .optional && chosen != nil) else { return nil }
        guard let area = (chosen ?? PixelRectangle(picture)).clamped(to: picture) else {
            throw Outside()
        }
        return Clip(area: shape.map { area.narrowed(to: $0) } ?? area, size: size)
    }

    /// A part that is not in the picture.
    package struct Outside: Error, Hashable {
        package init() {}
    }
}

/// A part of a picture.
package struct Clip: Hashable, Sendable {
    /// Where it is in the upright picture.
    package var area: PixelRectangle
    /// The size that it gets, which may be larger than its own; nil for its own.
    package var size: PixelSize?

    package init(area: PixelRectangle, size: PixelSize? = nil) {
        self.area = area
        self.size = size
    }
}

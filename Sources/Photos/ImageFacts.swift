// SPDX-License-Identifier: MIT

/// What a file's header says about the picture in it.
package struct ImageFacts: Hashable, Sendable {
    package var mediaType: MediaType
    /// The size as stored, before turning; nil when only the type is known.
    package var storedSize: PixelSize?
    package var orientation: Orientation
    package var taken: CaptureDate?
    /// Whether the picture moves; what is shown of it is its first frame.
    package var isAnimated: Bool

    package init(
        mediaType: MediaType, storedSize: PixelSize? = nil, orientation: Orientation = .upright,
        taken: CaptureDate? = nil, isAnimated: Bool = false
    ) {
        self.mediaType = mediaType
        self.storedSize = storedSize
        self.orientation = orientation
        self.taken = taken
        self.isAnimated = isAnimated
    }

    /// The size of the upright picture.
    package var size: PixelSize? { storedSize.map(orientation.applied(to:)) }
}

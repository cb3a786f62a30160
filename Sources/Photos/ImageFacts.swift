// SPDX-License-Identifier: MIT

/// The facts that a file's header contains about its picture, or a video's about its frames.
package struct ImageFacts: Hashable, Sendable {
    package var mediaType: MediaType
    /// The stored size, before the orientation is applied; nil if only the type is known.
    package var storedSize: PixelSize?
    package var orientation: Orientation
    package var taken: CaptureDate?
    /// Whether the picture is animated; only its first frame is shown.
    package var isAnimated: Bool
    /// The duration of a video; nil if it is unknown, and for pictures.
    package var milliseconds: Int64?
    /// What pairs it with the other file of a Live Photo; nil for most pictures and videos.
    package var contentIdentifier: ContentIdentifier?
    /// What says of which burst it is a picture; nil for most.
    package var burst: BurstMark?
    /// Where the video in the file of a motion photo is, from the start of the file; nil for other pictures.
    package var motionVideo: Range<Int64>?
    package var details: PhotoDetails
    package var exposure = Exposure()
    /// Nil if it is unknown, as it is unless the camera embedded a small picture.
    package var colour: PhotoColour?
    /// Where the photo was taken; nil if the file does not say.
    ///
    /// No app may learn this unless the person allows it.
    package var position: GeoPosition?

    /// The most bytes of the video in a motion photo, which lasts a few seconds.
    package static let largestMotionVideo: Int64 = 64 << 20

    package init(
        mediaType: MediaType, storedSize: PixelSize? = nil, orientation: Orientation = .upright,
        taken: CaptureDate? = nil, isAnimated: Bool = false,
        milliseconds: Int64? = nil, contentIdentifier: ContentIdentifier? = nil,
        burst: BurstMark? = nil, motionVideo: Range<Int64>? = nil,
        details: PhotoDetails = PhotoDetails()
    ) {
        self.mediaType = mediaType
        self.storedSize = storedSize
        self.orientation = orientation
        self.taken = taken
        self.isAnimated = isAnimated
        self.milliseconds = milliseconds
        self.contentIdentifier = contentIdentifier
        self.burst = burst
        self.motionVideo = motionVideo
        self.details = details
    }

    /// The size of the upright picture.
    package var size: PixelSize? { storedSize.map(orientation.applied(to:)) }
}

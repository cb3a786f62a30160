// SPDX-License-Identifier: MIT

/// One photo or video of the library.
package struct Asset: Hashable, Sendable {
    package let id: AssetID
    package let mediaType: MediaType
    /// The size of the upright picture; nil if unknown.
    package let size: PixelSize?
    /// The time at which it was taken or, if that is unknown, its file was last modified: seconds
    /// since 1970.
    package let date: Int64
    /// Whether ``date`` was recorded by a camera.
    package let hasCaptureDate: Bool
    /// The types of the raw files beside its picture; none for most.
    package let rawTypes: [MediaType]
    /// Whether it is a picture with a video, beside it or in its file.
    package let isLive: Bool
    /// The number of pictures of the burst for which it is shown, itself included; 0 if it is none.
    package let frames: Int
    /// The photo that lists show for it; nil if they show it itself, as all but most pictures of a burst.
    package let frameOf: AssetID?

    package init(
        id: AssetID, mediaType: MediaType, size: PixelSize?, date: Int64, hasCaptureDate: Bool,
        rawTypes: [MediaType] = [], isLive: Bool = false, frames: Int = 0,
        frameOf: AssetID? = nil
    ) {
        self.id = id
        self.mediaType = mediaType
        self.size = size
        self.date = date
        self.hasCaptureDate = hasCaptureDate
        self.rawTypes = rawTypes
        self.isLive = isLive
        self.frames = frames
        self.frameOf = frameOf
    }
}

extension Asset {
    /// What its files are for it.
    package var resources: [ResourceRole] {
        [.primary] + (rawTypes.isEmpty ? [] : [.raw]) + (isLive ? [.pairedVideo] : [])
            + (frames > 0 ? [.burst] : [])
    }
}

/// The activity and the content of the library.
package struct LibraryStatus: Hashable, Sendable {
    /// Whether folders are being read.
    package var isIndexing: Bool
    /// The number of files found, pictures or not.
    package var files: Int
    /// The number of files found but not yet examined.
    package var pending: Int
    /// The number of files that are not pictures, or cannot be read.
    package var skipped: Int
    /// Whether some folders are not watched, so that changes in them show only after a while.
    package var isUnwatched: Bool
    /// Whether files wait to be examined until the computer no longer saves power.
    package var isWaiting: Bool

    package init(
        isIndexing: Bool, files: Int, pending: Int, skipped: Int, isUnwatched: Bool = false,
        isWaiting: Bool = false
    ) {
        self.isIndexing = isIndexing
        self.files = files
        self.pending = pending
        self.skipped = skipped
        self.isUnwatched = isUnwatched
        self.isWaiting = isWaiting
    }
}

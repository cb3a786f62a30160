// SPDX-License-Identifier: MIT

/// One photo or video of the library.
package struct Asset: Hashable, Sendable {
    package let id: AssetID
    package let mediaType: MediaType
    /// Upright; nil when unknown.
    package let size: PixelSize?
    /// When it was taken, or else when its file was changed last: seconds since 1970.
    package let date: Int64
    /// Whether ``date`` is what a camera wrote.
    package let hasCaptureDate: Bool

    package init(
        id: AssetID, mediaType: MediaType, size: PixelSize?, date: Int64, hasCaptureDate: Bool
    ) {
        self.id = id
        self.mediaType = mediaType
        self.size = size
        self.date = date
        self.hasCaptureDate = hasCaptureDate
    }
}

/// What the library is doing and holds.
package struct LibraryStatus: Hashable, Sendable {
    /// Whether folders are being looked through.
    package var isIndexing: Bool
    /// Files that were found, pictures or not.
    package var files: Int
    /// Files that were found but not looked into yet.
    package var pending: Int
    /// Files that are no pictures, or cannot be read.
    package var skipped: Int

    package init(isIndexing: Bool, files: Int, pending: Int, skipped: Int) {
        self.isIndexing = isIndexing
        self.files = files
        self.pending = pending
        self.skipped = skipped
    }
}

// SPDX-License-Identifier: MIT

package import PhotoCopies
package import Thumbnails
package import WebFetch

/// What every window of the dialog uses.
package struct PickerEnvironment: Sendable {
    package let thumbnails: ThumbnailLoader
    package let copies: PhotoCopies
    package let memory: GridMemory
    package let web: CachedFetcher
    package let cameras: CameraDevices

    package init(
        thumbnails: ThumbnailLoader, copies: PhotoCopies, memory: GridMemory, web: CachedFetcher,
        cameras: CameraDevices
    ) {
        self.thumbnails = thumbnails
        self.copies = copies
        self.memory = memory
        self.web = web
        self.cameras = cameras
    }
}

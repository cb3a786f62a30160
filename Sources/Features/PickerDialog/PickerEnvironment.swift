// SPDX-License-Identifier: MIT

package import PhotoCopies
import PhotoLibrary
package import SystemPackage
package import Thumbnails

/// What every window of the dialog uses.
package struct PickerEnvironment: Sendable {
    /// The library's database, which the service writes.
    package let library: FilePath
    package let thumbnails: ThumbnailLoader
    package let copies: PhotoCopies

    package init(
        library: FilePath = LibraryLocation.database, thumbnails: ThumbnailLoader,
        copies: PhotoCopies
    ) {
        self.library = library
        self.thumbnails = thumbnails
        self.copies = copies
    }
}

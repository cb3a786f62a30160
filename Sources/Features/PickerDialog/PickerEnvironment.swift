// SPDX-License-Identifier: MIT

import PhotoLibrary
package import SystemPackage
package import Thumbnails

/// What every window of the dialog uses.
package struct PickerEnvironment: Sendable {
    /// The library's database, which the service writes.
    package let library: FilePath
    package let thumbnails: ThumbnailLoader

    package init(library: FilePath = LibraryLocation.database, thumbnails: ThumbnailLoader) {
        self.library = library
        self.thumbnails = thumbnails
    }
}

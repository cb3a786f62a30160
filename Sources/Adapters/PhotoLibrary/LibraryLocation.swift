// SPDX-License-Identifier: MIT

internal import Desktop
package import SystemPackage

/// Where the library's own data and the photos are, for the person who runs this process.
package enum LibraryLocation {
    /// The database; other programs of ours read it there.
    package static var database: FilePath {
        UserFolders.data.appending("photo-portal").appending("library.db")
    }

    /// The folders of a desktop where photos are.
    package static var roots: LibraryRoots {
        LibraryRoots(
            pictures: [UserFolders.pictures, UserFolders.videos].compactMap(\.self),
            others: [UserFolders.downloads, UserFolders.desktop].compactMap(\.self))
    }
}

// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
package import SystemPackage

/// Where the library's own data and the photos are, for the person who runs this process.
package enum LibraryLocation {
    /// The database.
    package static var database: FilePath {
        UserFolders.data.appending("photo-portal").appending("library.db")
    }

    /// What takes the place of the database while that cannot be written; the session ends it.
    static var substitute: FilePath {
        UserFolders.runtime.appending("photo-portal").appending("library.db")
    }

    /// The database that the service writes now; other programs of ours read it there.
    ///
    /// - Isolation: any thread; looks for a file.
    package static var current: FilePath {
        // A substitute that cannot be examined cannot be read either.
        (try? substitute.stat()) == nil ? database : substitute
    }

    /// The folders of thumbnails and of files that were made for apps, which are no photos of the
    /// person's.
    static var caches: [FilePath] {
        ["thumbnails", "photo-portal"].map { UserFolders.cache.appending($0) }
    }

    /// The folders of a desktop where photos are.
    package static var roots: LibraryRoots {
        LibraryRoots(
            pictures: [UserFolders.pictures, UserFolders.videos].compactMap(\.self),
            others: [UserFolders.downloads, UserFolders.desktop].compactMap(\.self),
            adjusted: adjusted(of: database))
    }

    /// The folder of the adjusted versions of photos, beside a database.
    ///
    /// A database that takes the place of the library uses those of the library.
    static func adjusted(of database: FilePath) -> FilePath {
        (database == substitute ? Self.database : database)
            .removingLastComponent().appending("adjusted")
    }
}

extension LockedFiles {
    /// The files of an open database that SQLite locks.
    ///
    /// They stay the same files as long as the database is open.
    convenience init(database: FilePath) {
        self.init([database, FilePath(database.string + "-shm")])
    }
}

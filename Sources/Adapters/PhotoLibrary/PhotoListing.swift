// SPDX-License-Identifier: MIT

internal import GRDB
package import Photos

/// The photos of an album as they were read, so that the next read may be a small one.
package struct PhotoListing: Sendable {
    package let photos: PhotoList
    let album: AlbumID
    let filter: MediaFilter
    let wanted: PhotoFilter
    /// The row of the newest asset of the whole library; assets that are added later come after it.
    let lastRow: Int64
}

extension LibraryReader {
    /// The photos of an album; see ``photos(in:_:limit:)``.
    ///
    /// - Parameter old: An earlier list that only grows, as while the library is being indexed. If it
    ///   is of the same album, only the photos added since then are read, unless the numbers show
    ///   that others have gone. A photo that has changed in place stays as it was.
    package func listing(
        in album: AlbumID, _ filter: MediaFilter, wanted: PhotoFilter = PhotoFilter(),
        completing old: PhotoListing? = nil
    ) async throws(LibraryError) -> PhotoListing {
        try await read("read an album") { database in
            let lastRow = try Int64.fetchOne(database, sql: "SELECT max(id) FROM asset") ?? 0
            func listing(_ photos: PhotoList) -> PhotoListing {
                PhotoListing(
                    photos: photos, album: album, filter: filter, wanted: wanted, lastRow: lastRow)
            }
            guard let contents = try AlbumContents.find(album.rawValue, in: database) else {
                return listing(PhotoList())
            }
            if let old, old.album == album, old.filter == filter, old.wanted == wanted,
                contents.growsByDate
            {
                let added = try PhotoList(
                    contents, filter, after: old.lastRow, wanted: wanted, in: database)
                let photos = old.photos.merging(added)
                let count = try AlbumSummary.count(of: album, filter, in: database)
                if photos.count == count { return listing(photos) }
            }
            return listing(try PhotoList(contents, filter, wanted: wanted, in: database))
        }
    }
}

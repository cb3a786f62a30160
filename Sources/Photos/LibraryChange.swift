// SPDX-License-Identifier: MIT

/// One operation of a change set.
package enum LibraryChange: Hashable, Sendable {
    /// An album of the library, or the one that an earlier operation of the same set makes.
    package enum Target: Hashable, Sendable {
        case album(AlbumID)
        /// The position of that operation in the set.
        case made(by: Int)
    }

    /// Makes an album; others may have the same title.
    case createAlbum(title: String)
    /// Finds the album with exactly this title, the oldest if there are several, or makes it.
    case ensureAlbum(title: String)
    case renameAlbum(Target, title: String)
    /// Deletes an album, but none of its photos.
    case deleteAlbum(Target)
    /// Puts photos into an album.
    ///
    /// `index` is a position among the photos that the album has, those to be moved left out. Without
    /// one they are appended, and those that the album has already stay where they are.
    case insert([AssetID], into: Target, index: Int?)
    /// Takes photos out of an album; those that it does not have are ignored.
    case remove([AssetID], from: Target)
    case setFavorite([AssetID], Bool)
}

/// What an operation did.
package struct LibraryChangeResult: Hashable, Sendable {
    /// The album that it made, found or changed.
    package var album: AlbumID?
    /// Whether it made the album.
    package var isNew = false
    /// How many photos it inserted, moved, removed or marked.
    package var count = 0

    package init(album: AlbumID? = nil, isNew: Bool = false, count: Int = 0) {
        self.album = album
        self.isNew = isNew
        self.count = count
    }
}

extension LibraryChange {
    /// The photos that it names.
    package var assets: [AssetID] {
        switch self {
        case .createAlbum, .ensureAlbum, .renameAlbum, .deleteAlbum: []
        case .insert(let assets, _, _), .remove(let assets, _), .setFavorite(let assets, _): assets
        }
    }

    /// The same change of other photos and albums.
    package func mapping(
        _ assets: (AssetID) -> AssetID, _ albums: (AlbumID) -> AlbumID
    ) -> LibraryChange {
        func map(_ target: Target) -> Target {
            switch target {
            case .album(let id): .album(albums(id))
            case .made: target
            }
        }
        return switch self {
        case .createAlbum, .ensureAlbum: self
        case .renameAlbum(let target, let title): .renameAlbum(map(target), title: title)
        case .deleteAlbum(let target): .deleteAlbum(map(target))
        case .insert(let ids, let target, let index):
            .insert(ids.map(assets), into: map(target), index: index)
        case .remove(let ids, let target): .remove(ids.map(assets), from: map(target))
        case .setFavorite(let ids, let isFavorite): .setFavorite(ids.map(assets), isFavorite)
        }
    }
}

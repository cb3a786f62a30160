// SPDX-License-Identifier: MIT

/// One operation of a change set.
package enum LibraryChange: Hashable, Sendable {
    /// An album of the library, or the one that an earlier operation of the same set makes.
    package enum Target: Hashable, Sendable {
        case album(AlbumID)
        /// The position of that operation in the set.
        case made(by: Int)
    }

    /// A photo of the library, or the one that an earlier operation of the same set adds.
    package enum Photo: Hashable, Sendable {
        case asset(AssetID)
        /// The position of that operation in the set.
        case made(by: Int)
    }

    /// Adds a photo: the file at this position among those that come with the set.
    case createAsset(file: Int)
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
    case insert([Photo], into: Target, index: Int?)
    /// Takes photos out of an album; those that it does not have are ignored.
    case remove([Photo], from: Target)
    case setFavorite([Photo], Bool)
    /// Gives a photo another version: the one at this position among those that come with the set.
    case setAdjustment(Photo, version: Int)
    /// Makes the originals of photos their current versions again.
    case revertAdjustment([Photo])
}

/// What an operation did.
package struct LibraryChangeResult: Hashable, Sendable {
    /// The photo that it added.
    package var asset: AssetID?
    /// The album that it made, found or changed.
    package var album: AlbumID?
    /// Whether it made the album; for a photo, whether the library knew nothing of it before.
    package var isNew = false
    /// How many photos it inserted, moved, removed or marked.
    package var count = 0

    package init(
        asset: AssetID? = nil, album: AlbumID? = nil, isNew: Bool = false, count: Int = 0
    ) {
        self.asset = asset
        self.album = album
        self.isNew = isNew
        self.count = count
    }
}

extension LibraryChange {
    /// Whether it may make an album.
    package var mayMakeAlbum: Bool {
        switch self {
        case .createAlbum, .ensureAlbum: true
        default: false
        }
    }

    /// The photos that it names.
    package var photos: [Photo] {
        switch self {
        case .createAsset, .createAlbum, .ensureAlbum, .renameAlbum, .deleteAlbum: []
        case .insert(let photos, _, _), .remove(let photos, _), .setFavorite(let photos, _),
            .revertAdjustment(let photos):
            photos
        case .setAdjustment(let photo, _): [photo]
        }
    }

    /// The same change of other photos and albums.
    package func mapping(
        _ assets: (AssetID) -> AssetID, _ albums: (AlbumID) -> AlbumID
    ) -> LibraryChange {
        func map(_ photo: Photo) -> Photo {
            switch photo {
            case .asset(let id): .asset(assets(id))
            case .made: photo
            }
        }
        func map(_ target: Target) -> Target {
            switch target {
            case .album(let id): .album(albums(id))
            case .made: target
            }
        }
        return switch self {
        case .createAsset, .createAlbum, .ensureAlbum: self
        case .renameAlbum(let target, let title): .renameAlbum(map(target), title: title)
        case .deleteAlbum(let target): .deleteAlbum(map(target))
        case .insert(let ids, let target, let index):
            .insert(ids.map(map), into: map(target), index: index)
        case .remove(let ids, let target): .remove(ids.map(map), from: map(target))
        case .setFavorite(let ids, let isFavorite): .setFavorite(ids.map(map), isFavorite)
        case .setAdjustment(let photo, let version): .setAdjustment(map(photo), version: version)
        case .revertAdjustment(let ids): .revertAdjustment(ids.map(map))
        }
    }
}

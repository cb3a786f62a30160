// SPDX-License-Identifier: MIT

/// A list of photos with a name.
package struct Album: Hashable, Sendable {
    package enum Kind: Int, Sendable {
        /// Made by a rule, for example the newest photos.
        case smart = 0
        /// The photos in one folder.
        case folder = 1
    }

    package let id: AlbumID
    package let kind: Kind
    /// The folder's name; empty for smart albums, whose names are translated.
    package let title: String
    /// How many photos of the requested media types it has.
    package let count: Int
    /// The newest of these photos, shown as the picture of the album.
    package let cover: AssetID?

    package init(id: AlbumID, kind: Kind, title: String, count: Int, cover: AssetID?) {
        self.id = id
        self.kind = kind
        self.title = title
        self.count = count
        self.cover = cover
    }
}

extension [Album] {
    /// The album that a request opens: the one it names, or all photos when that album does not
    /// exist or has no photos of the requested types.
    package func opened(for wanted: AlbumID?) -> AlbumID {
        first { $0.id == wanted }?.id ?? .all
    }
}

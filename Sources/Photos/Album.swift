// SPDX-License-Identifier: MIT

/// A list of photos with a name.
package struct Album: Hashable, Sendable {
    package enum Kind: Int, Sendable {
        /// Filled by a rule, for example with the newest photos.
        case smart = 0
        /// The photos in one folder.
        case folder = 1
        /// What a person or an app put together, in an order of their own.
        case user = 2
        /// What was taken on one day; see ``Moment``.
        case day = 3
        case month = 4
    }

    package let id: AlbumID
    package let kind: Kind
    /// The name that it was given, or the folder's; empty for smart albums, whose names are translated, and
    /// for moments.
    package let title: String
    /// The number of photos of the requested media types.
    package let count: Int
    /// The first of these photos, which is the cover of the album.
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
    /// The album that a request opens: the requested album, or all photos if that album does not
    /// exist or has no photos of the requested types.
    package func opened(for wanted: AlbumID?) -> AlbumID {
        first { $0.id == wanted }?.id ?? .all
    }
}

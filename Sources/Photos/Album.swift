// SPDX-License-Identifier: MIT

/// A list of photos with a name.
package struct Album: Hashable, Sendable {
    package enum Kind: Int, Sendable {
        /// Made by a rule: all, recent.
        case smart = 0
        /// The photos that lie in one folder.
        case folder = 1
    }

    package let id: AlbumID
    package let kind: Kind
    /// The folder's name; empty for smart albums, whose names are translated.
    package let title: String
    /// How many of it the request's media types let through.
    package let count: Int
    /// The photo that stands for it.
    package let cover: AssetID?

    package init(id: AlbumID, kind: Kind, title: String, count: Int, cover: AssetID?) {
        self.id = id
        self.kind = kind
        self.title = title
        self.count = count
        self.cover = cover
    }
}

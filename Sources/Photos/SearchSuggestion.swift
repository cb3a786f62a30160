// SPDX-License-Identifier: MIT

/// A way to go on with a search: what the word that is being typed may become.
package struct SearchSuggestion: Hashable, Sendable {
    /// What the title is the name of.
    package enum Kind: Hashable, Sendable {
        /// A year, or a month of a year.
        case date
        case smartAlbum
        /// An album that a person or an app filled.
        case album
        case folder
        case keyword
        case camera
        case lens
    }

    package let kind: Kind
    /// The title for people; the album's or the photo's own words, as they are.
    package let title: String
    /// The number of photos that it finds, at least 1 and at most ``mostCounted``.
    package let count: Int
    /// Whether there are more photos than ``count``.
    package let hasMore: Bool
    /// The text of the search with the suggestion in place of the word.
    package let text: String
    /// The album that the search goes on in; nil for the one in view.
    package let album: AlbumID?

    /// The most suggestions for a word.
    package static let most = 6
    /// The most photos that are counted where the number is not stored.
    package static let mostCounted = 500

    package init(
        kind: Kind, title: String, count: Int, hasMore: Bool = false, text: String,
        album: AlbumID? = nil
    ) {
        self.kind = kind
        self.title = title
        self.count = count
        self.hasMore = hasMore
        self.text = text
        self.album = album
    }
}

extension [SearchSuggestion] {
    /// The suggestions to show, the most useful first: of each kind the first ones, and then others as
    /// long as there is room.
    package var shown: [SearchSuggestion] {
        var taken: [SearchSuggestion] = []
        var rest: [SearchSuggestion] = []
        for suggestion in self {
            let isFirst = taken.count { $0.kind == suggestion.kind } < Self.mostOfKind
            if isFirst { taken.append(suggestion) } else { rest.append(suggestion) }
        }
        return Array((taken + rest).prefix(SearchSuggestion.most))
    }

    /// How many suggestions of a kind come before all kinds have had their turn.
    private static var mostOfKind: Int { 2 }
}

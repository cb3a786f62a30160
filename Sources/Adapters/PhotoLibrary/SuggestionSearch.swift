// SPDX-License-Identifier: MIT

internal import GRDB
internal import Photos

/// Finds what the last word of a search may become.
///
/// The work has a limit that does not depend on the number of photos, unless the search has other words:
/// then it costs as much as a search for these.
struct SuggestionSearch {
    /// The most albums, and the most terms, among which the most useful ones are looked for.
    private static let mostMatches = 512
    /// The most terms whose photos are counted.
    private static let mostTerms = 8
    /// The most albums.
    private static let mostAlbums = 4
    /// The most albums in which the rest of the search is made.
    private static let mostSearched = 2

    let word: UnfinishedWord
    let database: Database
    /// The photos that the search finds without the word.
    let photos: SuggestedPhotos
    private let filter: MediaFilter
    private let album: AlbumContents
    /// What the search means without the word.
    private let rest: SearchQuery
    /// The word as a query of FTS5.
    private let match: String

    /// Nil if the search finds nothing, whatever the word becomes.
    init?(
        _ word: UnfinishedWord, in album: AlbumContents, _ filter: MediaFilter,
        _ database: Database
    ) throws {
        let rest = SearchQuery(word.before, today: .today)
        guard !rest.findsNothing, let words = SearchWords(word.text, isPrefix: true) else {
            return nil
        }
        self.word = word
        self.album = album
        self.filter = filter
        self.database = database
        self.rest = rest
        match = words.match
        photos = try SuggestedPhotos(album, filter, rest, database)
    }

    // MARK: - Albums

    /// Albums other than the one in view, those with the most photos first.
    ///
    /// - Parameter smart: The titles of smart albums.
    func albums(_ smart: [SmartAlbum: String]) throws -> [SearchSuggestion] {
        let prefix = SearchText.folded(word.text)
        let rules = try SmartAlbum.allCases.compactMap { rule -> FoundAlbum? in
            guard let title = smart[rule], SearchText.hasWord(prefix, in: title) else { return nil }
            return FoundAlbum(
                contents: .smart(rule), id: rule.id, kind: .smartAlbum, title: title,
                count: try count(of: rule.id, limit: rule.rule.limit))
        }
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, key, title, folder FROM album WHERE id IN (
                        SELECT rowid FROM albumSearch WHERE albumSearch MATCH ? LIMIT ?)
                    """), arguments: ["title : \(match)", Self.mostMatches])
        let titled = try rows.compactMap { row -> FoundAlbum? in
            guard let id = AlbumID(try row.decode(String.self, atIndex: 1)) else { return nil }
            let folder = try row.decode(Int64?.self, atIndex: 3)
            return FoundAlbum(
                contents: try folder.map { .folder($0) } ?? .user(row.decode(atIndex: 0)), id: id,
                kind: folder == nil ? .album : .folder, title: try row.decode(atIndex: 2),
                count: try count(of: id, limit: nil))
        }
        return try (rules + titled.sorted { ($1.count, $0.title) < ($0.count, $1.title) })
            .filter { $0.contents != album && $0.count > 0 }
            .prefix(rest.isEmpty ? Self.mostAlbums : Self.mostSearched)
            .compactMap(suggestion)
    }

    private struct FoundAlbum {
        let contents: AlbumContents
        let id: AlbumID
        let kind: SearchSuggestion.Kind
        let title: String
        /// As it is stored.
        let count: Int
    }

    private func count(of album: AlbumID, limit: Int?) throws -> Int {
        let count = try AlbumSummary.count(of: album, filter, in: database)
        return min(count, limit ?? count)
    }

    private func suggestion(_ album: FoundAlbum) throws -> SearchSuggestion? {
        var (count, hasMore) = (album.count, false)
        if !rest.isEmpty {
            let photos = try SuggestedPhotos(album.contents, filter, rest, database)
            (count, hasMore) = Self.bounded(try photos.count())
        }
        guard count > 0 else { return nil }
        return SearchSuggestion(
            kind: album.kind, title: album.title, count: count, hasMore: hasMore,
            text: word.replaced(by: "", andWordsBefore: wordsBefore(in: album.title)),
            album: album.id)
    }

    // MARK: - Terms

    /// Keywords, cameras and lenses, the most frequent ones first.
    func terms() throws -> [SearchSuggestion] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT kind, text FROM (
                        SELECT rowid AS match FROM termSearch WHERE termSearch MATCH ? LIMIT ?)
                    CROSS JOIN term ON term.id = match ORDER BY count DESC, text LIMIT ?
                    """), arguments: [match, Self.mostMatches, Self.mostTerms])
        var seen: Set<String> = []
        let terms = try rows.compactMap { row -> Term? in
            guard let kind = TermTable.Kind(rawValue: try row.decode(atIndex: 0)) else {
                return nil
            }
            let term = Term(kind: kind, title: try row.decode(atIndex: 1))
            // Letters that differ in their size alone are found together.
            return seen.insert("\(kind) \(SearchText.folded(term.title))").inserted ? term : nil
        }
        let counts = try photos.counts(matching: terms.map(\.match))
        return zip(terms, counts).compactMap { term, photos in
            let (count, hasMore) = Self.bounded(photos)
            guard count > 0, let quoted = SearchWords.quoted(term.title),
                !word.before.contains(quoted)
            else { return nil }
            let text = word.replaced(by: quoted, andWordsBefore: wordsBefore(in: term.title))
            // What is longer is not read.
            guard text.unicodeScalars.count <= SearchQuery.longestText else { return nil }
            return SearchSuggestion(
                kind: term.suggestionKind, title: term.title, count: count, hasMore: hasMore,
                text: text)
        }
    }

    /// A keyword, a camera or a lens.
    private struct Term {
        let kind: TermTable.Kind
        let title: String

        /// The photos that say it, as a query of FTS5.
        var match: String {
            let column = kind == .keyword ? "keywords" : "camera"
            return "\(column) : \(SearchWords(title, isPrefix: false)?.match ?? "\"\"")"
        }

        var suggestionKind: SearchSuggestion.Kind {
            switch kind {
            case .keyword: .keyword
            case .camera: .camera
            case .lens: .lens
            }
        }
    }

    // MARK: - Photos

    /// A number of photos as it is told.
    static func bounded(_ photos: Int) -> (count: Int, hasMore: Bool) {
        let most = SearchSuggestion.mostCounted
        return (min(photos, most), photos > most)
    }

    /// How many words before the unfinished one are, with it, the beginning of words of a title: who has
    /// typed `new yo` wants `New York` in place of both.
    func wordsBefore(in title: String) -> Int {
        let before = word.wordsBefore.suffix(Self.mostWordsBefore)
        for count in stride(from: before.count, to: 0, by: -1) {
            let words = (before.suffix(count) + [word.text]).joined(separator: " ")
            if SearchText.hasWord(SearchText.folded(words), in: title) { return count }
        }
        return 0
    }

    private static let mostWordsBefore = 4
}

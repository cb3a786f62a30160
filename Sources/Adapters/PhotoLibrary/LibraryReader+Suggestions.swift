// SPDX-License-Identifier: MIT

internal import GRDB
package import Photos

extension LibraryReader {
    /// What the unfinished word at the end of a search may become: dates, albums, keywords, cameras and
    /// lenses with a word that begins with it.
    ///
    /// Each of them finds something. At most ``SearchSuggestion/most``, the most useful ones first.
    ///
    /// - Parameters:
    ///   - text: The text of the search; with no unfinished word there are no suggestions.
    ///   - album: The album in view.
    ///   - smartAlbums: The titles of smart albums; nil if no other album may be shown.
    package func suggestions(
        for text: String, in album: AlbumID, _ filter: MediaFilter,
        smartAlbums: [SmartAlbum: String]?
    ) async throws(LibraryError) -> [SearchSuggestion] {
        guard let word = UnfinishedWord(in: text) else { return [] }
        return try await read("suggest what to search for") { database in
            guard let contents = try AlbumContents.find(album.rawValue, in: database),
                let search = try SuggestionSearch(word, in: contents, filter, database)
            else { return [] }
            let albums = try smartAlbums.map { try search.albums($0) } ?? []
            return try (search.dates() + albums + search.terms()).shown
        }
    }
}

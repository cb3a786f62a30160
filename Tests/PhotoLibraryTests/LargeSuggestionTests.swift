// SPDX-License-Identifier: MIT

import Logging
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// What is suggested in albums of which not every photo is looked at.
///
/// There are no files.
@Suite(.serialized) struct LargeSuggestionTests {
    private let home: TestHome
    private let reader: LibraryReader
    private let folders: [AlbumID]

    /// A library of 6,000 photos, a day apart, in two folders of the same size.
    init() async throws {
        home = try TestHome()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try LibraryStore(at: home.database, logger: logger).checkpoint()
        let script = home.scratch.appending("fill.sql")
        try home.write(Array(Self.filling.utf8), to: script)
        let maker = try ChildProcess(
            "sqlite3", [home.database.string, ".read \(script)"], environment: home.environment,
            scratch: home.scratch)
        try #require(try await maker.exitStatus() == 0, "\(maker.errorText)")
        // Counts the albums.
        try LibraryStore(at: home.database, logger: logger).checkpoint()
        reader = try LibraryReader(at: home.database)
        var folders: [AlbumID] = []
        for name in ["old", "new"] {
            let album = try await reader.album(ofFolder: FilePath("/photos/\(name)"))
            folders.append(try #require(album))
        }
        self.folders = folders
    }

    /// The photos 1 to 3,000 are old; the last one was taken on 1 May 2026.
    private static let filling = """
        BEGIN;
        INSERT INTO folder (id, path, kind)
            VALUES (1, CAST('/photos/old' AS BLOB), 0), (2, CAST('/photos/new' AS BLOB), 0);
        CREATE TEMP TABLE n AS
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
            SELECT i, iif(i <= 3000, 1, 2) AS folder,
                iif(i <= 3000, 'ancient', 'modern') || iif(i % 2000 = 0, ' milestone', '') AS words
            FROM n;
        INSERT INTO asset (id, key, fingerprint, mediaType, width, height, date, hasCaptureDate, file,
            inAll) SELECT i, randomblob(16), randomblob(16), 'image/jpeg', 4000, 3000,
            1777636800 - (6000 - i) * 86400, 1, i, 1 FROM n;
        INSERT INTO file (id, folder, name, device, inode, size, modified, status, asset, changed)
            SELECT i, folder, CAST(i || '.jpg' AS BLOB), 1, i, 4000000, 0, 1, i, 1 FROM n;
        INSERT INTO search (rowid, name, title, caption, keywords, camera)
            SELECT i, i || '.jpg', '', '', words, 'Maker Model' FROM n;
        INSERT INTO term (id, kind, text, count) VALUES (1, 0, 'ancient', 3000),
            (2, 0, 'modern', 3000), (3, 0, 'milestone', 3), (4, 1, 'Maker Model', 6000);
        INSERT INTO termSearch (rowid, text) SELECT id, text FROM term;
        DELETE FROM state WHERE key = 'albumRules';
        COMMIT;
        """

    private func suggest(_ text: String, in album: AlbumID = .all) async throws
        -> [SearchSuggestion]
    {
        try await reader.suggestions(for: text, in: album, .everything, smartAlbums: nil)
    }

    @Test func `the latest photos are counted, up to 500`() async throws {
        let suggestions = try await suggest("m")
        #expect(suggestions.map(\.title) == ["Maker Model", "modern", "milestone"])
        #expect(suggestions.map(\.count) == [500, 500, 3])
        #expect(suggestions.map(\.hasMore) == [true, true, false])
    }

    @Test func `what is in another folder alone is not suggested`() async throws {
        let (old, new) = (folders[0], folders[1])
        #expect(try await suggest("a", in: old).map(\.title) == ["ancient"])
        #expect(try await suggest("a", in: new) == [])
        #expect(try await suggest("milest", in: old).map(\.count) == [1])
        #expect(try await suggest("milest", in: new).map(\.count) == [2])
        #expect(try await suggest("ancient milest", in: new) == [])
        #expect(try await suggest("modern milest", in: new).map(\.count) == [2])
    }

    @Test func `years and months are those of the album`() async throws {
        #expect(
            try await suggest("20").map(\.title) == ["2026", "2025", "2024", "2023"])
        #expect(try await suggest("20").map(\.count) == [121, 365, 366, 365])
        let may = try await suggest("may")
        #expect(
            may.map(\.title) == ["May 2026", "May 2025", "May 2024", "May 2023"])
        #expect(may.map(\.count) == [1, 31, 31, 31])
        // The last day of the other folder is 12 February 2018.
        #expect(
            try await suggest("20", in: folders[0]).map(\.title) == [
                "2018", "2017", "2016", "2015",
            ])
        // Behind another word, years of which all photos have been read.
        #expect(try await suggest("modern 20").map(\.title) == ["2026", "2025", "2024", "2023"])
        #expect(try await suggest("ancient 20").map(\.count) == [43, 365, 366, 365])
        #expect(try await suggest("milestone 20").map(\.title) == ["2026", "2020", "2015"])
        #expect(try await suggest("2018", in: folders[0]).map(\.count) == [12, 31])
    }
}

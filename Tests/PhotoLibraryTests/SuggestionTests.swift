// SPDX-License-Identifier: MIT

import Files
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// What the library suggests for the word that is being typed.
@Suite(.serialized) struct SuggestionTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    /// A JPEG of one day in November 2023 with a packet of texts.
    private func add(
        _ name: String, keywords: [String] = [], camera: String? = nil, lens: String? = nil,
        at seconds: Int = 1_700_000_000
    ) throws {
        let items = keywords.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        let model = camera.map { "<tiff:Model>\($0)</tiff:Model>" } ?? ""
        let lens = lens.map { "<aux:Lens>\($0)</aux:Lens>" } ?? ""
        let packet = """
            http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
            xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" \
            xmlns:aux="http://ns.adobe.com/exif/1.0/aux/"><dc:subject><rdf:Bag>\(items)\
            </rdf:Bag></dc:subject>\(model)\(lens)</rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let content = Array(packet.utf8)
        let size = content.count + 2
        let segment = [0xFF, 0xE1, UInt8(size / 256), UInt8(size % 256)] + content
        var bytes = try Fixtures.bytes("jpeg/grey.jpg")
        bytes.insert(contentsOf: segment, at: 2)
        let path = home.pictures.appending(FilePath(name).components)
        try home.write(bytes + Array(name.utf8), to: path)
        home.setDate(of: path, seconds)
    }

    private func suggest(
        _ text: String, in library: LiveLibrary, album: AlbumID = .all,
        _ filter: MediaFilter = .everything,
        smart: [SmartAlbum: String]? = [.favorites: "Favorites", .screenshots: "Bildschirmfotos"]
    ) async throws -> [SearchSuggestion] {
        let suggestions = try await library.reader.suggestions(
            for: text, in: album, filter, smartAlbums: smart)
        #expect(suggestions.count <= SearchSuggestion.most)
        // Each of them finds at least what it says.
        for suggestion in suggestions {
            let query = SearchQuery(suggestion.text, today: .today)
            let found = try await library.reader.photos(
                in: suggestion.album ?? album, filter, matching: query)
            #expect(found.count >= suggestion.count, "\(suggestion)")
            #expect(suggestion.count > 0)
        }
        return suggestions
    }

    private func titles(_ text: String, in library: LiveLibrary) async throws -> [String] {
        try await suggest(text, in: library).map(\.title)
    }

    // MARK: - Kinds

    @Test func `keywords, cameras and lenses are suggested with their number of photos`()
        async throws
    {
        try add("1.jpg", keywords: ["canal", "Summer"], camera: "Canon EOS R5", lens: "RF 50mm")
        try add("2.jpg", keywords: ["canal"], camera: "Canon EOS R5")
        try add("3.jpg", keywords: ["candle"], camera: "NIKON D90")
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        let suggestions = try await suggest("ca", in: library)
        #expect(
            suggestions == [
                SearchSuggestion(
                    kind: .camera, title: "Canon EOS R5", count: 2, text: "\"Canon EOS R5\" "),
                SearchSuggestion(kind: .keyword, title: "canal", count: 2, text: "\"canal\" "),
                SearchSuggestion(kind: .keyword, title: "candle", count: 1, text: "\"candle\" "),
            ])
        #expect(try await titles("r5", in: library) == ["Canon EOS R5"])
        #expect(try await titles("50", in: library) == ["RF 50mm"])
        let lens = try await suggest("rf", in: library)
        #expect(lens.map(\.kind) == [.lens])
        // No more after a blank.
        #expect(try await titles("ca ", in: library) == [])
        #expect(try await titles("", in: library) == [])
        await library.close()
    }

    @Test func `the words before the last one count`() async throws {
        try add("1.jpg", keywords: ["New York", "winter"])
        try add("2.jpg", keywords: ["Yosemite", "summer"])
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        #expect(try await titles("yo", in: library) == ["New York", "Yosemite"])
        // There is no photo of Yosemite in winter.
        let winter = try await suggest("winter yo", in: library)
        #expect(winter.map(\.text) == ["winter \"New York\" "])
        let city = try await suggest("new yo", in: library)
        #expect(city.map(\.text) == ["\"New York\" "])
        #expect(try await titles("nothing yo", in: library) == [])
        #expect(try await titles("-- yo", in: library) == [])
        await library.close()
    }

    @Test func `albums and folders are suggested, but not the one in view`() async throws {
        try add("Sicily/1.jpg", keywords: ["sea"])
        try add("Sicily/2.jpg")
        try add("Silver/3.jpg", keywords: ["sea"])
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        let first = try #require(
            try await library.id(of: home.pictures.appending("Silver").appending("3.jpg")))
        _ = try await library.store.perform([
            .createAlbum(title: "Sister"), .setFavorite([.asset(first)], true),
            .insert([.asset(first)], into: .made(by: 0), index: nil),
        ])
        let albums = try await suggest("si", in: library)
        #expect(albums.map(\.title) == ["Sicily", "Silver", "Sister"])
        #expect(albums.map(\.kind) == [.folder, .folder, .album])
        #expect(albums.map(\.count) == [2, 1, 1])
        #expect(albums.map(\.text) == ["", "", ""])
        // With the words before, in the two with the most photos.
        #expect(try await suggest("sea si", in: library).map(\.title) == ["Sicily", "Silver"])
        #expect(try await suggest("sea si", in: library).map(\.count) == [1, 1])
        let sicily = try #require(albums.first?.album)
        let inSicily = try await suggest("si", in: library, album: sicily)
        #expect(inSicily.map(\.title) == ["Silver", "Sister"])
        #expect(try await suggest("si", in: library, smart: nil) == [])
        let favorites = try await suggest("fav", in: library)
        #expect(favorites.map(\.album) == [SmartAlbum.favorites.id])
        // There are no screenshots.
        #expect(try await titles("bild", in: library) == [])
        await library.close()
    }

    @Test func `what finds nothing in the album in view, or of the wanted types, is not suggested`()
        async throws
    {
        try add("Sicily/1.jpg", keywords: ["boat"])
        try add("Garden/2.jpg", keywords: ["border"])
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let folder = home.pictures.appending("Garden")
        let garden = try #require(try await library.reader.album(ofFolder: folder))
        #expect(try await titles("bo", in: library) == ["boat", "border"])
        #expect(
            try await suggest("bo", in: library, album: garden).map(\.title) == ["border"])
        let videos = try #require(MediaFilter([.anyVideo]))
        #expect(try await suggest("bo", in: library, videos) == [])
        #expect(try await suggest("gar", in: library, videos) == [])
        #expect(try await suggest("nov", in: library, videos) == [])
        await library.close()
    }

    @Test func `years and months that have photos are suggested, the latest first`() async throws {
        try add("1.jpg", at: 1_696_161_600)
        try add("2.jpg", at: 1_700_000_000)
        try add("3.jpg", at: 1_666_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        let months = try await suggest("oct", in: library)
        #expect(months.map(\.title) == ["October 2023", "October 2022"])
        #expect(months.map(\.kind) == [.date, .date])
        #expect(months.map(\.text) == ["October 2023 ", "October 2022 "])
        #expect(try await titles("20", in: library) == ["2023", "2022"])
        #expect(try await titles("2023", in: library) == ["November 2023", "October 2023"])
        #expect(try await titles("okt", in: library) == ["October 2023", "October 2022"])
        #expect(try await titles("19", in: library) == [])
        #expect(try await titles("o", in: library) == [])
        #expect(try await titles("99999999999999999999", in: library) == [])
        await library.close()
    }

    // MARK: - Texts

    @Test func `any letters are compared as a search does`() async throws {
        let keywords = [
            "50% off", "a_b", "say \u{201C}cheese\u{201D}", "日落海边", "غروب الشمس", "Größe", "Ärger",
            "it's", "ΩMEGA",
        ]
        try add("1.jpg", keywords: keywords)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        for (text, title) in [
            ("50", keywords[0]), ("50%", keywords[0]), ("off", keywords[0]), ("a_b", keywords[1]),
            ("\"a\0b", keywords[1]),
            ("chee", keywords[2]), ("日落", keywords[3]), ("海", keywords[3]), ("غر", keywords[4]),
            ("الش", keywords[4]), ("grosse", keywords[5]), ("GRÖ", keywords[5]),
            ("gro", keywords[5]),
            ("ar", keywords[6]), ("it", keywords[7]), ("it's", keywords[7]), ("ωm", keywords[8]),
        ] {
            #expect(try await titles(text, in: library) == [title], "\(text)")
        }
        for text in [
            "%", "_", "'", "*", "落海 边 x", "\"", "NEAR(", "a OR", "\u{FFFF}", "title:x",
        ] {
            #expect(try await titles(text, in: library) == [], "\(text)")
        }
        await library.close()
    }

    @Test func `a text without end costs nothing, and is no error`() async throws {
        try add("1.jpg", keywords: ["boat"])
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        for text in [
            String(repeating: "a", count: 1 << 20),
            String(repeating: "boat ", count: 200_000) + "b",
            String(repeating: "日", count: 1024), String(repeating: "\"", count: 1023) + "b",
            String(repeating: "2019 ", count: 200) + "b",
        ] {
            _ = try await suggest(text, in: library)
        }
        #expect(try await titles("b", in: library) == ["boat"])
        await library.close()
    }

    @Test func `keywords that differ in capitals alone are suggested once`() async throws {
        try add("1.jpg", keywords: ["Boat"])
        try add("2.jpg", keywords: ["boat"])
        try add("3.jpg", keywords: ["boat"])
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        let suggestions = try await suggest("bo", in: library)
        #expect(suggestions.map(\.title) == ["boat"])
        #expect(suggestions.map(\.count) == [3])
        await library.close()
    }

    // MARK: - Changes

    @Test func `suggestions follow the photos`() async throws {
        try add("1.jpg", keywords: ["boat", "border"])
        try add("2.jpg", keywords: ["boat"])
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        #expect(try await suggest("bo", in: library).map(\.count) == [2, 1])
        try AtomicFile.remove(home.pictures.appending("1.jpg"))
        _ = try await library.settle(files: 1)
        #expect(try await titles("bo", in: library) == ["boat"])
        try add("2.jpg", keywords: ["bottle"], at: 1_700_000_060)
        // Meanwhile, what is suggested may be gone when it is looked for.
        try await eventually("the new keyword") {
            try await library.reader.suggestions(
                for: "bo", in: .all, .everything, smartAlbums: [:]
            ).map(\.title) == ["bottle"]
        }
        try AtomicFile.remove(home.pictures.appending("2.jpg"))
        _ = try await library.settle(files: 0)
        #expect(try await titles("bo", in: library) == [])
        await library.close()
    }

    @Test func `what was chosen already is not suggested again`() async throws {
        try add("1.jpg", keywords: ["boat", "border"])
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        #expect(try await titles("\"boat\" bo", in: library) == ["border"])
        await library.close()
    }

    @Test func `more photos than are counted are told as more`() async throws {
        for number in 0..<502 { try add("\(number).jpg", keywords: ["boat"]) }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 502)
        let suggestions = try await suggest("bo", in: library)
        #expect(suggestions.map(\.count) == [500])
        #expect(suggestions.map(\.hasMore) == [true])
        await library.close()
    }
}

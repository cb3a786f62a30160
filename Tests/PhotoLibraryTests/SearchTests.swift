// SPDX-License-Identifier: MIT

import Files
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// What is found in a library, and that it follows every change.
@Suite(.serialized) struct SearchTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    /// The names of the photos that a text finds, sorted.
    private func find(
        _ text: String, in library: LiveLibrary, album: AlbumID = .all,
        view: LibraryView = .everything
    ) async throws -> [String] {
        let query = SearchQuery(text, today: .today)
        func read() async throws -> [ListedAsset] {
            let page = try await library.reader.page(
                of: album, .everything, in: view, matching: query, from: 0, limit: 100)
            let found = try #require(page)
            #expect(found.total == found.assets.count)
            return found.assets
        }
        let found = try await read()
        // The window finds the same, unless the library changes meanwhile.
        if view == .everything {
            let shown = try await library.reader.photos(in: album, .everything, matching: query)
            if try await read() == found { #expect(shown.ids == found.map(\.asset.id)) }
        }
        return found.map(\.name).sorted()
    }

    /// A JPEG with a packet of keywords.
    private func add(_ name: String, keywords: [String], number: UInt8, at seconds: Int = 0) throws
    {
        let packet = """
            http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
            xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag>\
            \(keywords.map { "<rdf:li>\($0)</rdf:li>" }.joined())</rdf:Bag></dc:subject>\
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let content = Array(packet.utf8)
        let size = content.count + 2
        let segment = [0xFF, 0xE1, UInt8(size / 256), UInt8(size % 256)] + content
        var bytes = try Fixtures.bytes("jpeg/grey.jpg")
        bytes.insert(contentsOf: segment, at: 2)
        let path = home.pictures.appending(FilePath(name).components)
        try home.write(bytes + [number], to: path)
        if seconds > 0 { home.setDate(of: path, seconds) }
    }

    // MARK: - Words

    @Test func `photos are found by all words of their names and texts`() async throws {
        try home.add("texts/details.jpg", as: "boats.jpg")
        try home.add("texts/windows.jpg", as: "windows.jpg")
        try add("harbour.jpg", keywords: ["boat", "Größe", "O'Neill"], number: 1)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        for (text, names) in [
            ("boat", ["boats.jpg", "harbour.jpg"]), ("bo", ["boats.jpg", "harbour.jpg"]),
            ("boat ", ["boats.jpg", "harbour.jpg"]), ("bo ", []), ("summer", ["boats.jpg"]),
            ("summer boat", ["boats.jpg"]), ("summer harbour", []),
            ("\"two boats\"", ["boats.jpg"]), ("\"boats two\"", []),
            ("muller", ["boats.jpg"]), ("MÜLLER", ["boats.jpg"]), ("Mu\u{308}ller", ["boats.jpg"]),
            ("große", ["harbour.jpg", "windows.jpg"]), ("grosse", ["harbour.jpg", "windows.jpg"]),
            ("nikon d90", ["boats.jpg"]), ("35mm", ["boats.jpg"]), ("harbour.jpg", ["harbour.jpg"]),
            ("日落", ["boats.jpg"]), ("日", ["boats.jpg"]), ("落日", []), ("o'neill", ["harbour.jpg"]),
            ("", ["boats.jpg", "harbour.jpg", "windows.jpg"]), ("***", []),
            ("has a place", ["boats.jpg"]),
            ("landscape", ["boats.jpg", "harbour.jpg", "windows.jpg"]),
            ("portrait", []), ("square", []), ("video", []), ("raw", []), ("favorite", []),
            ("48.8584", []), ("1900", []),
        ] {
            #expect(try await find(text, in: library) == names, "\(text)")
        }
        await library.close()
    }

    @Test(arguments: [
        "OR", "AND NOT", "NEAR(boats two)", "boat*", "^boat", "name:boat", "{name title}:boat",
        "-boat",
        "(boat", "boat)", "\"boat", "a\"b", "';DROP TABLE asset;--", "boat AND", "boat\\", "%", "_",
        "\u{FFFF}", "boat \u{1F600}", "\u{9FFF}\u{2B740}", "\u{1E9E}", "\"\" \"\"", "+ + +",
    ])
    func `no text is an error`(text: String) async throws {
        try home.add("texts/details.jpg", as: "boats.jpg")
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        _ = try await find(text, in: library)
        // Neither as a part of others, nor when it is repeated.
        _ = try await find("\(text) boat \(text)", in: library)
        let long = String(repeating: text + " ", count: 10_000 / (text.utf8.count + 1))
        _ = try await find(long, in: library)
        #expect(try await find("boat", in: library) == ["boats.jpg"])
        await library.close()
    }

    @Test func `many words and many dates at a time are no error`() async throws {
        try home.add(as: "a.jpg")
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        for text in [
            (0..<1000).map { "\($0)" }.joined(separator: " "),
            (1900..<2100).map { "\($0)" }.joined(separator: " "),
            String(repeating: "日", count: 10_000), String(repeating: "a", count: 10_000),
            "january february march april may june july august october november december",
            (0..<400).map { "\"\($0)\"" }.joined(),
            "video photo raw png jpg gif heic square 2019 may",
        ] {
            #expect(try await find(text, in: library).isEmpty)
        }
        await library.close()
    }

    // MARK: - What photos are

    @Test func `photos are found by their days`() async throws {
        // Noon in all time zones is the same day.
        try home.add("texts/windows.jpg", as: "a.jpg", number: 1, at: 1_570_104_000)
        try home.add("texts/windows.jpg", as: "b.jpg", number: 2, at: 1_572_782_400)
        try home.add("texts/windows.jpg", as: "c 2019.jpg", number: 3, at: 1_601_726_400)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        for (text, names) in [
            ("2019", ["a.jpg", "b.jpg", "c 2019.jpg"]), ("2020", ["c 2019.jpg"]),
            ("october", ["a.jpg", "c 2019.jpg"]), ("oktober 2019", ["a.jpg"]),
            ("2019年11月", ["b.jpg"]), ("2019-10-03", ["a.jpg"]),
            ("3. oktober", ["a.jpg", "c 2019.jpg"]),
            ("2019 2020", ["c 2019.jpg"]), ("\"2019\"", ["c 2019.jpg"]), ("november png", []),
            ("november jpg", ["b.jpg"]), ("today", []), ("last year", []),
        ] {
            #expect(try await find(text, in: library) == names, "\(text)")
        }
        await library.close()
    }

    @Test func `photos are found by type, shape and stars of the person`() async throws {
        try home.add("formats/moving.gif", as: "a.gif")
        try home.add("raw/nikon.nef", as: "b.nef")
        try home.add("video/moving.mp4", as: "c.mp4")
        try home.add("orientation/6.jpg", as: "d.jpg")
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        let favorite = try #require(try await library.id(of: home.pictures.appending("d.jpg")))
        _ = try await library.store.perform([.setFavorite([.asset(favorite)], true)])
        for (text, names) in [
            ("photo", ["a.gif", "b.nef", "d.jpg"]), ("视频", ["c.mp4"]), ("animation", ["a.gif"]),
            ("RAW", ["b.nef"]), ("mp4", ["c.mp4"]), ("favoriten", ["d.jpg"]),
            ("favorite raw", []), ("photo jpeg", ["d.jpg"]),
        ] {
            #expect(try await find(text, in: library) == names, "\(text)")
        }
        await library.close()
    }

    // MARK: - Changes

    @Test func `the same word finds all photos that have it, in parts and in order`() async throws {
        for number in 1...5 {
            try add(
                "\(number).jpg", keywords: ["sea"], number: UInt8(number), at: 1_000_000 * number)
        }
        try add("6.jpg", keywords: ["wood"], number: 6, at: 6_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 6)
        let query = SearchQuery("sea", today: .today)
        func names(from offset: Int, _ limit: Int) async throws -> ([String], Int) {
            let page = try await library.reader.page(
                of: .all, .everything, in: .everything, matching: query, from: offset, limit: limit)
            let found = try #require(page)
            return (found.assets.map(\.name), found.total)
        }
        #expect(try await names(from: 0, 2) == (["5.jpg", "4.jpg"], 5))
        #expect(try await names(from: 4, 2) == (["1.jpg"], 5))
        #expect(try await names(from: 5, 2) == ([], 5))
        #expect(try await find("sea", in: library, album: SmartAlbum.recent.id).count == 5)
        await library.close()
    }

    @Test func `a photo that is renamed, moved, edited or removed is found as it is now`()
        async throws
    {
        try add("one.jpg", keywords: ["sea"], number: 1)
        try add("other.jpg", keywords: ["sea"], number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let path = home.pictures.appending("one.jpg")
        let id = try await library.id(of: path)
        let renamed = home.pictures.appending("renamed.jpg")
        try AtomicFile.rename(path, to: renamed)
        try await eventually("the new name") {
            try await find("renamed", in: library) == ["renamed.jpg"]
        }
        #expect(try await find("one", in: library).isEmpty)
        #expect(try await find("sea", in: library) == ["other.jpg", "renamed.jpg"])
        let folder = home.pictures.appending("Sicily")
        try Directory.make(folder)
        try AtomicFile.rename(renamed, to: folder.appending("renamed.jpg"))
        try await eventually("the new folder") {
            try await find("sicily sea", in: library) == ["renamed.jpg"]
        }
        #expect(try await library.id(of: folder.appending("renamed.jpg")) == id)
        try add("Sicily/renamed.jpg", keywords: ["wood"], number: 3)
        try await eventually("the new keyword") {
            try await find("wood", in: library) == ["renamed.jpg"]
        }
        #expect(try await find("sea", in: library) == ["other.jpg"])
        try AtomicFile.remove(folder.appending("renamed.jpg"))
        try await eventually("its end") { try await find("wood", in: library).isEmpty }
        #expect(try await find("sicily", in: library).isEmpty)
        await library.close()
    }

    @Test func `photos are found by the albums that they are in, and by folders above them`()
        async throws
    {
        try add("Italy/Rome/a.jpg", keywords: ["sea"], number: 1)
        try add("b.jpg", keywords: ["sea"], number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        #expect(try await find("rome", in: library) == ["a.jpg"])
        #expect(try await find("italy sea", in: library) == ["a.jpg"])
        #expect(try await find("pictures", in: library) == ["a.jpg", "b.jpg"])
        let id = try #require(try await library.id(of: home.pictures.appending("b.jpg")))
        let results = try await library.store.perform([
            .createAlbum(title: "Überfahrt 日落"),
            .insert([.asset(id)], into: .made(by: 0), index: nil),
        ])
        let album = try #require(results.first?.album)
        #expect(try await find("uberf", in: library) == ["b.jpg"])
        #expect(try await find("日落 sea", in: library) == ["b.jpg"])
        // A word in the album and one in the photo, but no phrase of both.
        #expect(try await find("\"日落 sea\"", in: library).isEmpty)
        #expect(try await find("sea", in: library, album: album) == ["b.jpg"])
        #expect(try await find("rome", in: library, album: album).isEmpty)
        _ = try await library.store.perform([.renameAlbum(.album(album), title: "Voyage")])
        #expect(try await find("uberf", in: library).isEmpty)
        #expect(try await find("voyage", in: library) == ["b.jpg"])
        _ = try await library.store.perform([.remove([.asset(id)], from: .album(album))])
        #expect(try await find("voyage", in: library).isEmpty)
        _ = try await library.store.perform([
            .insert([.asset(id)], into: .album(album), index: nil), .deleteAlbum(.album(album)),
        ])
        #expect(try await find("voyage", in: library).isEmpty)
        // A new album may get the row of the old one.
        _ = try await library.store.perform([.createAlbum(title: "Elsewhere")])
        #expect(try await find("voyage", in: library).isEmpty)
        await library.close()
    }

    @Test func `an app that sees some photos finds no others, and nothing by albums`() async throws
    {
        try add("Rome/a.jpg", keywords: ["sea"], number: 1)
        try add("Rome/b.jpg", keywords: ["sea"], number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let id = try #require(
            try await library.id(of: home.pictures.appending("Rome").appending("a.jpg")))
        let view = LibraryView.given(to: "org.example.App")
        #expect(try await find("sea", in: library, view: view).isEmpty)
        try await library.store.noteGiven([id], whole: [id], to: "org.example.App")
        #expect(try await find("sea", in: library, view: view) == ["a.jpg"])
        #expect(try await find("b.jpg", in: library, view: view).isEmpty)
        #expect(try await find("rome", in: library, view: view).isEmpty)
        #expect(try await find("rome", in: library) == ["a.jpg", "b.jpg"])
        await library.close()
    }

    @Test func `for an app that sees some photos, the words of others are not even read`()
        async throws
    {
        try add("a.jpg", keywords: ["sea", "Größe", "日落"], number: 1, at: 1_570_000_000)
        try add("b.jpg", keywords: ["sea"], number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.id(of: home.pictures.appending("a.jpg")))
        let view = LibraryView.given(to: "org.example.App")
        try await library.store.noteGiven([id], whole: [id], to: "org.example.App")
        // How long the common index takes depends on how many photos have a word.
        let child = try ChildProcess(
            "sqlite3",
            [
                // SQLite 3.46 does not let its shell write to these tables otherwise.
                "-cmd", ".timeout 5000", "-cmd", ".dbconfig defensive off", home.database.string,
                "DELETE FROM search_idx; DELETE FROM search_data WHERE id > 10",
            ],
            environment: home.environment, scratch: home.scratch)
        #expect(try await child.exitStatus() == 0, "\(child.errorText)")
        for (text, isFound) in [
            ("sea", true), ("se", true), ("sea grosse", true), ("sea b", false), ("日落", true),
            ("落日", false), ("2019", true), ("2020", false), ("sea 2019", true),
            ("october 2019", true), ("january sea", false), ("photo", true), ("video", false),
            ("favorite", false), ("***", false), ("", true), ("\"grosse 日\"", true),
        ] {
            let names = try await find(text, in: library, view: view)
            #expect(names == (isFound ? ["a.jpg"] : []), "\(text)")
        }
        await library.close()
    }

    @Test func `a photo with two names is found by both`() async throws {
        try add("one.jpg", keywords: [], number: 1)
        try add("Rome/other.jpg", keywords: [], number: 1)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let first = try await find("one", in: library)
        #expect(first.count == 1)
        #expect(try await find("other", in: library) == first)
        #expect(try await find("rome one", in: library) == first)
        await library.close()
    }

    // MARK: - Sidecar files

    @Test func `a sidecar file is read, and its changes and its end are followed`() async throws {
        try home.add("texts/details.jpg", as: "a.jpg")
        try home.add(as: "b.jpg")
        let sidecar = home.pictures.appending("a.jpg.xmp")
        try home.write(Fixtures.bytes("sidecar/darktable.xmp"), to: sidecar)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        func details(_ name: String) async throws -> PhotoDetails? {
            try await library.reader.page(
                of: .all, .everything, in: .everything, from: 0, limit: 10)?
                .assets.first { $0.name == name }?.details
        }
        // What the sidecar file does not say stays as it is.
        let both = PhotoDetails(
            title: "By darktable", caption: "Two boats, one is red", keywords: ["harbour", "rope"],
            rating: 5, camera: "NIKON D90", lens: "35mm f/1.8", hasPlace: true)
        #expect(try await details("a.jpg") == both)
        #expect(try await details("b.jpg")?.isEmpty == true)
        #expect(try await find("harbour", in: library) == ["a.jpg"])
        #expect(try await find("summer", in: library).isEmpty)
        // Lightroom's name; the other one counts more.
        try home.write(
            Fixtures.bytes("sidecar/digikam.xmp"), to: home.pictures.appending("b.xmp"))
        try await eventually("the new sidecar file") {
            try await find("dog", in: library) == ["b.jpg"]
        }
        #expect(try await find("has a place digikam", in: library) == ["b.jpg"])
        let text = String(decoding: try Fixtures.bytes("sidecar/darktable.xmp"), as: UTF8.self)
        try home.write(Array(text.replacing("rope", with: "anchor").utf8), to: sidecar)
        try await eventually("the change") {
            try await find("anchor", in: library) == ["a.jpg"]
        }
        #expect(try await find("rope", in: library).isEmpty)
        try AtomicFile.remove(sidecar)
        try await eventually("the end of the sidecar file") {
            try await find("summer", in: library) == ["a.jpg"]
        }
        #expect(try await find("anchor", in: library).isEmpty)
        // The photo moves away from its sidecar file.
        try AtomicFile.rename(
            home.pictures.appending("b.jpg"), to: home.pictures.appending("c.jpg"))
        try await eventually("the new name") { try await find("c.jpg", in: library) == ["c.jpg"] }
        #expect(try await find("dog", in: library).isEmpty)
        await library.close()
    }

    @Test func `a sidecar file is found among many files that are none`() async throws {
        try home.add(as: "a.jpg")
        for number in 1...80 {
            try home.write(Array("{}".utf8), to: home.pictures.appending("\(number).json"))
        }
        try home.write(
            Fixtures.bytes("sidecar/darktable.xmp"), to: home.pictures.appending("a.xmp"))
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 82)
        #expect(try await find("harbour", in: library) == ["a.jpg"])
        await library.close()
    }

    @Test func `of two sidecar files, the one with the whole name counts more`() async throws {
        try home.add(as: "a.jpg")
        let other = String(decoding: try Fixtures.bytes("sidecar/darktable.xmp"), as: UTF8.self)
            .replacing("rope", with: "anchor")
        try home.write(Array(other.utf8), to: home.pictures.appending("a.xmp"))
        try home.write(
            Fixtures.bytes("sidecar/darktable.xmp"), to: home.pictures.appending("a.jpg.xmp"))
        // Neither belongs to it.
        for name in ["a.b.xmp", "aa.xmp"] as [FilePath.Component] {
            try home.write(
                Fixtures.bytes("sidecar/digikam.xmp"), to: home.pictures.appending(name))
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        #expect(try await find("rope", in: library) == ["a.jpg"])
        #expect(try await find("anchor", in: library).isEmpty)
        #expect(try await find("dog", in: library).isEmpty)
        await library.close()
    }
}

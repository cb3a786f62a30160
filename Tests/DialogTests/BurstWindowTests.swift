// SPDX-License-Identifier: MIT

import Files
import SystemPackage
import TestSupport
import Testing

/// Bursts in the window.
@Suite(.serialized) struct BurstWindowTests {
    private func session(in language: Language? = nil) async throws -> DialogSession {
        let home = try TestHome()
        let environment = try await language?.prepare(in: home) ?? [:]
        let dialog = try await DialogSession(home: home, environment: environment) { home in
            try home.turnOffAnimations()
            try home.addPhotos(2)
            for number in 1...3 {
                let fixture = number == 2 ? "burst/primary.jpg" : "burst/google.jpg"
                try home.write(
                    Fixtures.bytes(fixture) + [UInt8(number)],
                    to: home.pictures.appending("burst\(number).jpg"))
            }
        }
        try await dialog.settle()
        return dialog
    }

    @Test func `a burst is one tile, which says how many pictures it has, and an album has it`()
        async throws
    {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick()
        let photos = try #require(try await person.do("photos 3").photos)
        try await person.do("loaded 3")
        try await eventually("the sign") { try await person.texts().contains("BURST 3") }
        var described: [String] = []
        for index in photos.indices {
            described += try await person.do("describe \(index)").texts ?? []
        }
        #expect(
            described.filter { $0.hasSuffix("\nBurst of 3 pictures") }.count == 1, "\(described)")
        try await person.see("burst")
        try await person.do("album 'Bursts, 1 photo'")
        try await person.do("count 1")
        try await person.do("key ctrl+a")
        try await person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["burst2.jpg"])
    }

    /// The place of the burst among the photos in the window.
    private func tile(of person: Person) async throws -> Int {
        let photos = try #require(try await person.do("photos 3").photos)
        try await person.do("loaded 3")
        for index in photos.indices {
            let texts = try await person.do("describe \(index)").texts ?? []
            if texts.contains(where: { $0.contains("Burst of") }) { return index }
        }
        throw NoBurst()
    }

    private struct NoBurst: Error {}

    private func waitForFrames(_ names: [String], _ person: Person) async throws {
        try await eventually("the pictures", is: names) {
            try await person.do("frames").photos ?? []
        }
    }

    private static let names = (1...3).map { "Picture \($0) of 3 of the burst" }

    @Test func `Tab reaches the pictures of a burst and everything else in the preview`()
        async throws
    {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick("--max", "3")
        try await eventually("the sign") { try await person.texts().contains("BURST 3") }
        try await person.do("magnify \(tile(of: person))")
        let frames = [Self.names[0], "\(Self.names[1]), main picture", Self.names[2]]
        try await waitForFrames(frames, person)
        try await person.audit("burst")
        try await person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `the preview shows the pictures of a burst, and the app gets those that are chosen`()
        async throws
    {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick("--max", "3")
        try await eventually("the sign") { try await person.texts().contains("BURST 3") }
        let tile = try await tile(of: person)
        try await person.do("magnify \(tile)")
        let (first, main, last) = (Self.names[0], "\(Self.names[1]), main picture", Self.names[2])
        try await waitForFrames([first, main, last], person)
        try await person.see("burst-preview")
        #expect(try await person.do("unlabelled").unlabelled == [])
        try await person.do("key Down space")
        try await waitForFrames([first, main, "\(last), selected"], person)
        try await person.do("frame 0")
        try await person.do("press Choose this one")
        try await waitForFrames(["\(first), selected", main, "\(last), selected"], person)
        try await eventually("the place") { try await person.texts().contains("1 of 3") }
        try await person.see("burst-chosen")
        // In the middle, although their number is beside them. GTK 4.18 tells places without padding.
        let row = try await person.do("place Pictures of the burst")
        let middle = try #require(row.x) + #require(row.width) / 2
        let width = try #require(try await person.do("size").width)
        #expect(abs(middle - width / 2) <= 20)
        try await person.do("press Back")
        try await eventually("the number") { try await person.texts().contains("✓ 2") }
        let photos = try #require(try await person.do("photos 3").photos)
        #expect(photos[tile].hasSuffix(", 2 pictures selected"), "\(photos)")
        #expect(try await person.do("tray").photos?.count == 2)
        try await person.see("burst-tile")
        // A click on the tile loses neither: it shows them.
        try await person.do("click \(tile)")
        try await waitForFrames(["\(first), selected", main, "\(last), selected"], person)
        try await eventually("the place") { try await person.texts().contains("1 of 3") }
        #expect(try await person.texts().contains("Chosen: 2 of 3"))
        try await person.do("press Back")
        try await person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["burst3.jpg", "burst1.jpg"])
    }

    @Test func `arrows go through the pictures while one of them has the focus`() async throws {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick("--single")
        try await eventually("the sign") { try await person.texts().contains("BURST 3") }
        try await person.do("magnify \(try await tile(of: person))")
        try await eventually("the pictures") { try await person.do("frames").photos?.count == 3 }
        // Only the picture in view is on the way of Tab.
        try await eventually("the focus") {
            try await person.do("key Tab")
            return try await person.do("frames").focused?[1] == true
        }
        try await person.see("burst-focus")
        try await person.do("key Home")
        try await eventually("the focus", is: [true, false, false]) {
            try await person.do("frames").focused ?? []
        }
        try await person.do("key Right Right Right")
        try await eventually("the focus", is: [false, false, true]) {
            try await person.do("frames").focused ?? []
        }
        try await person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["burst3.jpg"])
    }

    @Test func `a long burst scrolls to the picture in view, and loses one whose file goes`()
        async throws
    {
        let dialog = try await DialogSession { home in
            try home.turnOffAnimations()
            for number in 10...49 {
                let path = home.pictures.appending("burst\(number).jpg")
                try home.write(Fixtures.bytes("burst/google.jpg") + [UInt8(number)], to: path)
                home.setDate(of: path, 1_000_000 + number)
            }
        }
        try await dialog.settle()
        let person = dialog.person
        let pick = try dialog.pick("--single")
        try await eventually("the sign") { try await person.texts().contains("BURST 40") }
        try await person.do("loaded 1")
        try await person.do("magnify 0")
        try await eventually("the pictures") { try await person.do("frames").photos?.count == 40 }
        try await person.do("key " + Array(repeating: "Down", count: 25).joined(separator: " "))
        try await eventually("the place") { try await person.texts().contains("26 of 40") }
        try await person.see("burst-long")
        // What is in view is on the screen, and can be clicked.
        try await person.do("frame 26")
        try await eventually("the place") { try await person.texts().contains("27 of 40") }
        // So it is in a narrower window.
        try await person.do("resize 360 600")
        try await person.do("frame 26")
        try await person.see("burst-narrow")
        try AtomicFile.remove(dialog.home.pictures.appending("burst36.jpg"))
        try await eventually("another picture") { try await person.texts().contains("1 of 39") }
        try await eventually("the rest") {
            try await person.attempt("frames").photos?.count == 39
        }
        // The key was meant for what has gone.
        try await person.do("key ctrl+Return")
        try await eventually("the message") {
            try await person.texts().contains { $0.contains("changed") }
        }
        try await person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["burst10.jpg"])
    }

    @Test(arguments: [
        (Language.german, "Serienaufnahmen, 1 Foto", "Serienaufnahme mit 3 Bildern"),
        (Language.chinese, "连拍，1 张照片", "连拍，共 3 张"),
    ])
    func `it has its name in the person's language`(
        language: Language, album: String, kind: String
    ) async throws {
        let dialog = try await session(in: language)
        let person = dialog.person
        let pick = try dialog.pick()
        let photos = try #require(try await person.do("photos 3").photos)
        try await person.do("loaded 3")
        try await eventually("the sign") { try await person.texts().contains("BURST 3") }
        let albums = try await person.do("albums").albums
        #expect(albums?.contains(album) == true, "\(albums ?? [])")
        var described: [String] = []
        for index in photos.indices {
            described += try await person.do("describe \(index)").texts ?? []
        }
        #expect(described.contains { $0.hasSuffix("\n\(kind)") }, "\(described)")
        try await person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }
}

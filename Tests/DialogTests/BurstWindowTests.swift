// SPDX-License-Identifier: MIT

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

// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport
import Testing

/// Live Photos and motion photos in the window.
@Suite(.serialized) struct LivePhotoWindowTests {
    private func session(in language: Language? = nil) async throws -> DialogSession {
        let home = try TestHome()
        let environment = try await language?.prepare(in: home) ?? [:]
        let dialog = try await DialogSession(home: home, environment: environment) { home in
            try home.turnOffAnimations()
            try home.addPhotos(2)
            for (fixture, name) in [
                ("live/photo.jpg", "live.jpg"), ("live/video.mov", "live.mov"),
                ("raw/adobe.dng", "live.dng"), ("motion/google.jpg", "motion.jpg"),
            ] { try home.write(Fixtures.bytes(fixture), to: home.pictures.appending(name)) }
        }
        try await dialog.settle()
        return dialog
    }

    @Test func `they are one tile each, which says so, and an album and a search find them`()
        async throws
    {
        let dialog = try await session()
        let person = dialog.person
        let pick = try dialog.pick("--type", "image/*", "--type", "video/*")
        let photos = try #require(try await person.do("photos 4").photos)
        try await person.do("loaded 4")
        try await eventually("the signs") {
            try await Set(person.texts()).isSuperset(of: ["LIVE", "LIVE · RAW + JPEG"])
        }
        var described: [String] = []
        for index in photos.indices {
            described += try await person.do("describe \(index)").texts ?? []
        }
        #expect(described.filter { $0.hasSuffix("\nLive photo") }.count == 1, "\(described)")
        #expect(
            described.filter { $0.hasSuffix("\nLive photo\nRAW + JPEG") }.count == 1,
            "\(described)")
        try await person.see("live")
        try await person.do("album 'Live photos, 2 items'")
        try await person.do("count 2")
        try await person.do("album 'All photos and videos, 4 items'")
        try await person.do("count 4")
        try await person.do("key ctrl+f")
        try await person.do("type 'live '")
        try await person.do("count 2")
        #expect(try await person.texts().contains("Remove from search: Live photos"))
        try await person.see("live-search")
        try await person.do("key Escape")
        try await person.do("count 4")
        try await person.do("key ctrl+a")
        try await person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(Set(pick.pickedNames) == ["1.jpg", "2.jpg", "live.jpg", "motion.jpg"])
    }

    @Test(arguments: [
        (Language.german, "Live-Fotos, 2 Fotos", "Live-Foto"),
        (Language.chinese, "实况照片，2 张照片", "实况照片"),
    ])
    func `they have their names in the person's language`(
        language: Language, album: String, kind: String
    ) async throws {
        let dialog = try await session(in: language)
        let person = dialog.person
        let pick = try dialog.pick()
        let photos = try #require(try await person.do("photos 4").photos)
        try await person.do("loaded 4")
        try await eventually("the signs") { try await person.texts().contains("LIVE") }
        #expect(try await person.do("albums").albums?.contains(album) == true)
        var described: [String] = []
        for index in photos.indices {
            described += try await person.do("describe \(index)").texts ?? []
        }
        #expect(described.contains { $0.hasSuffix("\n\(kind)") }, "\(described)")
        try await person.see("live-\(language.name)")
        try await person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }
}

// SPDX-License-Identifier: MIT

import Desktop
import Files
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Adjusted versions of photos; the names begin with the ids of the behaviours.
@Suite(.serialized) struct LibraryAdjustingTests {
    @Test func `S3.17 everybody sees the adjusted version, and the original comes back`()
        async throws
    {
        let session = try await LibrarySession(.host)
        let id = try await session.open()[0]
        let before = try #require(try await session.library.assets([id]).first)
        #expect(before.value("adjusted") == false)
        let home = session.picker.home
        let original = home.pictures.appending(before.value("name") ?? "")
        let content = try Descriptor.openForReading(original).read(upTo: 1 << 20)
        let start = try await session.library.changes(since: 0).generation
        let results = try await session.library.perform([
            Adjusting.set(id, "formats/blocks.png", data: [1, 2, 3])
        ])
        #expect(results.first?.value("count") == UInt32(1))
        let after = try #require(try await session.library.assets([id]).first)
        #expect(after.value("adjusted") == true)
        #expect(after.value("media_type") == "image/png")
        #expect(after.value("width", as: UInt32.self) == 48)
        #expect(
            after.value("size", as: UInt64.self)
                == UInt64(try Fixtures.bytes("formats/blocks.png").count))
        #expect(after.value("name", as: String.self) == before.value("name"))
        #expect(try Descriptor.openForReading(original).read(upTo: 1 << 20) == content)
        #expect(names(in: home.pictures).count == 5)
        // Counts and covers follow.
        let albums = try await session.library.albums(["media_types": ["image/png"].variant])
        #expect(albums.first?.value("count") == UInt64(1))
        #expect(albums.first?.value("cover") == id)
        let changes = try await session.library.changes(since: start)
        #expect(changes.assets.updated == [id])
        // Also one of the same type and size, as most filters make.
        _ = try await session.library.perform([Adjusting.set(id, "formats/blocks.png")])
        #expect(
            try await session.library.changes(since: changes.generation).assets.updated == [id])
        #expect(try await size(of: id, session) == [48, 32])
        // And what a person picks is what the window showed.
        let backend = try await session.picker.session.startBackend(
            "pick ids \(id)", "pick ids \(id)")
        #expect(try await picked(session) == Fixtures.bytes("formats/blocks.png"))
        // Another version takes its place.
        _ = try await session.library.perform([Adjusting.set(id, "formats/blocks.jpg")])
        #expect(try await session.library.assets([id]).first?.value("media_type") == "image/jpeg")
        #expect(Adjusting.files(of: home).count == 2)
        // Reverted, it is as it was.
        let reverted = try await session.library.perform([
            ChangeOperation("revert-adjustment", ["assets": [id, id].variant]),
            ChangeOperation("revert-adjustment", ["assets": [id].variant]),
        ])
        #expect(reverted.map { $0.value("count", as: UInt32.self) } == [1, 0])
        #expect(try await session.library.assets([id]) == [before])
        #expect(try await size(of: id, session) == [64, 48])
        #expect(try await picked(session) == content)
        #expect(Adjusting.files(of: home) == [])
        #expect(backend.events.count == 2)
    }

    @Test func `S3.17 a photo is added and adjusted in one change set, or neither`() async throws {
        let session = try await LibrarySession(.host)
        let ids = try await session.open()
        let home = session.picker.home
        let adding = ChangeOperation(
            "create-asset",
            ["file": try Fixtures.open("dates/canon.jpg").variant, "placeholder": "p".variant])
        let results = try await session.library.perform([
            adding, Adjusting.set("@p", "formats/blocks.webp"),
        ])
        let added = try #require(results.first?.value("asset", as: String.self))
        let asset = try #require(try await session.library.assets([added]).first)
        #expect(asset.value("media_type") == "image/webp")
        #expect(asset.value("taken", as: Int64.self) != nil)
        #expect(Adjusting.files(of: home).count == 2)
        // A new photo is no matter of the versions that are removed.
        _ = try await session.library.perform([
            ChangeOperation(
                "create-asset", ["file": try Fixtures.open("jpeg/grey.jpg").variant]),
            ChangeOperation("revert-adjustment", ["assets": [ids[0]].variant]),
        ])
        #expect(!session.picker.service.errorText.contains("could not be put"))
        // The last of several versions counts.
        _ = try await session.library.perform([
            Adjusting.set(ids[0], "formats/blocks.png"),
            Adjusting.set(ids[0], "formats/blocks.webp"),
            ChangeOperation("revert-adjustment", ["assets": [added].variant]),
        ])
        #expect(
            try await session.library.assets([ids[0]]).first?.value("media_type") == "image/webp")
        let count = names(in: home.pictures).count
        let text = home.scratch.appending("text.jpg")
        try home.write(Array("Hello".utf8), to: text)
        let video = try Fixtures.open("location/keys.mp4")
        let unknown = "00112233445566778899aabbccddeeff"
        let tooLarge = [UInt8](repeating: 0, count: 32_769)
        let half = [UInt8](repeating: 0, count: 25_000)
        let cases: [(String, [ChangeOperation], ErrorName)] = [
            (
                "regular file",
                [Adjusting.set(ids[1], file: try Descriptor.openFolder(home.pictures))],
                .portalInvalidArgument
            ),
            (
                "not supported", [Adjusting.set(ids[1], file: try Descriptor.openForReading(text))],
                .portalInvalidArgument
            ),
            ("a video", [Adjusting.set(ids[1], file: video)], .portalInvalidArgument),
            ("no photo", [Adjusting.set(unknown, "formats/blocks.png")], .portalNotFound),
            ("'asset'", [Adjusting.set("@nothing", "formats/blocks.png")], .portalInvalidArgument),
            (
                "'data'", [Adjusting.set(ids[1], "formats/blocks.png", data: tooLarge)],
                .portalInvalidArgument
            ),
            (
                "'data'",
                [
                    Adjusting.set(ids[1], "formats/blocks.png", data: half),
                    Adjusting.set(ids[2], "formats/blocks.png", data: half),
                ], .portalInvalidArgument
            ),
            (
                "'format'", [Adjusting.set(ids[1], "formats/blocks.png", format: "a\nb")],
                .portalInvalidArgument
            ),
            (
                "'file' is missing",
                [
                    ChangeOperation(
                        "set-adjustment",
                        ["asset": ids[1].variant, "format": "x".variant, "version": "1".variant])
                ],
                .portalInvalidArgument
            ),
        ]
        for (text, changes, name) in cases {
            let error = await #expect(throws: DBusError.self, "\(text)") {
                try await session.library.perform(
                    [Adjusting.set(ids[3], "formats/blocks.png"), adding] + changes)
            }
            #expect(error?.name == name, "\(text): \(error?.message ?? "")")
            #expect(error?.message.contains(text) == true, "\(text): \(error?.message ?? "")")
        }
        #expect(try await session.library.assets([ids[3]]).first?.value("adjusted") == false)
        #expect(names(in: home.pictures).count == count)
        try await eventually("the end of what was refused") { Adjusting.files(of: home).count == 2 }
    }

    @Test func `S3.17 the adjusted version stays when the original is edited, moved or deleted`()
        async throws
    {
        let session = try await LibrarySession(.host)
        let id = try await session.open()[0]
        _ = try await session.library.perform([Adjusting.set(id, "formats/blocks.png")])
        let home = session.picker.home
        let name = try #require(
            try await session.library.assets([id]).first?.value("name", as: String.self))
        // Edited in place by another program.
        let edited = try Fixtures.bytes("dates/canon.jpg")
        try home.write(edited, to: home.pictures.appending(name))
        try await eventually("the edit") {
            try await session.library.assets([id]).first?.value("taken", as: Int64.self) != nil
        }
        let asset = try #require(try await session.library.assets([id]).first)
        #expect(asset.value("media_type") == "image/png")
        #expect(try await size(of: id, session) == [48, 32])
        // In the trash and back.
        _ = try await session.picker.session.startBackend("allow")
        let deleted = try await RequestClient(on: session.picker.client.connection).delete([id])
        #expect(deleted.code == .success, "\(deleted)")
        #expect(try await session.library.assets([id]) == [])
        let trash = home.data.appending("Trash").appending("files")
        #expect(names(in: trash).map(\.string) == [name])
        try Directory.make(home.pictures.appending("Trip"))
        try AtomicFile.rename(
            trash.appending(name), toNew: home.pictures.appending("Trip").appending("moved.jpg"))
        try await eventually("the photo") {
            try await session.library.assets([id]).first?.value("name") == "moved.jpg"
        }
        #expect(try await size(of: id, session) == [48, 32])
        // The original has its new facts.
        _ = try await session.library.perform([
            ChangeOperation("revert-adjustment", ["assets": [id].variant])
        ])
        let reverted = try #require(try await session.library.assets([id]).first)
        #expect(reverted.value("media_type") == "image/jpeg")
        #expect(reverted.value("size", as: UInt64.self) == UInt64(edited.count))
    }

    @Test func `S3.17 an app that may not change the library adjusts nothing`() async throws {
        let session = try await LibrarySession(.host)
        let id = try await session.open()[0]
        for word in ["limited", "no"] {
            try await session.setPermission(word, of: "")
            for change in [
                Adjusting.set(id, "formats/blocks.png"),
                ChangeOperation("revert-adjustment", ["assets": [id].variant]),
            ] {
                let error = await #expect(throws: DBusError.self) {
                    try await session.library.perform([change])
                }
                #expect(error?.name == .portalNotAllowed)
            }
        }
        #expect(Adjusting.files(of: session.picker.home) == [])
    }

    // MARK: -

    /// The size of a thumbnail.
    private func size(of id: String, _ session: LibrarySession) async throws -> [UInt32?] {
        let results = try await session.library.thumbnail(of: id, size: 128).results
        return [results.value("width"), results.value("height")]
    }

    /// The content of the photo that the backend picks.
    private func picked(_ session: LibrarySession) async throws -> [UInt8] {
        let response = try await session.picker.client.response(
            try await session.picker.client.pick())
        let item = try #require(Delivery(response.results)?.items.first, "\(response)")
        let path = try #require(FileURI.path(item.uri))
        return try Descriptor.openForReading(path).read(upTo: 1 << 20)
    }
}

/// What the tests of adjusted versions share.
enum Adjusting {
    static func set(
        _ id: String, _ fixture: String, data: [UInt8] = [], format: String = "org.example.Editor"
    ) -> ChangeOperation {
        // A fixture that is missing is an option that is missing.
        let file = try? Fixtures.open(fixture)
        return set(id, file: file, data: data, format: format)
    }

    static func set(
        _ id: String, file: Descriptor?, data: [UInt8] = [], format: String = "org.example.Editor"
    ) -> ChangeOperation {
        var options: Vardict = [
            "asset": id.variant, "format": format.variant, "version": "1.0".variant,
        ]
        options["file"] = file?.variant
        if !data.isEmpty { options["data"] = data.variant }
        return ChangeOperation("set-adjustment", options)
    }

    /// The names in the folder of adjusted versions.
    static func files(of home: TestHome) -> [String] {
        names(in: home.data.appending("photo-portal").appending("adjusted")).map(\.string)
    }
}

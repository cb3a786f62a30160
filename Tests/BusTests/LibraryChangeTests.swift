// SPDX-License-Identifier: MIT

import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// `PerformChanges`, for apps with and without a sandbox; the names begin with the ids of the behaviours.
@Suite(.serialized) struct LibraryChangeTests {
    @Test(arguments: CallerKind.allCases)
    func `S3.4 S3.6 S3.7 S3.9 S3.10 S3.19 one change set makes an album and fills it`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let ids = try await session.open()
        let changes = [
            ChangeOperation(
                "ensure-album", ["title": "Sicily".variant, "placeholder": "new".variant]),
            ChangeOperation(
                "insert-assets", ["album": "@new".variant, "assets": [ids[3], ids[4]].variant]),
            // Inserted at 0, it is the cover.
            ChangeOperation(
                "insert-assets",
                [
                    "album": "@new".variant, "assets": [ids[1]].variant,
                    "index": UInt32(0).variant,
                ]),
            ChangeOperation(
                "set-favorite", ["assets": [ids[2]].variant, "favorite": true.variant]),
        ]
        let results = try await session.library.perform(changes)
        let album = try #require(results.first?.value("album", as: String.self))
        #expect(results.map { $0.value("album", as: String.self) } == [album, album, album, nil])
        #expect(results[0].value("created", as: Bool.self) == true)
        #expect(results.dropFirst().allSatisfy { $0.value("created", as: Bool.self) == nil })
        #expect(results.map { $0.value("count", as: UInt32.self) } == [0, 2, 1, 1])
        // The id is final, and what it names is there when the call returns.
        let (assets, total) = try await session.library.assets(in: album)
        #expect(assets.compactMap { $0.value("id") } == [ids[1], ids[3], ids[4]])
        #expect(total == 3)
        let listed = try await session.library.albums().first {
            $0.value("id", as: String.self) == album
        }
        #expect(listed?.value("kind", as: String.self) == "user")
        #expect(listed?.value("title", as: String.self) == "Sicily")
        #expect(listed?.value("count", as: UInt64.self) == 3)
        #expect(listed?.value("cover", as: String.self) == ids[1])
        let favorites = try await session.library.assets(in: "favorites").assets
        #expect(favorites.compactMap { $0.value("id") } == [ids[2]])
        #expect(favorites.first?.value("favorite", as: Bool.self) == true)
        // It is found again by its title.
        let again = try await session.library.perform([changes[0]])
        #expect(again.first?.value("album", as: String.self) == album)
        #expect(again.first?.value("created", as: Bool.self) == false)
    }

    @Test(arguments: CallerKind.allCases)
    func `S3.4 S3.11 an album is changed only by the operations of a change set`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let ids = try await session.open()
        let made = try await session.library.perform([
            ChangeOperation("create-album", ["title": "Sicily".variant])
        ])
        let album = try #require(made.first?.value("album", as: String.self)).variant
        func titles() async throws -> [String] {
            try await session.library.albums().filter { $0.value("kind") == "user" }
                .compactMap { $0.value("title", as: String.self) }
        }
        _ = try await session.library.perform([
            ChangeOperation("insert-assets", ["album": album, "assets": ids.variant]),
            ChangeOperation("rename-album", ["album": album, "title": "Etna".variant]),
            ChangeOperation("remove-assets", ["album": album, "assets": [ids[0]].variant]),
        ])
        #expect(try await titles() == ["Etna"])
        #expect(try await session.library.assets(in: String(album) ?? "").total == 4)
        _ = try await session.library.perform([
            ChangeOperation("delete-album", ["album": album])
        ])
        #expect(try await titles() == [])
        #expect(try await session.library.assets(in: "all").total == 5)
        let error = await #expect(throws: DBusError.self) {
            try await session.library.assets(in: String(album) ?? "").total
        }
        #expect(error?.name == .portalNotFound)
    }

    @Test func `a change set that is not possible changes nothing, and says why`() async throws {
        let session = try await LibrarySession(.host)
        try await session.setPermission("yes", of: "")
        let id = try #require(
            try await session.library.assets(in: "all").assets.first?.value("id", as: String.self))
        let known = [id].variant
        let first = ChangeOperation(
            "create-album", ["title": "Sicily".variant, "placeholder": "it".variant])
        let unknown = "00112233445566778899aabbccddeeff"
        let long = String(repeating: "a", count: 257)
        let cases: [(ChangeOperation, ErrorName, String)] = [
            (.init("explode", [:]), .portalInvalidArgument, "'explode'"),
            (.init("create-album", [:]), .portalInvalidArgument, "'title' is missing"),
            (
                .init("create-album", ["title": UInt32(1).variant]), .portalInvalidArgument,
                "type 's'"
            ),
            (.init("create-album", ["title": "".variant]), .portalInvalidArgument, "can be seen"),
            (.init("create-album", ["title": " ".variant]), .portalInvalidArgument, "can be seen"),
            (
                .init("create-album", ["title": long.variant]), .portalInvalidArgument,
                "256 characters"
            ),
            (
                .init("create-album", ["title": "a\u{202E}b".variant]), .portalInvalidArgument,
                "one line"
            ),
            (.init("rename-album", ["title": "x".variant]), .portalInvalidArgument, "'album'"),
            (
                .init("rename-album", ["album": "all".variant, "title": "x".variant]),
                .portalInvalidArgument, "from a rule"
            ),
            (.init("delete-album", ["album": "user-0".variant]), .portalNotFound, "album"),
            (.init("delete-album", ["album": "../x".variant]), .portalNotFound, "'../x'"),
            (.init("delete-album", ["album": "@that".variant]), .portalInvalidArgument, "'that'"),
            // Its own name is not that of an earlier change.
            (
                .init("rename-album", ["album": "@me".variant, "placeholder": "me".variant]),
                .portalInvalidArgument, "'me'"
            ),
            (
                .init("create-album", ["title": "x".variant, "placeholder": "it".variant]),
                .portalInvalidArgument, "'it'"
            ),
            (
                .init("create-album", ["title": "x".variant, "placeholder": "a b".variant]),
                .portalInvalidArgument, "1 to 64"
            ),
            (
                .init(
                    "set-favorite",
                    [
                        "assets": known, "favorite": true.variant, "placeholder": "x".variant,
                    ]), .portalInvalidArgument, "'placeholder'"
            ),
            (.init("set-favorite", ["assets": known]), .portalInvalidArgument, "'favorite'"),
            (
                .init("set-favorite", ["assets": ["x"].variant, "favorite": true.variant]),
                .portalNotFound, "'x'"
            ),
            (
                .init("insert-assets", ["album": "@it".variant, "assets": [unknown].variant]),
                .portalNotFound, unknown
            ),
            (
                .init(
                    "insert-assets",
                    ["album": "@it".variant, "assets": known, "index": UInt32.max.variant]),
                .portalInvalidArgument, "got 4294967295"
            ),
            (
                .init(
                    "insert-assets",
                    [
                        "album": "@it".variant,
                        "assets": Array(repeating: id, count: 10_001).variant,
                    ]), .portalInvalidArgument, "10000"
            ),
        ]
        for (change, name, text) in cases {
            let error = await #expect(throws: DBusError.self, "\(change.first) \(text)") {
                try await session.library.perform([first, change])
            }
            #expect(error?.name == name, "\(change.first): \(error?.message ?? "")")
            #expect(error?.message.hasPrefix("Change 1: ") == true, "\(error?.message ?? "")")
            #expect(error?.message.contains(text) == true, "\(text): \(error?.message ?? "")")
        }
        for count in [0, 1001] {
            let error = await #expect(throws: DBusError.self) {
                try await session.library.perform(
                    (0..<count).map { ChangeOperation("create-album", ["title": "\($0)".variant]) })
            }
            #expect(error?.name == .portalInvalidArgument)
        }
        let albums = try await session.library.albums()
        #expect(albums.allSatisfy { $0.value("kind", as: String.self) != "user" })
        #expect(try await session.library.perform([first]).count == 1)
    }

    @Test func `an app that may only add or sees only some photos changes nothing`() async throws {
        let session = try await LibrarySession(.flatpak)
        let app = session.picker.app?.appID ?? ""
        let change = ChangeOperation("create-album", ["title": "Sicily".variant])
        for word in ["limited", "no"] {
            try await session.setPermission(word, of: app)
            let error = await #expect(throws: DBusError.self) {
                try await session.library.perform([change])
            }
            #expect(error?.name == .portalNotAllowed)
        }
        try await session.setPermission("yes", of: app)
        #expect(
            try await session.library.albums().allSatisfy {
                $0.value("kind", as: String.self) != "user"
            })
    }

    @Test func `a library that cannot be written refuses changes in a sentence`() async throws {
        let home = try TestHome()
        // There cannot be a library, so a copy takes its place.
        try home.write([], to: home.database.removingLastComponent())
        let session = try await LibrarySession(.host, photos: 1, home: home)
        _ = try await session.open()
        let sentence = "The library cannot be changed until the service is started again, "
        let error = await #expect(throws: DBusError.self) {
            try await session.library.perform([
                ChangeOperation("create-album", ["title": "Sicily".variant])
            ])
        }
        #expect(error?.name == .portalFailed)
        #expect(error?.message.hasPrefix(sentence) == true, "\(error?.message ?? "")")
        let saved = try await RequestClient(on: session.picker.client.connection)
            .save(Fixtures.open("formats/blocks.png"))
        #expect(saved.code == .ended)
        let message = saved.results.value("message", as: String.self) ?? ""
        #expect(message.hasPrefix(sentence), "\(message)")
        #expect(names(in: home.pictures).count == 1)
    }

    @Test func `an album of 10,000 photos is filled in one call`() async throws {
        // As many as a call may name, of one photo.
        let session = try await LibrarySession(.host, photos: 1)
        try await session.setPermission("yes", of: "")
        let id = try #require(
            try await session.library.assets(in: "all").assets.first?.value("id", as: String.self))
        let results = try await session.library.perform([
            ChangeOperation("create-album", ["title": "x".variant, "placeholder": "x".variant]),
            ChangeOperation(
                "insert-assets",
                [
                    "album": "@x".variant, "assets": Array(repeating: id, count: 10_000).variant,
                ]),
        ])
        #expect(results.last?.value("count", as: UInt32.self) == 1)
    }
}

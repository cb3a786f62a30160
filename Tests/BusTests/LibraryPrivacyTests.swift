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

/// What apps must not find out by `org.freedesktop.portal.PhotoLibrary`, and must not do to others.
@Suite(.serialized) struct LibraryPrivacyTests {
    @Test(arguments: CallerKind.allCases)
    func `a limited app finds nothing of a photo of which it was given a part`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        _ = try await session.picker.session.startBackend(
            "allow limited", "clip 0 0 20 20; pick newest 1", "pick newest 1", "pick newest 1")
        _ = try await session.ask()
        for options in [
            ["clip_mode": "optional".variant], ["max_dimension": UInt32(9).variant],
        ] as [Vardict] {
            let part = try await give(session, options)
            #expect(try await session.library.assets(in: "all") == ([], 0), "\(options)")
            #expect(try await session.library.assets([part]).isEmpty)
            let error = await #expect(throws: DBusError.self) {
                try await session.library.thumbnail(of: part, size: 128).results
            }
            #expect(error?.name == .portalNotFound)
        }
        let whole = try await give(session)
        try await eventually("the photo") {
            try await session.library.assets(in: "all").assets.first?.value("id") == whole
        }
    }

    @Test func `a limited app finds what it was given from any folder`() async throws {
        let session = try await LibrarySession(.host, photos: 1)
        let home = session.picker.home
        try home.write(
            Fixtures.bytes("jpeg/baseline.jpg"), to: home.downloads.appending("download.jpg"))
        _ = try await session.picker.session.startBackend("pick newest 1")
        try await session.setPermission("yes", of: "")
        try await eventually("the download") {
            try await session.library.assets(in: "recent").total == 2
        }
        try await session.setPermission("limited", of: "")
        let id = try await give(session, ["album": "recent".variant])
        try await eventually("the photo") {
            try await session.library.assets(in: "all").assets.first?.value("id") == id
        }
        let albums = try await session.library.albums()
        #expect(albums.first?.value("count", as: UInt64.self) == 1)
    }

    @Test(arguments: [false, true])
    func `S3.9 a limited app that adds a copy of the person's photo is not shown that photo`(
        isGone: Bool
    ) async throws {
        let session = try await LibrarySession(.host)
        let home = session.picker.home
        let known = try await session.open()
        let photo = home.pictures.appending("Trip/Ann in Rome.bmp")
        try home.write(Fixtures.bytes("formats/blocks.bmp"), to: photo)
        let own = try await eventually("the person's photo") {
            try await session.library.assets(in: "all").assets
                .compactMap { $0.value("id", as: String.self) }.first { !known.contains($0) }
        }
        _ = try await session.library.perform([
            Adjusting.set(own, "formats/blocks.png"),
            ChangeOperation("set-favorite", ["assets": [own].variant, "favorite": true.variant]),
        ])
        if isGone {
            try AtomicFile.rename(photo, to: home.scratch.appending("away.bmp"))
            try await eventually("the end of the photo") {
                try await session.library.assets([own]).isEmpty
            }
        }
        try await session.setPermission("limited", of: "")
        try await session.setPermission("yes", of: "", for: "add")
        func add(_ fixture: String) async throws -> String {
            let answer = try await RequestClient(on: session.picker.client.connection)
                .save(Fixtures.open(fixture))
            return try #require(answer.results.value("id", as: String.self), "\(answer)")
        }
        for _ in 0..<2 {
            #expect(try await add("formats/blocks.bmp") == own)
            #expect(try await session.library.assets([own]) == [])
            #expect(try await session.library.assets(in: "all").total == 0)
            let errors = [
                await #expect(throws: DBusError.self) {
                    _ = try await session.library.thumbnail(of: own, size: 128)
                },
                await #expect(throws: DBusError.self) { _ = try await session.library.open(own) },
            ]
            #expect(errors.map(\.?.name) == [.portalNotFound, .portalNotFound])
        }
        // What only the app has had is its own, however often it adds it.
        let other = try await add("formats/blocks.jpg")
        #expect(try await add("formats/blocks.jpg") == other)
        let seen = try await session.library.assets(in: "all").assets
        #expect(seen.map { $0.value("id", as: String.self) } == [other])
        // And what the person gives it, it sees as it is.
        _ = try await session.picker.session.startBackend("pick ids \(own)")
        #expect(try await give(session) == own)
        try await eventually("the photo that was given") {
            try await session.library.assets([own]).first?.value("favorite") == true
        }
    }

    @Test func `a limited app gets no picture of a photo that took the name of another`()
        async throws
    {
        let session = try await LibrarySession(.host, photos: 1)
        _ = try await session.picker.session.startBackend("allow limited", "pick newest 1")
        _ = try await session.ask()
        let id = try await give(session)
        try await eventually("the photo") {
            try await session.library.assets(in: "all").total == 1
        }
        _ = try await session.library.thumbnail(of: id, size: 128)
        let photo = try #require(session.picker.files.first)
        let other = session.picker.home.scratch.appending("private.jpg")
        try session.picker.home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: other)
        try AtomicFile.rename(other, to: photo)
        let error = await #expect(throws: DBusError.self) {
            try await session.library.thumbnail(of: id, size: 128).results
        }
        // Not found as soon as the library knows.
        #expect([.portalFailed, .portalNotFound].contains(error?.name))
    }

    @Test func `an app in a sandbox learns no id of an album that others have`() async throws {
        let session = try await LibrarySession(.flatpak)
        try await session.setPermission("yes", of: session.picker.app?.appID ?? "")
        let other = try await FlatpakApp.start(
            on: session.picker.session, appID: "org.example.Other")
        try await session.setPermission("yes", of: other.appID)
        let library = LibraryClient(on: try await Connection.open(address: other.address))
        _ = try await library.perform([
            ChangeOperation("create-album", ["title": "Sicily".variant])
        ])
        func ids(_ client: LibraryClient) async throws -> [String: String] {
            try await client.albums().reduce(into: [:]) { ids, album in
                let title = album.value("title", as: String.self) ?? ""
                if !title.isEmpty { ids[title] = album.value("id", as: String.self) }
            }
        }
        let (own, others) = (try await ids(session.library), try await ids(library))
        #expect(Set(own.keys) == ["Pictures", "Sicily"])
        #expect(Set(others.keys) == ["Pictures", "Sicily"])
        #expect(Set(own.values).isDisjoint(with: others.values))
        let digest = Digest.md5Hex(session.picker.home.pictures.string).prefix(16)
        #expect(!own.values.contains { $0.contains(digest) })
        // Each finds the album by its own id, and by no other.
        #expect(try await session.library.assets(in: own["Pictures"] ?? "").total == 5)
        for stranger in others.values {
            let error = await #expect(throws: DBusError.self) {
                try await session.library.assets(in: stranger).total
            }
            #expect(error?.name == .portalNotFound)
        }
        // The picker opens it by the same id.
        let backend = try await session.picker.session.startBackend("hang")
        let client = session.picker.client
        let handle = try await client.pick(["album": (own["Sicily"] ?? "").variant])
        try await eventually("the window") { backend.events.count == 1 }
        #expect(backend.events.first?.contains(#""album":"user-"#) == true)
        #expect(backend.events.first?.contains(own["Sicily"] ?? "-") == false)
        try await client.close(handle)
    }

    @Test func `a thousand types, known or not, are one filter`() async throws {
        let session = try await LibrarySession(.host)
        try await session.setPermission("yes", of: "")
        for types in [
            Array(repeating: "image/*", count: 1024), Array(repeating: "image/jpeg", count: 1024),
            Array(repeating: "image/jpg", count: 1024),
            (0..<1023).map { "image/x-\($0)" } + ["image/jpeg"],
        ] {
            #expect(
                try await session.library.assets(in: "all", ["media_types": types.variant]).total
                    == 5)
            let albums = try await session.library.albums(["media_types": types.variant])
            #expect(albums.first?.value("count", as: UInt64.self) == 5)
        }
    }

    @Test func `options of other methods are none of GetAlbums`() async throws {
        let session = try await LibrarySession(.host, photos: 1)
        try await session.setPermission("yes", of: "")
        #expect(
            try await session.library.albums(["offset": "s".variant, "limit": UInt32(0).variant])
                .isEmpty == false)
    }

    @Test func `several questions of an app are one, also if the person closes the window`()
        async throws
    {
        let session = try await LibrarySession(.host, photos: 1)
        let backend = try await session.picker.session.startBackend(
            "delay 2s; cancel", "allow")
        let codes = try await withThrowingTaskGroup(of: ResponseCode.self) { group in
            for _ in 0..<6 { group.addTask { try await session.ask().code } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .cancelled, count: 6))
        #expect(backend.events.count == 1)
        #expect(try await session.ask() == (.success, 3))
    }

    @Test func `a service that ends answers a question as the interface says`() async throws {
        let session = try await LibrarySession(.host, photos: 1)
        let backend = try await session.picker.session.startBackend("hang")
        let connection = session.picker.client.connection
        async let answer = RequestClient(on: connection).authorize(.readWrite)
        try await eventually("the question") { backend.events.count == 1 }
        #expect(try await session.picker.service.stop() == 0)
        let (code, results) = (try await answer.code, try await answer.results)
        #expect(code == .ended)
        #expect(results.value("authorization", as: UInt32.self) == 0)
        #expect(results.value("message", as: String.self) == "The service is ending")
        #expect(results["items"] == nil)
    }

    // MARK: -

    /// Picks the newest photo, and returns its id.
    private func give(_ session: LibrarySession, _ options: Vardict = [:]) async throws -> String {
        let picker = session.picker.client
        let response = try await picker.response(picker.pick(options))
        return try #require(Delivery(response.results)?.items.first?.id)
    }
}

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

/// Photos of several files, as apps see them.
@Suite(.serialized) struct LibraryResourceTests {
    private static let raw = "raw/adobe.dng"
    private static let picture = "formats/blocks.jpg"

    @Test func `S3.1 an app sees one photo, and opens its picture or its raw file`() async throws {
        let session = try await session(.host)
        let id = try #require(try await session.open().first)
        let asset = try #require(try await session.library.assets([id]).first)
        #expect(asset.value("media_type") == "image/jpeg")
        #expect(asset.value("resources") == ["primary", "raw"])
        let albums = try await session.library.albums()
        #expect(albums.first { $0.value("id") == "all" }?.value("count") == UInt64(1))
        #expect(albums.first { $0.value("id") == "raw" }?.value("count") == UInt64(1))
        let primary = try await session.library.open(id)
        #expect(primary.results.value("name") == "a.jpg")
        #expect(try content(primary.file) == Fixtures.bytes(Self.picture))
        let raw = try await session.library.open(id, .current, .raw)
        #expect(raw.results.value("name") == "a.dng")
        #expect(raw.results.value("media_type") == "image/x-adobe-dng")
        #expect(try content(raw.file) == Fixtures.bytes(Self.raw))
        #expect(
            String(decoding: try await shell(session, "show", id), as: UTF8.self)
                .contains("resources: primary, raw\n"))
        #expect(try await shell(session, "read", "--raw", id) == Fixtures.bytes(Self.raw))
    }

    @Test func `a photo without a raw file has none to open`() async throws {
        let session = try await LibrarySession(.host)
        let id = try #require(try await session.open().first)
        #expect(
            try await session.library.assets([id]).first?.value("resources") == ["primary"])
        let missing = await #expect(throws: DBusError.self) {
            _ = try await session.library.open(id, .current, .raw)
        }
        #expect(missing?.name == .portalNotFound)
    }

    @Test func `a limited app sees the picture alone`() async throws {
        let session = try await session(.host)
        let id = try #require(try await session.open().first)
        _ = try await session.picker.session.startBackend("pick ids \(id)")
        let client = session.picker.client
        #expect(try await client.response(client.pick()).code == 0)
        try await session.setPermission("limited", of: "")
        try await eventually("what was given") {
            try await session.library.assets(in: "all").total == 1
        }
        let primary = try await session.library.open(id)
        #expect(primary.results.value("media_type") == "image/jpeg")
        let refused = await #expect(throws: DBusError.self) {
            _ = try await session.library.open(id, .current, .raw)
        }
        #expect(refused?.name == .portalNotAllowed)
    }

    @Test func `both files are deleted together, and come back from the trash as one photo`()
        async throws
    {
        let session = try await session(.host)
        let id = try #require(try await session.open().first)
        _ = try await session.library.perform([
            ChangeOperation(
                "set-favorite", ["assets": [id].variant, "favorite": true.variant])
        ])
        _ = try await session.picker.session.startBackend("allow")
        let deleted = try await RequestClient(on: session.picker.client.connection).delete([id])
        #expect(deleted.code == .success, "\(deleted)")
        let (home, names) = (session.picker.home, ["a.dng", "a.jpg"])
        let trash = home.data.appending("Trash").appending("files")
        #expect(try await session.library.assets(in: "all").total == 0)
        for name in names {
            let (from, to) = (
                trash.appending(FilePath(name).components),
                home.pictures.appending(FilePath(name).components)
            )
            try AtomicFile.rename(from, toNew: to)
        }
        try await eventually("the photo") {
            let assets = try await session.library.assets(in: "all").assets
            return assets.count == 1 && assets[0].value("id") == id
                && assets[0].value("favorite") == true
                && assets[0].value("resources") == ["primary", "raw"]
        }
    }

    // MARK: - Apps that accept raw files alone

    @Test(arguments: CallerKind.allCases)
    func `an app that accepts raw files alone is given the raw file of a photo`(kind: CallerKind)
        async throws
    {
        let session = try await session(kind).picker
        _ = try await session.session.startBackend("pick newest 1")
        let types = ["image/x-adobe-dng", "image/x-canon-cr2"]
        let item = try await picked(session, ["media_types": types.variant])
        #expect(item.mediaType.rawValue == "image/x-adobe-dng")
        #expect(item.name == "a.dng")
        #expect(item.uri.hasSuffix(".dng"))
        let path = try #require(FileURI.path(item.uri))
        #expect(item.byteCount == UInt64(try content(Descriptor.openForReading(path)).count))
        if kind == .host {
            #expect(path == session.home.pictures.appending("a.dng"))
            #expect(item.size == PixelSize(width: 480, height: 320))
        }
    }

    @Test func `an app that accepts both is given the picture`() async throws {
        let session = try await session(.host).picker
        _ = try await session.session.startBackend("pick newest 1", "pick newest 1")
        for types in [["image/*"], ["image/x-adobe-dng", "image/jpeg"]] {
            #expect(try await picked(session, ["media_types": types.variant]).name == "a.jpg")
        }
    }

    @Test func `what is made for an app that accepts raw files alone is made of the raw file`()
        async throws
    {
        let session = try await session(.host).picker
        _ = try await session.session.startBackend("pick newest 1")
        let item = try await picked(
            session,
            [
                "media_types": ["image/x-adobe-dng"].variant,
                "representation": "compatible".variant, "formats": ["image/png"].variant,
            ])
        #expect(item.mediaType == .png)
        #expect(item.name == "a.png")
        #expect(item.size == PixelSize(width: 480, height: 320))
    }

    @Test func `nobody is given the raw file of a photo of which a part was cut off`()
        async throws
    {
        let session = try await session(.host)
        let id = try #require(try await session.open().first)
        _ = try await session.library.perform([
            Adjusting.set(id, "formats/blocks.png", data: [])
        ])
        _ = try await session.picker.session.startBackend("pick ids \(id)")
        let client = session.picker.client
        let response = try await client.response(
            client.pick(["media_types": ["image/x-adobe-dng", "image/jpeg"].variant]))
        let delivery = try #require(Delivery(response.results), "\(response)")
        #expect(delivery.items == [])
        #expect(delivery.failures.map(\.code) == [.wrongType])
    }

    @Test func `the adjusted version of a picture waits for it, and its raw file does not have it`()
        async throws
    {
        let session = try await session(.host)
        let id = try #require(try await session.open().first)
        _ = try await session.library.perform([Adjusting.set(id, "formats/blocks.png")])
        let home = session.picker.home
        let (picture, aside) = (
            home.pictures.appending("a.jpg"), home.scratch.appending("aside.jpg")
        )
        func photos() async throws -> [Vardict] {
            try await session.library.assets(in: "all").assets
        }
        for _ in 1...2 {
            try AtomicFile.rename(picture, to: aside)
            try await eventually("the raw file") {
                let photos = try await photos()
                return photos.count == 1 && photos[0].value("media_type") == "image/x-adobe-dng"
                    && photos[0].value("adjusted") == false
            }
            try AtomicFile.rename(aside, to: picture)
            try await eventually("both files and the adjusted version") {
                let photos = try await photos()
                return photos.count == 1 && photos[0].value("id") == id
                    && photos[0].value("resources") == ["primary", "raw"]
                    && photos[0].value("media_type") == "image/png"
                    && photos[0].value("adjusted") == true
            }
        }
    }

    @Test func `a raw file is joined to its picture when its adjusted version ends`() async throws {
        let home = try TestHome()
        try home.write(Fixtures.bytes(Self.raw), to: home.pictures.appending("a.dng"))
        let session = try await LibrarySession(.host, photos: 0, home: home)
        let id = try #require(try await session.open().first)
        _ = try await session.library.perform([Adjusting.set(id, "formats/blocks.png")])
        try home.write(Fixtures.bytes(Self.picture), to: home.pictures.appending("a.jpg"))
        try await eventually("two photos") {
            try await session.library.assets(in: "all").total == 2
        }
        _ = try await session.library.perform([
            ChangeOperation("revert-adjustment", ["assets": [id].variant])
        ])
        try await eventually("one photo") {
            let photos = try await session.library.assets(in: "all").assets
            return photos.count == 1 && photos[0].value("resources") == ["primary", "raw"]
        }
    }

    @Test(arguments: CallerKind.allCases)
    func `S3.1 an app finds photos by the types of their raw files`(kind: CallerKind) async throws {
        let session = try await session(kind)
        let id = try #require(try await session.open().first)
        for (types, count) in [
            (["image/x-adobe-dng"], 1), (["image/jpeg"], 1),
            (["image/x-adobe-dng", "image/jpeg"], 1),
            (["image/x-canon-cr2"], 0), (["image/png"], 0),
        ] {
            let options = ["media_types": types.variant]
            let (assets, total) = try await session.library.assets(in: "all", options)
            #expect(total == UInt64(count), "\(types)")
            #expect(assets.map { $0.value("id") } == Array(repeating: id, count: count), "\(types)")
            #expect(assets.allSatisfy { $0.value("raw_types") == ["image/x-adobe-dng"] })
            let albums = try await session.library.albums(options)
            for album in ["all", "recent"] {
                #expect(
                    albums.first { $0.value("id") == album }?.value("count") == UInt64(count),
                    "\(types)")
            }
        }
    }

    private func picked(_ session: PickerSession, _ options: Vardict) async throws -> Delivery.Item
    {
        let client = session.client
        let response = try await client.response(client.pick(options))
        let delivery = try #require(Delivery(response.results), "\(response)")
        return try #require(delivery.items.first)
    }

    private func session(_ kind: CallerKind) async throws -> LibrarySession {
        let home = try TestHome()
        try home.write(Fixtures.bytes(Self.raw), to: home.pictures.appending("a.dng"))
        try home.write(Fixtures.bytes(Self.picture), to: home.pictures.appending("a.jpg"))
        return try await LibrarySession(kind, photos: 0, home: home)
    }

    /// What a command writes.
    private func shell(_ session: LibrarySession, _ words: String...) async throws -> [UInt8] {
        let session = session.picker.session
        let command = try ChildProcess(
            Programs.path("portal-pick"), words, environment: session.environment,
            scratch: session.home.scratch)
        #expect(try await command.exitStatus() == 0, "\(command.errorText)")
        return try content(Descriptor.openForReading(command.output))
    }

    private func content(_ file: Descriptor) throws -> [UInt8] {
        try file.read(upTo: 1 << 20)
    }
}

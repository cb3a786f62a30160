// SPDX-License-Identifier: MIT

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

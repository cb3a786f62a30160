// SPDX-License-Identifier: MIT

import Files
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Photos that apps move to the trash.
@Suite(.serialized) struct LibraryDeletingTests {
    @Test(arguments: CallerKind.allCases)
    func `photos that the person gives up are in the trash, and come back from there`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let ids = try await session.open()
        let backend = try await session.picker.session.startBackend("deny", "allow")
        let made = try await session.library.perform([
            ChangeOperation("create-album", ["title": "X".variant, "placeholder": "x".variant]),
            ChangeOperation("insert-assets", ["album": "@x".variant, "assets": ids.variant]),
        ])
        let album = try #require(made.first?.value("album", as: String.self))
        // A second name of the first photo goes with it.
        let home = session.picker.home
        let second = home.pictures.appending("Trip/again.jpg")
        let first = try #require(
            try await session.library.assets([ids[0]]).first?.value("name", as: String.self))
        try home.write(
            Descriptor.openForReading(home.pictures.appending(first)).read(upTo: 1 << 20),
            to: second)
        try await eventually("the second name") {
            try await session.library.albums().contains { $0.value("title") == "Trip" }
        }
        let refused = try await delete([ids[0], ids[1]], in: session)
        #expect(refused.code == .cancelled)
        #expect(refused.results.value("deleted") == [String]())
        #expect(try await session.library.assets(in: "all").total == 5)
        let done = try await delete([ids[0], ids[1], ids[0]], in: session)
        #expect(done.code == .success, "\(done) \(session.picker.service.errorText)")
        #expect(done.results.value("deleted") == [ids[0], ids[1]])
        #expect(backend.events.last?.contains("ConfirmDeletion") == true)
        // At once, also in albums.
        #expect(try await session.library.assets(in: "all").total == 3)
        #expect(try await session.library.assets(in: album).total == 3)
        #expect(names(in: home.pictures).count == 4)
        #expect(names(in: second.removingLastComponent()).isEmpty)
        let trash = home.data.appending("Trash").appending("files")
        #expect(names(in: trash).count == 3)
        // Restored, it is the same photo in the same place.
        try AtomicFile.rename(trash.appending(first), toNew: home.pictures.appending(first))
        try await eventually("the photo") {
            try await session.library.assets(in: album).assets.first?.value("id") == ids[0]
        }
    }

    @Test func `S3.17 a photo from the trash keeps its version although its drive leaves at once`()
        async throws
    {
        let home = try TestHome()
        let drive = home.pictures.appending("Drive")
        try home.write(Fixtures.bytes("formats/blocks.jpg"), to: drive.appending("a.jpg"))
        let session = try await LibrarySession(.host, photos: 0, home: home)
        let id = try await session.open()[0]
        _ = try await session.library.perform([Adjusting.set(id, "formats/blocks.png")])
        _ = try await session.picker.session.startBackend("allow")
        let deleted = try await RequestClient(on: session.picker.client.connection).delete([id])
        #expect(deleted.code == .success, "\(deleted)")
        let trash = home.data.appending("Trash").appending("files")
        try AtomicFile.rename(trash.appending("a.jpg"), toNew: drive.appending("a.jpg"))
        try await eventually("the photo") {
            try await session.library.assets([id]).count == 1
        }
        try AtomicFile.rename(drive, to: home.scratch.appending("away"))
        try await eventually("the end of the drive") {
            try await session.library.assets([id]).isEmpty
        }
        #expect(try await session.picker.service.stop() == 0)
        // Two months later.
        let aged = try await session.picker.session.run(
            "sqlite3",
            [home.database.string, "UPDATE adjustment SET deleted = deleted - 61 * 86400"])
        #expect(aged.status == 0, "\(aged.errors)")
        let service = try await session.picker.session.startService()
        try await eventually("the library: \(service.errorText)") {
            service.errorText.contains("Looked through the library")
        }
        #expect(Adjusting.files(of: home).count == 2)
        try AtomicFile.rename(home.scratch.appending("away"), to: drive)
        try await eventually("the photo") {
            try await session.library.assets([id]).first?.value("media_type") == "image/png"
        }
        #expect(try await service.stop() == 0)
    }

    @Test func `what cannot be moved to the trash is not deleted`() async throws {
        let session = try await LibrarySession(.host)
        let ids = try await session.open()
        _ = try await session.picker.session.startBackend("delay 300ms; allow", "die")
        let unknown = "00112233445566778899aabbccddeeff"
        for (wrong, name) in [
            ([unknown], ErrorName.portalNotFound), ([], .portalInvalidArgument),
            (["x"], .portalNotFound),
            ([String](repeating: ids[0], count: 1001), .portalInvalidArgument),
        ] {
            let error = await #expect(throws: DBusError.self) {
                try await delete(wrong, in: session)
            }
            #expect(error?.name == name, "\(wrong.count)")
        }
        // The file changes while the person is asked.
        let name = try #require(
            try await session.library.assets([ids[1]]).first?.value("name", as: String.self))
        let path = session.picker.home.pictures.appending(name)
        async let answer = delete([ids[0], ids[1], ids[2]], in: session)
        try session.picker.home.write(Fixtures.bytes("formats/blocks.jpg"), to: path)
        let (code, results) = try await (answer.code, answer.results)
        #expect(code == .ended)
        #expect(results.value("deleted") == [ids[0]])
        #expect(results.value("message", as: String.self)?.contains("changed") == true)
        #expect((try? path.stat()) != nil)
        // The window fails.
        let failed = try await delete([ids[2]], in: session)
        #expect(failed.code == .ended)
        #expect(names(in: session.picker.home.pictures).count == 4)
        for word in ["limited", "no"] {
            try await session.setPermission(word, of: "")
            let error = await #expect(throws: DBusError.self) {
                try await delete([ids[2]], in: session)
            }
            #expect(error?.name == .portalNotAllowed)
        }
    }

    @Test(arguments: [0, 3])
    func `a file that waits to be examined is not moved in another version either`(
        status: Int
    ) async throws {
        let session = try await LibrarySession(.host)
        let ids = try await session.open()
        let backend = try await session.picker.session.startBackend("delay 2s; allow")
        let name = try #require(
            try await session.library.assets([ids[1]]).first?.value("name", as: String.self))
        let home = session.picker.home
        let path = home.pictures.appending(name)
        // The decoder could not be started, or the file could not be read for a moment.
        let child = try ChildProcess(
            "sqlite3",
            [
                "-cmd", ".timeout 5000", home.database.string,
                "UPDATE file SET status = \(status) WHERE name = CAST('\(name)' AS BLOB)",
            ],
            environment: home.environment, scratch: home.scratch)
        #expect(try await child.exitStatus() == 0, "\(child.errorText)")
        async let answer = delete([ids[1]], in: session)
        try await eventually("the question") {
            backend.events.contains { $0.contains("ConfirmDeletion") }
        }
        try home.write(Fixtures.bytes("formats/blocks.jpg"), to: path)
        #expect(try await answer.code == .ended)
        #expect((try? path.stat()) != nil)
    }

    private func delete(
        _ ids: [String], in session: LibrarySession
    ) async throws(DBusError) -> RequestClient.Answer {
        try await RequestClient(on: session.picker.client.connection).delete(ids)
    }
}

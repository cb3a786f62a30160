// SPDX-License-Identifier: MIT

import Files
import Glibc
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Adjusted versions, while services are killed and databases and files are lost.
@Suite(.serialized) struct LibraryAdjustingFaultTests {
    @Test func `S3.17 a killed service leaves an adjusted version and its files, or neither`()
        async throws
    {
        let session = try await LibrarySession(.host, photos: 2)
        let ids = try await session.open()
        var service = session.picker.service
        for kill in 0..<8 {
            let performed = Recorder<Void>()
            let wanted = Int.random(in: 0...4)
            try await withThrowingTaskGroup { group in
                group.addTask {
                    // Until the service is gone.
                    while (try? await Self.adjustOrRevert(ids, session.library)) != nil {
                        performed.note(())
                    }
                }
                try await eventually("\(wanted) change sets") { performed.count >= wanted }
                // At any moment of the next change set.
                usleep(.random(in: 0...40_000))
                try await service.stop(SIGKILL)
                try await group.waitForAll()
            }
            service = try await session.picker.session.startService()
            try await eventually("the library: \(service.errorText)") {
                service.errorText.contains("Looked through the library")
            }
            let rows = try await Self.query(
                session, "SELECT name FROM adjustment UNION ALL SELECT dataName FROM adjustment")
            #expect(Set(rows) == Set(Adjusting.files(of: session.picker.home)), "kill \(kill)")
            let wrong = try await Self.query(session, Self.violations)
            #expect(wrong == ["ok"], "kill \(kill)")
            for id in ids { _ = try await session.library.thumbnail(of: id, size: 128) }
        }
        #expect(try await service.stop() == 0)
    }

    @Test func `S3.17 eight apps that adjust the same photos leave one version of each`()
        async throws
    {
        let session = try await LibrarySession(.host, photos: 2)
        let ids = try await session.open()
        let version = Fixtures.path("formats/blocks.png").string
        // Programs of their own, whose calls do not wait for each other.
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    for round in 0..<6 {
                        let id = ids[(number + round) % 2]
                        let program = try await session.picker.session.run(
                            "portal-pick",
                            round == 3 ? ["revert", id] : ["adjust", id, version])
                        #expect(program.status == 0, "\(program.errors)")
                    }
                }
            }
            try await group.waitForAll()
        }
        _ = try await session.library.perform(ids.map { Adjusting.set($0, "formats/blocks.png") })
        for id in ids {
            let file = try await session.library.open(id).file
            #expect(try file.read(upTo: 1 << 20) == Fixtures.bytes("formats/blocks.png"))
        }
        // Those that another call was removing are gone when the last one ends, or at the next start.
        #expect(try await session.picker.service.stop() == 0)
        let service = try await session.picker.session.startService()
        try await eventually("the library: \(service.errorText)") {
            service.errorText.contains("Looked through the library")
        }
        let rows = try await Self.query(
            session, "SELECT name FROM adjustment UNION ALL SELECT dataName FROM adjustment")
        #expect(Set(rows) == Set(Adjusting.files(of: session.picker.home)))
        #expect(rows.count == 4)
        #expect(try await Self.query(session, Self.violations) == ["ok"])
        #expect(try await service.stop() == 0)
    }

    @Test func `S3.17 a version that is replaced while a service starts stays`() async throws {
        let session = try await LibrarySession(.host, photos: 40)
        let ids = try await session.open()
        for id in ids {
            _ = try await session.library.perform([Adjusting.set(id, "formats/blocks.png")])
        }
        var service = session.picker.service
        for round in 0..<4 {
            #expect(try await service.stop() == 0)
            service = try await session.picker.session.startService()
            for id in ids.prefix(8) {
                _ = try await session.library.perform([Adjusting.set(id, "formats/blocks.png")])
            }
            try await eventually("the library: \(service.errorText)") {
                service.errorText.contains("Looked through the library")
            }
            #expect(Adjusting.files(of: session.picker.home).count == 80, "\(round)")
            let adjusted = try await session.library.assets(ids).filter {
                $0.value("adjusted") == true
            }
            #expect(adjusted.count == 40, "\(round)")
        }
        #expect(try await service.stop() == 0)
    }

    @Test func `S3.17 adjusted versions wait for a folder that is away`() async throws {
        let session = try await LibrarySession(.host)
        let id = try await session.open()[0]
        _ = try await session.library.perform([Adjusting.set(id, "formats/blocks.png")])
        var service = session.picker.service
        let folder = session.picker.home.data.appending("photo-portal").appending("adjusted")
        let away = session.picker.home.scratch.appending("away")
        for (from, to) in [(folder, away), (away, folder)] {
            #expect(try await service.stop() == 0)
            try AtomicFile.rename(from, to: to)
            service = try await session.picker.session.startService()
            try await eventually("the library: \(service.errorText)") {
                service.errorText.contains("Looked through the library")
            }
            #expect(try await Self.query(session, "SELECT count(*) FROM adjustment") == ["1"])
        }
        let file = try await session.library.open(id).file
        #expect(try file.read(upTo: 1 << 20) == Fixtures.bytes("formats/blocks.png"))
        #expect(try await service.stop() == 0)
    }

    @Test(arguments: [("59", 2), ("61", 0)])
    func `S3.17 the version of a deleted photo is kept as long as it may be in the trash`(
        days: String, files: Int
    ) async throws {
        let session = try await LibrarySession(.host)
        let id = try await session.open()[0]
        _ = try await session.library.perform([Adjusting.set(id, "formats/blocks.png")])
        _ = try await session.picker.session.startBackend("allow")
        let deleted = try await RequestClient(on: session.picker.client.connection).delete([id])
        #expect(deleted.code == .success, "\(deleted)")
        #expect(Adjusting.files(of: session.picker.home).count == 2)
        #expect(try await session.picker.service.stop() == 0)
        let changed = try await Self.query(
            session,
            "UPDATE adjustment SET deleted = deleted - \(days) * 86400 RETURNING 'old'")
        #expect(changed == ["old"])
        let service = try await session.picker.session.startService()
        try await eventually("the library: \(service.errorText)") {
            service.errorText.contains("Looked through the library")
        }
        #expect(Adjusting.files(of: session.picker.home).count == files)
        #expect(try await service.stop() == 0)
    }

    @Test(arguments: [false, true])
    func `S3.17 adjusted versions survive the loss of the database, and a backup of the files`(
        isBackup: Bool
    ) async throws {
        let session = try await LibrarySession(.host)
        let id = try await session.open()[0]
        _ = try await session.library.perform([
            Adjusting.set(id, "formats/blocks.png", data: [7, 8, 9])
        ])
        let adjusted = try await session.library.assets([id])
        #expect(try await session.picker.service.stop() == 0)
        let folder = session.picker.home.data.appending("photo-portal")
        for name in names(in: folder) where name.string.hasPrefix("library.db") {
            if !isBackup { try AtomicFile.remove(folder.appending(name)) }
        }
        // From a backup, files have other inodes.
        for name in Adjusting.files(of: session.picker.home) {
            let path = folder.appending("adjusted").appending(name)
            try AtomicFile.copy(try Descriptor.openForReading(path), to: path)
        }
        let service = try await session.picker.session.startService()
        try await eventually("the photo: \(service.errorText)") {
            try await session.library.assets([id]).first?.value("media_type") == "image/png"
        }
        try await eventually("its thumbnail: \(service.errorText)") {
            (try? await session.library.thumbnail(of: id, size: 128).results)?
                .value("width", as: UInt32.self) == 48
        }
        let again = try #require(try await session.library.assets([id]).first)
        for key in ["width", "size", "adjusted", "name"] {
            #expect(again[key] == adjusted.first?[key], "\(key)")
        }
        _ = try await session.library.perform([
            ChangeOperation("revert-adjustment", ["assets": [id].variant])
        ])
        let original = try #require(try await session.library.assets([id]).first)
        #expect(original.value("media_type") == "image/jpeg")
        #expect(original.value("width", as: UInt32.self) == 64)
        #expect(Adjusting.files(of: session.picker.home) == [])
        #expect(try await service.stop() == 0)
    }

    @Test func `S3.17 a photo whose adjusted version is gone shows the original`() async throws {
        let session = try await LibrarySession(.host)
        let ids = try await session.open()
        let before = try await session.library.assets([ids[0]])
        _ = try await session.library.perform([
            Adjusting.set(ids[0], "formats/blocks.png"),
            Adjusting.set(ids[1], "formats/blocks.png"),
        ])
        #expect(try await session.picker.service.stop() == 0)
        let folder = session.picker.home.data.appending("photo-portal").appending("adjusted")
        let name = try #require(
            try await Self.query(
                session,
                """
                SELECT name FROM adjustment WHERE asset =
                    (SELECT id FROM asset WHERE lower(hex(key)) = '\(ids[0])')
                """
            ).first)
        try AtomicFile.remove(folder.appending(name))
        let service = try await session.picker.session.startService()
        try await eventually("the original: \(service.errorText)") {
            try await session.library.assets([ids[0]]) == before
        }
        #expect(try await session.library.assets([ids[1]]).first?.value("adjusted") == true)
        try await eventually("the end of its data") {
            Adjusting.files(of: session.picker.home).count == 2
        }
        #expect(try await service.stop() == 0)
    }

    @Test func `S3.17 a file that shrinks while it is copied is no adjusted version`() async throws
    {
        let session = try await LibrarySession(.host)
        let id = try await session.open()[0]
        let path = session.picker.home.scratch.appending("shrinking.png")
        let photo = try Fixtures.bytes("formats/blocks.png")
        try session.picker.home.write(photo, to: path)
        let file = try Descriptor.openForReading(path)
        try #require(truncate(path.string, off_t(photo.count / 2)) == 0)
        await #expect(throws: DBusError.self) {
            try await session.library.perform([Adjusting.set(id, file: file)])
        }
        #expect(try await session.library.assets([id]).first?.value("adjusted") == false)
        #expect(Adjusting.files(of: session.picker.home) == [])
    }

    // MARK: -

    private static let violations = """
        SELECT 'still arriving' FROM arrival;
        SELECT 'facts' FROM asset LEFT JOIN adjustment ON adjustment.asset = asset.id
            WHERE asset.mediaType <> coalesce(adjustment.mediaType, 'image/jpeg');
        SELECT 'original' FROM adjustment
            WHERE originalType <> 'image/jpeg' OR originalWidth <> 64;
        PRAGMA foreign_key_check;
        PRAGMA integrity_check;
        """

    private static func adjustOrRevert(
        _ ids: [String], _ library: LibraryClient
    ) async throws(DBusError) {
        let id = ids[Int.random(in: 0..<ids.count)]
        _ = try await library.perform([
            Int.random(in: 0...3) == 0
                ? ChangeOperation("revert-adjustment", ["assets": [id].variant])
                : Adjusting.set(id, "formats/blocks.png", data: [1])
        ])
    }

    /// The rows of a query, in lines.
    private static func query(_ session: LibrarySession, _ sql: String) async throws -> [String] {
        let (status, output, errors) = try await session.picker.session.run(
            "sqlite3", ["-cmd", ".timeout 5000", session.picker.home.database.string, sql])
        #expect(status == 0, "\(errors)")
        return output.split(separator: "\n").map(String.init)
    }
}

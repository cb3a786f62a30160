// SPDX-License-Identifier: MIT

import Files
import Foundation
import Glibc
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Change sets that compete, and services that are killed while they perform them.
@Suite(.serialized) struct LibraryChangeFaultTests {
    @Test func `eight apps that change one album lose nothing`() async throws {
        let session = try await LibrarySession(.host, photos: 8)
        let ids = try await session.open()
        let album = try #require(
            try await session.library.perform([
                ChangeOperation("create-album", ["title": "Sicily".variant])
            ]).first?.value("album", as: String.self)
        ).variant
        try await withThrowingTaskGroup { group in
            for id in ids {
                let client = try await session.picker.foreignClient()
                group.addTask {
                    let library = LibraryClient(on: client.connection)
                    for round in 0..<10 {
                        _ = try await library.perform([
                            ChangeOperation(
                                "remove-assets", ["album": album, "assets": [id].variant]),
                            ChangeOperation(
                                "insert-assets",
                                [
                                    "album": album, "assets": [id].variant,
                                    "index": UInt32(0).variant,
                                ]),
                            ChangeOperation(
                                "ensure-album", ["title": "Round \(round)".variant]),
                        ])
                        // Whatever the others do, it is there.
                        let assets = try await library.assets(in: String(album) ?? "").assets
                        #expect(assets.contains { $0.value("id") == id })
                    }
                }
            }
            try await group.waitForAll()
        }
        let (assets, total) = try await session.library.assets(in: String(album) ?? "")
        #expect(total == 8)
        #expect(Set(assets.compactMap { $0.value("id", as: String.self) }) == Set(ids))
        let titles = try await session.library.albums().filter { $0.value("kind") == "user" }
            .compactMap { $0.value("title", as: String.self) }
        // Nobody's rounds made an album a second time.
        #expect(Set(titles) == Set(["Sicily"] + (0..<10).map { "Round \($0)" }))
        #expect(titles.count == 11)
    }

    /// How often the service is killed; `PHOTO_PORTAL_KILLS` says otherwise.
    private static var kills: Int {
        ProcessInfo.processInfo.environment["PHOTO_PORTAL_KILLS"].flatMap { Int($0) } ?? 12
    }

    @Test func `a service that is killed again and again leaves all of a change set, or nothing`()
        async throws
    {
        let session = try await LibrarySession(.host, photos: 6)
        let ids = try await session.open()
        // Each photo is always in one of two albums, and a favorite while it is in the second.
        let made = try await session.library.perform([
            ChangeOperation("create-album", ["title": "X".variant, "placeholder": "x".variant]),
            ChangeOperation("create-album", ["title": "Y".variant]),
            ChangeOperation("insert-assets", ["album": "@x".variant, "assets": ids.variant]),
        ])
        let albums = made.prefix(2).compactMap { $0.value("album", as: String.self) }
        let file = session.picker.home.data.appending("photo-portal").appending("library.json")
        try await eventually("the file of what people did") { (try? file.stat()) != nil }
        var service = session.picker.service
        var random = SystemRandomNumberGenerator()
        for kill in 0..<Self.kills {
            let performed = Recorder<Void>()
            let wanted = Int.random(in: 0...12, using: &random)
            try await withThrowingTaskGroup { group in
                for id in ids.prefix(3) + ids.suffix(1) {
                    group.addTask {
                        // Until the service is gone.
                        while (try? await move(id, among: albums, session.library)) != nil {
                            performed.note(())
                        }
                    }
                }
                try await eventually("\(wanted) change sets") { performed.count >= wanted }
                try await service.stop(SIGKILL)
                try await group.waitForAll()
            }
            try await expectConsistent(session.picker, "kill \(kill), after \(performed.count)")
            service = try await session.picker.session.startService()
        }
        // The last one works.
        try await move(ids[0], among: albums, session.library)
        #expect(try await service.stop() == 0)
        try await expectConsistent(session.picker, "at the end")
    }

    @Test func `a service that is killed while photos are added leaves photo and file, or neither`()
        async throws
    {
        let session = try await LibrarySession(.host, photos: 1)
        _ = try await session.open()
        let album = try #require(
            try await session.library.perform([
                ChangeOperation("create-album", ["title": "X".variant])
            ]).first?.value("album", as: String.self))
        var service = session.picker.service
        let pictures = session.picker.home.pictures
        for kill in 0..<Self.kills {
            let performed = Recorder<Void>()
            let wanted = Int.random(in: 0...4)
            try await withThrowingTaskGroup { group in
                group.addTask {
                    while (try? await add(to: album, session.library)) != nil { performed.note(()) }
                }
                try await eventually("\(wanted) photos") { performed.count >= wanted }
                // At any moment of the next change set.
                usleep(.random(in: 0...60_000))
                try await service.stop(SIGKILL)
                try await group.waitForAll()
            }
            service = try await session.picker.session.startService()
            try await eventually("the library: \(service.errorText)") {
                service.errorText.contains("Looked through the library")
            }
            let files = names(in: pictures).map(\.string)
            #expect(files.filter { $0.hasPrefix(".") } == [], "kill \(kill)")
            let (_, output, errors) = try await session.picker.session.run(
                "sqlite3",
                [session.picker.home.database.string, Self.halfAdded(files: files.count)])
            #expect(output == "ok\n", "kill \(kill): \(errors)\(service.errorText)")
        }
    }

    /// What is wrong after two photos were added to an album and to the favorites; nothing, if `ok` alone
    /// is left.
    private static func halfAdded(files: Int) -> String {
        """
        SELECT 'file that is no photo: ' || name FROM file WHERE status <> 1;
        SELECT 'photo in no album: ' || name FROM file
            WHERE name <> CAST('photo 1.jpg' AS BLOB) AND asset NOT IN (SELECT asset FROM member);
        SELECT 'photo without file' FROM asset WHERE file IS NULL;
        SELECT 'photo of an album that is no favorite' FROM member
            JOIN asset ON asset.id = member.asset WHERE favorite = 0;
        SELECT 'half of two photos' WHERE (SELECT count(*) FROM member) % 2 <> 0;
        SELECT 'count of album ' || album.key FROM album LEFT JOIN albumContent ON album.id = album
            WHERE kind = 2 AND coalesce(count, 0) <>
                (SELECT count(*) FROM member WHERE member.album = album.id);
        SELECT 'other files' WHERE (SELECT count(*) FROM file) <> \(files);
        SELECT 'still arriving' FROM arrival;
        PRAGMA foreign_key_check;
        PRAGMA integrity_check;
        """
    }

    /// Adds two photos that nobody has to an album, and makes them favorites.
    private func add(to album: String, _ library: LibraryClient) async throws {
        var changes: [ChangeOperation] = []
        for name in ["a", "b"] {
            let bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
            let photo = try MemoryFile.make(
                named: name, holding: try Fixtures.bytes("jpeg/grey.jpg") + bytes)
            changes.append(
                ChangeOperation(
                    "create-asset", ["file": photo.variant, "placeholder": name.variant]))
        }
        let photos = ["@a", "@b"].variant
        changes += [
            ChangeOperation("insert-assets", ["album": album.variant, "assets": photos]),
            ChangeOperation("set-favorite", ["assets": photos, "favorite": true.variant]),
        ]
        _ = try await library.perform(changes)
    }

    // MARK: -

    /// Puts a photo into one of two albums, in one change set.
    private func move(
        _ id: String, among albums: [String], _ library: LibraryClient
    ) async throws(DBusError) {
        let target = Int.random(in: 0...1)
        let photo = [id].variant
        var changes = albums.map {
            ChangeOperation("remove-assets", ["album": $0.variant, "assets": photo])
        }
        changes += [
            ChangeOperation(
                "insert-assets",
                [
                    "album": albums[target].variant, "assets": photo,
                    "index": UInt32(0).variant,
                ]),
            ChangeOperation(
                "set-favorite", ["assets": photo, "favorite": (target == 1).variant]),
        ]
        _ = try await library.perform(changes)
    }

    /// What is wrong, each in a row.
    private static let violations = """
        SELECT 'photo in ' || n || ' albums' FROM (
            SELECT (SELECT count(*) FROM member WHERE member.asset = asset.id) AS n FROM asset)
            WHERE n <> 1;
        SELECT 'favorite ' || favorite || ' of album ' || title FROM asset
            JOIN member ON member.asset = asset.id JOIN album ON album.id = album
            WHERE favorite <> (title = 'Y');
        SELECT 'count of ' || album.key FROM album LEFT JOIN albumContent ON album.id = album
            WHERE kind = 2 AND coalesce(count, 0) <>
                (SELECT count(*) FROM member WHERE member.album = album.id);
        SELECT 'cover of ' || album.key FROM album JOIN albumContent ON album.id = album
            WHERE kind = 2 AND cover <> (SELECT member.asset FROM member
                WHERE member.album = album.id ORDER BY position LIMIT 1);
        SELECT 'count of favorites' FROM album LEFT JOIN albumContent ON album.id = album
            WHERE key = 'favorites' AND coalesce(count, 0) <> (SELECT sum(favorite) FROM asset);
        PRAGMA foreign_key_check;
        PRAGMA integrity_check;
        """

    private func expectConsistent(_ picker: PickerSession, _ note: String) async throws {
        let (status, output, errors) = try await picker.session.run(
            "sqlite3", [picker.home.database.string, Self.violations])
        #expect(status == 0, "\(note): \(errors)")
        #expect(output == "ok\n", "\(note)")
        let file = picker.home.data.appending("photo-portal").appending("library.json")
        let content = try Descriptor.openForReading(file).read(upTo: 1 << 20)
        let json = try JSONSerialization.jsonObject(with: Data(content)) as? [String: Any]
        let albums = try #require(json?["albums"] as? [[String: Any]], "\(note)")
        let photos = albums.compactMap { $0["photos"] as? [String] }
        // Some moment ago, but never half of a change set.
        #expect(photos.count == 2 && photos.joined().count == 6, "\(note)")
        #expect(Set(photos.joined()).count == 6, "\(note)")
        #expect(
            Set(photos.last ?? []) == Set(json?["favorites"] as? [String] ?? []), "\(note)")
    }
}

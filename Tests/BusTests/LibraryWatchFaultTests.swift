// SPDX-License-Identifier: MIT

import Files
import Glibc
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Apps that follow the library together, while services end, permissions change and files pour in.
@Suite(.serialized) struct LibraryWatchFaultTests {
    @Test func `S4.20 eight apps that change one album are told each change once, in one order`()
        async throws
    {
        let session = try await LibrarySession(.host, photos: 8)
        let ids = try await session.open()
        let album = try await session.makeAlbum("Sicily")
        let rounds = 10
        let start = try await session.library.changes(since: 0).generation
        var apps: [(library: LibraryClient, follower: Follower)] = []
        for _ in ids {
            let library = LibraryClient(on: try await session.picker.foreignClient().connection)
            apps.append((library, try await Follower(library)))
            #expect(try await library.watchChanges().generation == start)
        }
        try await withThrowingTaskGroup { group in
            for (app, id) in zip(apps, ids) {
                group.addTask {
                    for round in 0..<rounds {
                        _ = try await app.library.perform([
                            ChangeOperation(
                                "remove-assets", ["album": album.variant, "assets": [id].variant]),
                            ChangeOperation(
                                "insert-assets",
                                [
                                    "album": album.variant, "assets": [id].variant,
                                    "index": UInt32(0).variant,
                                ]),
                            ChangeOperation("create-album", ["title": "\(round)".variant]),
                        ])
                    }
                }
            }
            try await group.waitForAll()
        }
        // Each transaction has an album of its own and the common one.
        let end = start + UInt64(ids.count * rounds * 2)
        #expect(try await session.library.changes(since: start).generation == end)
        let made = try await session.library.albums().filter { $0.value("kind") == "user" }
            .compactMap { $0.value("id", as: String.self) }.filter { $0 != album }
        #expect(made.count == ids.count * rounds)
        var orders: Set<[String]> = []
        for app in apps {
            try await eventually("the last generation", is: end) {
                app.follower.reports.last?.generation ?? 0
            }
            app.follower.expectOrder(after: start)
            let told = app.follower.reports.flatMap(\.albums.inserted)
            #expect(told.count == made.count)
            #expect(Set(told) == Set(made))
            #expect(app.follower.reports.allSatisfy { $0.albums.updated == [album] })
            orders.insert(told)
        }
        #expect(orders.count == 1)
    }

    // MARK: - What apps may see

    @Test(arguments: CallerKind.allCases)
    func `S4.20 a limited app is told of its own photos, and learns nothing of others`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        _ = try await session.picker.session.startBackend(
            "allow limited", "pick newest 1", "clip 0 0 20 20; pick newest 3",
            "pick newest 3")
        _ = try await session.ask()
        // Another app changes the library; it is in a sandbox, where the limited one may be outside.
        let app = try await FlatpakApp.start(on: session.picker.session, appID: "org.example.Other")
        try await session.setPermission("yes", of: app.appID)
        let other = LibraryClient(on: try await Connection.open(address: app.address))
        let all = try await other.assets(in: "all").assets
            .compactMap { $0.value("id", as: String.self) }
        func favor(_ isFavorite: Bool) async throws {
            _ = try await other.perform([
                ChangeOperation(
                    "set-favorite", ["assets": all.variant, "favorite": isFavorite.variant])
            ])
        }
        let start = try await session.library.watchChanges().generation
        let follower = try await Follower(session.library)
        let before = try await other.changes(since: 0).generation

        // Changes of which it sees none.
        try await favor(true)
        _ = try await session.makeAlbum("Sicily", with: other)
        try session.picker.home.write(
            Fixtures.bytes("jpeg/baseline.jpg"),
            to: session.picker.home.pictures.appending("new.jpg"))
        try await eventually("the new photo") {
            try await other.changes(since: before).assets.inserted.count == 1
        }
        #expect(try await session.library.changes(since: start) == ChangeReport(generation: start))

        // It is given a photo, and sees one more.
        let picker = session.picker.client
        let answer = try await picker.response(picker.pick())
        let own = try #require(Delivery(answer.results)?.items.first?.id)
        try await follower.expect("the photo") { $0.assets.inserted == [own] }
        // The photo, the album, its month and its day.
        #expect(follower.reports.map(\.generation) == [start + 4])
        #expect(follower.reports.map(\.albums.updated) == [["all"]])
        let moments = try #require(follower.reports.first?.moments.inserted)
        #expect(moments.count == 2 && moments.allSatisfy { $0.hasPrefix("moment-") })
        // It is given parts of others, which it does not see.
        let part = try await picker.response(
            picker.pick(["clip_mode": "optional".variant, "max_count": UInt32(3).variant]))
        #expect(Delivery(part.results)?.items.count == 3)

        try await favor(false)
        let new = try await other.assets(in: "all").assets.first?.value("id", as: String.self)
        _ = try await other.perform([
            ChangeOperation(
                "set-favorite",
                ["assets": [new ?? ""].variant, "favorite": true.variant])
        ])
        let path = try await eventually("the file of the photo") {
            let name = try await session.library.assets([own]).first?
                .value("name", as: String.self)
            return name.map { session.picker.home.pictures.appending($0) }
        }
        try AtomicFile.remove(path)
        try await follower.expect("the end of the photo") { $0.assets.removed == [own] }
        for report in follower.reports {
            let ids = report.assets.inserted + report.assets.updated + report.assets.removed
            #expect(Set(ids) == [own])
            #expect(Set(report.albums.updated).isSubset(of: ["all"]))
            #expect(report.albums.inserted.isEmpty && report.albums.removed.isEmpty)
        }
        #expect(follower.reports.last?.moments.removed == moments)
        // Its numbers count its own changes: twice four in lists, and at most two favorites.
        let last = try #require(follower.reports.last?.generation)
        #expect((start + 8...start + 10).contains(last))
        follower.expectOrder(after: start)
    }

    @Test func `S4.20 an app without permission is told nothing`() async throws {
        let session = try await LibrarySession(.flatpak)
        let follower = try await Follower(session.library)
        for word in [nil, "no"] as [String?] {
            if let word {
                try await session.setPermission(word, of: session.picker.app?.appID ?? "")
            }
            for error in [
                await #expect(throws: DBusError.self) {
                    try await session.library.watchChanges().generation
                },
                await #expect(throws: DBusError.self) {
                    try await session.library.changes(since: 0)
                },
            ] {
                #expect(error?.name == .portalNotAllowed)
            }
            try await session.library.unwatchChanges()
        }
        #expect(follower.reports.isEmpty)
    }

    @Test(arguments: CallerKind.allCases)
    func `S4.20 an app that loses its permission is told so, and nothing after that`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let app = session.picker.app?.appID ?? ""
        let other = try await FlatpakApp.start(
            on: session.picker.session, appID: "org.example.Other")
        try await session.setPermission("yes", of: other.appID)
        let library = LibraryClient(on: try await Connection.open(address: other.address))
        let witness = try await Follower(library)
        _ = try await library.watchChanges()
        let follower = try await Follower(session.library)
        for (number, word) in ["no", "limited", "perhaps"].enumerated() {
            try await session.setPermission("yes", of: app)
            _ = try await session.library.watchChanges()
            try await session.setPermission(word, of: app)
            // Without a change of the library.
            try await eventually("the end") { follower.reports.count == number + 1 }
            let last = try #require(follower.reports.last)
            #expect(last.hasEnded)
            #expect(last.generation == 0)
            #expect(last.idCount == 0)
            let album = try await session.makeAlbum(word, with: library)
            try await witness.expect("the album") { $0.albums.inserted == [album] }
            try await session.picker.client.settle()
            #expect(follower.reports.count == number + 1)
        }
        #expect(!witness.reports.map(\.hasEnded).contains(true))
    }

    @Test func `S4.20 a number of connections of an app may watch, and others are not in the way`()
        async throws
    {
        let session = try await LibrarySession(.host, photos: 1)
        _ = try await session.open()
        var clients: [Client] = []
        for _ in 0..<8 {
            clients.append(try await session.picker.anotherClient())
            _ = try await LibraryClient(on: clients[clients.count - 1].connection).watchChanges()
        }
        let error = await #expect(throws: DBusError.self) {
            try await session.library.watchChanges().generation
        }
        #expect(error?.name == .limitsExceeded)
        let foreign = LibraryClient(on: try await session.picker.foreignClient().connection)
        _ = try await foreign.watchChanges()
        // One that leaves makes room.
        await clients.removeLast().connection.close()
        try await eventually("room") {
            (try? await session.library.watchChanges().generation) != nil
        }
    }

    // MARK: - Services that end

    @Test func `S4.20 generations go on when the service is killed and started again`()
        async throws
    {
        let session = try await LibrarySession(.host)
        let ids = try await session.open()
        let follower = try await Follower(session.library)
        let start = try await session.library.watchChanges().generation
        let album = try await session.makeAlbum("Sicily")
        try await follower.expect("the album") { $0.albums.inserted == [album] }
        let known = try #require(follower.reports.last?.generation)
        try await session.picker.service.stop(SIGKILL)
        // While no service runs, a file goes.
        try AtomicFile.remove(session.picker.home.pictures.appending("photo 1.jpg"))
        let service = try await session.picker.session.startService()
        #expect(try await session.library.watchChanges(since: known) == (known, false))
        try await follower.expect("the removal") { !$0.assets.removed.isEmpty }
        let second = try await session.makeAlbum("Etna")
        try await follower.expect("the second album") { $0.albums.inserted == [second] }
        #expect(follower.reports.flatMap(\.assets.removed).count == 1)
        #expect(ids.contains(follower.reports.flatMap(\.assets.removed)[0]))
        follower.expectOrder(after: start)
        // All of it at once, also after a service that ended as it should.
        #expect(try await service.stop() == 0)
        let last = try await session.picker.session.startService()
        let report = try await session.library.changes(since: start)
        #expect(report.albums.inserted == [album, second])
        #expect(report.assets.removed == follower.reports.flatMap(\.assets.removed))
        #expect(try await last.stop() == 0)
    }

    @Test func `S4.20 an app starts over after the library was damaged or power was lost`()
        async throws
    {
        let session = try await LibrarySession(.host)
        _ = try await session.open()
        let first = try await session.library.changes(since: 0).generation
        let album = try await session.makeAlbum("Sicily")
        let known = try await session.library.changes(since: first)
        #expect(known.albums.inserted == [album])
        let home = session.picker.home
        // The file of what people did is written a moment later, or with the end.
        #expect(try await session.picker.service.stop() == 0)
        for name in ["", "-wal", "-shm"] {
            let part = FilePath(home.database.string + name)
            if (try? part.stat()) != nil { try AtomicFile.remove(part) }
        }
        try home.write([UInt8](repeating: 0xFF, count: 50_000), to: home.database)
        var service = try await session.picker.session.startService()
        for old in [first, known.generation] {
            let report = try await session.library.changes(since: old)
            #expect(report.startsOver)
            #expect(report.generation > known.generation)
        }
        let rebuilt = try await session.library.changes(since: 0).generation
        // The same after the machine was restarted while a service was running.
        try await service.stop(SIGKILL)
        let (status, _, errors) = try await session.picker.session.run(
            "sqlite3",
            [home.database.string, "UPDATE state SET value = 4711 WHERE key = 'boot'"])
        #expect(status == 0, "\(errors)")
        service = try await session.picker.session.startService()
        #expect(try await session.library.changes(since: rebuilt).startsOver)
        let last = try await session.library.changes(since: 0).generation
        // But not if the last service had ended.
        #expect(try await service.stop() == 0)
        let boot = try await session.picker.session.run(
            "sqlite3", [home.database.string, "SELECT value FROM state WHERE key = 'boot'"])
        #expect(boot.output == "0\n")
        service = try await session.picker.session.startService()
        #expect(try await session.library.changes(since: last).startsOver == false)
        #expect(try await service.stop() == 0)
    }

    @Test func `S4.20 an app is told what the service of another session writes`() async throws {
        let session = try await LibrarySession(.host)
        let ids = try await session.open()
        let follower = try await Follower(session.library)
        let start = try await session.library.watchChanges().generation
        let other = try await Session.start(home: session.picker.home)
        let portals = try await PortalStack.start(on: other, [.permissionStore])
        let second = try await other.startService()
        let library = LibraryClient(on: try await other.connect())
        let there = try await Follower(library)
        #expect(try await library.watchChanges().generation == start)
        // Each tells the other.
        for (number, writer) in [library, session.library].enumerated() {
            let album = try await session.makeAlbum("\(number)", with: writer)
            try await follower.expect("the album") { $0.albums.inserted == [album] }
            try await there.expect("the album in the other session") {
                $0.albums.inserted == [album]
            }
        }
        _ = try await library.perform([
            ChangeOperation("set-favorite", ["assets": ids.variant, "favorite": true.variant])
        ])
        try await follower.expect("the favorites") { Set($0.assets.updated) == Set(ids) }
        follower.expectOrder(after: start)
        #expect(try await second.stop() == 0)
        withExtendedLifetime(portals) {}
    }
}

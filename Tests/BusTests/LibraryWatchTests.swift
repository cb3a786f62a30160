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

/// `WatchChanges`, `GetChanges` and the signal `Changed`, for apps with and without a sandbox; the names
/// begin with the ids of the behaviours.
@Suite(.serialized) struct LibraryWatchTests {
    @Test(arguments: CallerKind.allCases)
    func `S4.20 an app that watches is told of files that come, change and go`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let ids = try await session.open()
        let follower = try await Follower(session.library)
        let (start, startsOver) = try await session.library.watchChanges()
        #expect(!startsOver)
        let home = session.picker.home
        let path = home.pictures.appending("new.jpg")
        try home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: path)
        let new = try await follower.first("the new photo") { $0.assets.inserted.first }
        #expect(!ids.contains(new))
        // The id is one that the app finds.
        let found = try await session.library.assets([new])
        #expect(found.first?.value("name", as: String.self) == "new.jpg")
        let folder = try #require(
            try await session.library.albums().first { $0.value("kind") == "folder" }?
                .value("id", as: String.self))
        #expect(
            Set(follower.reports.flatMap(\.albums.updated)).isSuperset(of: [
                "all", "recent", folder,
            ]))

        _ = try await session.library.perform([
            ChangeOperation(
                "set-favorite", ["assets": [ids[0]].variant, "favorite": true.variant])
        ])
        try await follower.expect("the favorite") { $0.assets.updated == [ids[0]] }
        #expect(follower.reports.flatMap(\.albums.inserted) == ["favorites"])

        // Edited in place, it keeps its id.
        try home.write(Fixtures.bytes("jpeg/grey.jpg") + [77], to: path)
        try await follower.expect("the edited photo") { $0.assets.updated.contains(new) }

        try AtomicFile.remove(path)
        try await follower.expect("the deleted photo") { $0.assets.removed == [new] }
        #expect(try await session.library.assets([new]).isEmpty)

        // A photo that returns is the same.
        try home.write(Fixtures.bytes("jpeg/grey.jpg") + [77], to: path)
        try await eventually("the returned photo") {
            follower.reports.filter { $0.assets.inserted == [new] }.count == 2
        }
        follower.expectOrder(after: start)
    }

    @Test(arguments: CallerKind.allCases)
    func `S4.20 an app that watches is told of albums that are made, change and are deleted`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let ids = try await session.open()
        let follower = try await Follower(session.library)
        let start = try await session.library.watchChanges().generation
        let made = try await session.library.perform([
            ChangeOperation("create-album", ["title": "Sicily".variant])
        ])
        let album = try #require(made.first?.value("album", as: String.self))
        try await follower.expect("the album") { $0.albums.inserted == [album] }
        let changes: [(String, Vardict)] = [
            ("rename-album", ["album": album.variant, "title": "Etna".variant]),
            ("insert-assets", ["album": album.variant, "assets": ids.variant]),
            (
                "insert-assets",
                [
                    "album": album.variant, "assets": [ids[4]].variant,
                    "index": UInt32(0).variant,
                ]
            ),
            ("remove-assets", ["album": album.variant, "assets": [ids[2]].variant]),
        ]
        for (index, (name, options)) in changes.enumerated() {
            _ = try await session.library.perform([ChangeOperation(name, options)])
            try await eventually("\(name)") {
                follower.reports.count { $0.albums.updated == [album] } == index + 1
            }
        }
        // What changes nothing is not told.
        _ = try await session.library.perform([
            ChangeOperation(
                "remove-assets", ["album": album.variant, "assets": [ids[2]].variant])
        ])
        _ = try await session.library.perform([
            ChangeOperation("create-album", ["title": "x".variant, "placeholder": "x".variant]),
            ChangeOperation("delete-album", ["album": "@x".variant]),
            ChangeOperation("delete-album", ["album": album.variant]),
        ])
        try await follower.expect("the end of the album") { $0.albums.removed == [album] }
        #expect(follower.reports.count == changes.count + 2)
        #expect(follower.reports.allSatisfy { $0.assets == ChangedIDs() })
        follower.expectOrder(after: start)
    }

    @Test(arguments: CallerKind.allCases)
    func `S4.20 an app that watches is told of the days and months that change`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        _ = try await session.open()
        let follower = try await Follower(session.library)
        let start = try await session.library.watchChanges().generation
        let home = session.picker.home
        func add(_ name: String, _ fixture: String) throws {
            // 28 November 2025.
            let path = home.pictures.appending(name)
            try home.write(Fixtures.bytes(fixture), to: path)
            home.setDate(of: path, 1_764_331_200)
        }
        try add("first.jpg", "jpeg/baseline.jpg")
        let (month, day) = ("moment-2025-11", "moment-2025-11-28")
        func told(_ ids: (ChangedIDs<String>) -> [String]) -> Set<String> {
            Set(follower.reports.flatMap { ids($0.moments) })
        }
        try await eventually("the new moments") { told(\.inserted).isSuperset(of: [month, day]) }
        // Those are the moments that the app finds.
        let days = try await session.library.moments().moments
        #expect(days.contains { $0.value("id") == day })
        #expect(follower.reports.allSatisfy { !$0.albums.inserted.contains(day) })
        try add("second.jpg", "jpeg/grey.jpg")
        try await eventually("the larger moments") { told(\.updated).isSuperset(of: [month, day]) }
        for name in ["first.jpg", "second.jpg"] {
            try AtomicFile.remove(home.pictures.appending(name))
        }
        try await eventually("the end of the moments") {
            told(\.removed).isSuperset(of: [month, day])
        }
        follower.expectOrder(after: start)
    }

    @Test(arguments: CallerKind.allCases)
    func `S4.20 no signal comes before an app watches, or after it has stopped`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        _ = try await session.open()
        let follower = try await Follower(session.library)
        // It may be called without a reason.
        try await session.library.unwatchChanges()
        _ = try await session.makeAlbum("Before")
        let start = try await session.library.watchChanges().generation
        let album = try await session.makeAlbum("Sicily")
        try await follower.expect("the album") { $0.albums.inserted == [album] }
        // Watching again changes nothing, and tells where the signals are.
        #expect(
            try await session.library.watchChanges().generation
                == follower.reports.last?.generation)
        // Nothing comes to other connections of the app.
        let other = try await session.picker.anotherClient()
        let stranger = try await Follower(LibraryClient(on: other.connection))
        let second = try await session.makeAlbum("Etna")
        try await follower.expect("the second album") { $0.albums.inserted == [second] }
        try await session.library.unwatchChanges()
        _ = try await session.makeAlbum("After")
        // Whoever watches anew is told of what comes then, after what was sent before.
        let next = LibraryClient(on: other.connection)
        _ = try await next.watchChanges()
        let third = try await session.makeAlbum("Third")
        try await stranger.expect("the third album") { $0.albums.inserted == [third] }
        try await session.picker.client.settle()
        #expect(follower.reports.map(\.albums.inserted) == [[album], [second]])
        #expect(stranger.reports.count == 1)
        follower.expectOrder(after: start)
    }

    @Test(arguments: CallerKind.allCases)
    func `S4.20 an app that was away asks what has changed`(kind: CallerKind) async throws {
        let session = try await LibrarySession(kind)
        let ids = try await session.open()
        // Nobody has asked before.
        let first = try await session.library.changes(since: 0)
        #expect(first.startsOver)
        #expect(first.idCount == 0)
        #expect(first.generation < 1 << 53)
        #expect(
            try await session.library.changes(since: first.generation)
                == ChangeReport(generation: first.generation))
        let album = try await session.makeAlbum("Sicily")
        let removed = try #require(
            try await session.library.assets(ids).first { $0.value("name") == "photo 5.jpg" }?
                .value("id", as: String.self))
        let others = ids.filter { $0 != removed }
        try await session.setFavorite([others[0], others[2]])
        try await session.setFavorite([others[2]], false)
        try AtomicFile.remove(session.picker.home.pictures.appending("photo 5.jpg"))
        let report = try await eventually("the removal") {
            let report = try await session.library.changes(since: first.generation)
            return report.assets.removed.isEmpty ? nil : report
        }
        #expect(!report.startsOver && !report.hasMore)
        #expect(report.assets.removed == [removed])
        #expect(Set(report.assets.updated) == [others[0], others[2]])
        #expect(report.albums.inserted == [album, "favorites"])
        #expect(report.albums.removed == [])
        // In parts it is the same in the end.
        var (part, generations) = (first, [first.generation])
        repeat {
            part = try await session.library.changes(
                since: part.generation, ["limit": UInt32(1).variant])
            #expect(part.idCount == 1)
            generations.append(part.generation)
        } while part.hasMore
        #expect(part.generation == report.generation)
        #expect(zip(generations, generations.dropFirst()).allSatisfy(<))
        // Signals begin with what was missed.
        let follower = try await Follower(session.library)
        let (start, startsOver) = try await session.library.watchChanges(since: first.generation)
        #expect((start, startsOver) == (first.generation, false))
        try await eventually("the same", is: report.generation) {
            follower.reports.last?.generation ?? 0
        }
        #expect(follower.reports.first?.albums.inserted.first == album)
        follower.expectOrder(after: start)
        // What nobody knows.
        for unknown in [0, first.generation - 1, report.generation + 1, .max] {
            let report = try await session.library.changes(since: unknown)
            #expect(report.startsOver, "\(unknown)")
            let again = try await session.library.watchChanges(since: unknown)
            #expect(again.startsOver)
            #expect(again.generation == report.generation)
        }
        for options in [
            ["limit": UInt32(0).variant], ["limit": UInt32(1001).variant],
            ["limit": "1".variant],
        ] as [Vardict] {
            let error = await #expect(throws: DBusError.self) {
                try await session.library.changes(since: 0, options)
            }
            #expect(error?.name == .portalInvalidArgument)
            #expect(error?.message.contains("'limit'") == true)
        }
    }

    @Test func `S4.20 portal-pick prints what changes`() async throws {
        let session = try await LibrarySession(.host)
        let refused = try await session.picker.session.run("portal-pick", ["watch"])
        #expect(refused.status == 2)
        #expect(refused.errors.contains("has not let this app use the library yet"))
        let ids = try await session.open()
        let start = try await session.library.changes(since: 0).generation
        let single = try await session.picker.session.run(
            "portal-pick", ["watch", "--since", "0", "--limit", "1"])
        #expect(single.output == "start-over\n")
        let lines = try session.picker.session.start("portal-pick", ["watch", "--since", "1"])
        let json = try session.picker.session.start(
            "portal-pick",
            ["watch", "--format", "json", "--limit", "2", "--since", "\(start)"])
        // Whoever watches from an unknown generation is told so.
        try await eventually("the watch: \(lines.errorText)") {
            lines.outputText == "start-over\n"
        }
        try await session.setFavorite([ids[2]])
        try await eventually("the favorite: \(lines.outputText)") {
            lines.outputLines == [
                "start-over", "updated\tphoto\t\(ids[2])", "inserted\talbum\tfavorites",
            ]
        }
        #expect(try await json.exitStatus() == 0)
        #expect(
            json.outputLines == [
                #"{"change":"updated","generation":\#(start + 2),"id":"\#(ids[2])","kind":"photo"}"#,
                #"{"change":"inserted","generation":\#(start + 2),"id":"favorites","kind":"album"}"#,
            ])
        // A service that is started again goes on.
        try await session.picker.service.stop(SIGKILL)
        let album = try await session.makeAlbumAfterRestart("Sicily")
        try await eventually("the album: \(lines.outputText) \(lines.errorText)") {
            lines.outputLines.last == "inserted\talbum\t\(album)"
        }
        #expect(lines.outputLines.count == 4)
        try await session.setPermission("no", of: "")
        #expect(try await lines.exitStatus() == 2)
        #expect(lines.errorText.contains("changed what programs may see"))
        for words in [
            ["--limit", "0"], ["--limit", "-1"], ["--since", "x"], ["--format", "xml"],
        ] {
            let result = try await session.picker.session.run("portal-pick", ["watch"] + words)
            #expect(result.status == 64, "\(words): \(result.errors)")
        }
        try await session.setPermission("yes", of: "")
        let interrupted = try session.picker.session.start(
            "portal-pick", ["watch", "--since", "1"])
        try await eventually("the watch") { interrupted.outputText == "start-over\n" }
        #expect(try await interrupted.stop(SIGINT) == 130)
        #expect(interrupted.errorText == "")
    }
}

extension LibrarySession {
    /// Makes an album as soon as a service runs again, which is started if need be.
    fileprivate func makeAlbumAfterRestart(_ title: String) async throws -> String {
        _ = try await picker.session.startService()
        return try await makeAlbum(title)
    }
}

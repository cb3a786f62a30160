// SPDX-License-Identifier: MIT

import Files
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
}

/// The changes that an app is told.
final class Follower: Sendable {
    private let recorder = Recorder<ChangeReport>()
    private let subscription: Subscription

    init(_ library: LibraryClient) async throws {
        subscription = try await library.onChange { [recorder] in recorder.note($0) }
    }

    /// The signals so far, in their order.
    var reports: [ChangeReport] { recorder.all }

    /// Waits for a signal.
    func first<Value>(
        _ what: String, _ value: (ChangeReport) -> Value?
    ) async throws -> Value {
        try await eventually("\(what)") { reports.lazy.compactMap(value).first }
    }

    /// Waits for a signal.
    func expect(_ what: String, _ condition: (ChangeReport) -> Bool) async throws {
        try await eventually("\(what)") { reports.contains(where: condition) }
    }

    /// Checks that generations increase, and that no signal names an id twice or is too large.
    func expectOrder(after start: UInt64) {
        let generations = [start] + reports.map(\.generation)
        #expect(zip(generations, generations.dropFirst()).allSatisfy(<), "\(generations)")
        for report in reports {
            for ids in [report.assets, report.albums] {
                let all = ids.inserted + ids.updated + ids.removed
                #expect(Set(all).count == all.count)
            }
            #expect(report.idCount <= ChangeReport.mostIDs)
            #expect(report.idCount > 0)
        }
    }
}

extension ChangeReport {
    /// The number of ids in all lists.
    var idCount: Int {
        [assets, albums].reduce(0) { $0 + $1.inserted.count + $1.updated.count + $1.removed.count }
    }
}

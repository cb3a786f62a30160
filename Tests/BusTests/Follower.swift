// SPDX-License-Identifier: MIT

import Photos
import PortalClient
import PortalInterface
import SDBus
import TestSupport
import Testing

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

    /// Checks that generations increase, and that no signal is empty, is too large or names an id twice.
    func expectOrder(after start: UInt64) {
        let generations = [start] + reports.map(\.generation)
        #expect(zip(generations, generations.dropFirst()).allSatisfy(<), "\(generations)")
        for report in reports {
            for ids in [report.assets, report.albums, report.moments] {
                let all = ids.inserted + ids.updated + ids.removed
                #expect(Set(all).count == all.count)
            }
            #expect((1...ChangeReport.mostIDs).contains(report.idCount))
        }
    }
}

extension ChangeReport {
    /// The number of ids in all lists.
    var idCount: Int {
        [assets, albums, moments].reduce(0) {
            $0 + $1.inserted.count + $1.updated.count + $1.removed.count
        }
    }
}

extension LibrarySession {
    /// Makes an album, and returns its id.
    func makeAlbum(
        _ title: String, with library: LibraryClient? = nil
    ) async throws -> String {
        let results = try await (library ?? self.library).perform([
            ChangeOperation("create-album", ["title": title.variant])
        ])
        return try #require(results.first?.value("album", as: String.self))
    }

    /// Marks or unmarks favorites.
    func setFavorite(_ ids: [String], _ isFavorite: Bool = true) async throws {
        _ = try await library.perform([
            ChangeOperation(
                "set-favorite", ["assets": ids.variant, "favorite": isFavorite.variant])
        ])
    }
}

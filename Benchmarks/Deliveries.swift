// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
import PortalInterface
import SDBus
import SystemPackage
import TestSupport

/// How long an app waits after a person has chosen 10,000 photos, from the call to the response.
///
/// The backend answers at once. What nobody can save is to look at each file three times: when it is
/// opened, when it has been prepared, and before the response.
struct Deliveries {
    private static let count = 10_000

    func measure() async throws -> [Row] {
        let home = try TestHome()
        try await fillLibrary(home, count: Self.count)
        let session = try await Session.start(home: home)
        let portals = try await PortalStack.start(on: session, [.permissionStore, .documents])
        let service = try await session.startService()
        _ = try await indexingTime(service)
        _ = try await session.startBackend("pick newest \(Self.count)")
        let sandbox = try await FlatpakApp.start(on: session)
        let looking = try await milliseconds { try look(home.pictures) }
        var rows: [Row] = []
        for (name, address) in [("the host", nil), ("a Flatpak", sandbox.address)] {
            let app = try await App(session, at: address)
            // The second time, nothing has to be made that is kept.
            for round in ["first", "second"] {
                let time = try await milliseconds { try await app.pickPhotos() }
                rows.append(
                    .lessIsBetter(
                        "10,000 photos for \(name), \(round) time", unit: "ms", ours: time,
                        peer: "looking at each file three times", theirs: looking))
            }
        }
        withExtendedLifetime(portals) {}
        return rows
    }

    private func look(_ folder: FilePath) throws {
        for entry in try Directory.entries(of: folder) {
            let path = folder.appending(entry.name)
            guard entry.information.type != .directory else {
                try look(path)
                continue
            }
            let file = try Descriptor.openForReading(path)
            for _ in 0..<2 { _ = try file.information() }
            _ = try path.stat()
        }
    }
}

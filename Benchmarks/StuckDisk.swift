// SPDX-License-Identifier: MIT

import Foundation
import Processes
import SystemPackage
import TestSupport

/// How a window reacts to the person while the disk with its photos never answers.
struct StuckDisk {
    /// The number of photos on the screen without scrolling.
    private static let count = 6
    private static let rounds = 5

    private struct Reactions {
        var clicks: [Double] = []
        var cancels: [Double] = []
    }

    func measure() async throws -> [Row] {
        guard StalledDisk.isAvailable else {
            StandardError.print("stuck-disk is left out: \(StalledDisk.skipReason)")
            return []
        }
        let usual = try await reactions(isStuck: false)
        let stuck = try await reactions(isStuck: true)
        let peer = "ours, disk answers"
        return [
            .lessIsBetter(
                "click to reaction, disk never answers, median", unit: "ms",
                ours: median(stuck.clicks), peer: peer, theirs: median(usual.clicks)),
            .lessIsBetter(
                "click to reaction, disk never answers, slowest of \(stuck.clicks.count)",
                unit: "ms", ours: stuck.clicks.max() ?? .nan, peer: peer,
                theirs: usual.clicks.max() ?? .nan),
            .lessIsBetter(
                "Cancel to end of the window, disk never answers, slowest of \(stuck.cancels.count)",
                unit: "ms", ours: stuck.cancels.max() ?? .nan, peer: peer,
                theirs: usual.cancels.max() ?? .nan),
        ]
    }

    private func reactions(isStuck: Bool) async throws -> Reactions {
        let home = try TestHome()
        let disk = try await StalledDisk.mount(at: home.pictures.appending("Slow"), of: home) {
            for number in 1...Self.count {
                try home.write(
                    Fixtures.bytes("jpeg/baseline.jpg") + Array("\(number)".utf8),
                    to: $0.appending("\(number).jpg"))
            }
        }
        let session = try await Session.start(
            home: home, services: try home.startableAccessibility())
        let screen = try await Screen(home)
        let service = try await session.startService()
        let dialog = try session.start("photo-portal-dialog", environment: screen.environment)
        try await session.waitForOwner(
            of: "org.freedesktop.impl.portal.desktop.photoportal", dialog)
        _ = try await indexingTime(service)
        let viewer = try Viewer(session, screen.environment)
        // Each window asks for all thumbnails, so requests without an answer add up.
        if isStuck { try disk.stall(.open, .read, .getattr) }
        var reactions = Reactions()
        for _ in 0..<Self.rounds {
            let picker = try session.start("portal-pick")
            try await viewer.do("photos \(Self.count)")
            for index in 0..<Self.count {
                reactions.clicks.append(try await viewer.time("react \(index)"))
            }
            reactions.cancels.append(try await viewer.time("leave Cancel"))
            _ = try await picker.exitStatus()
        }
        try await disk.end()
        return reactions
    }
}

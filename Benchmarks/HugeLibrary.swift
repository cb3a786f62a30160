// SPDX-License-Identifier: MIT

import Foundation
import PortalInterface
import SDBus
import SystemPackage
import TestSupport

/// The window with 100,000 photos: what it costs while they are found, how fast it shows the first of them,
/// and its memory at their end.
struct HugeLibrary {
    private static let count = 100_000
    private static let runs = 5
    /// The most that a window may use of a core while photos are found, in percent.
    private static let indexingLimit = 10.0
    /// The most memory of a window that has shown many photos, in MiB.
    private static let memoryLimit = 80.0

    func measure() async throws -> [Row] {
        let home = try TestHome()
        try await fillLibrary(home, count: Self.count, perFolder: Self.count)
        let session = try await Session.start(
            home: home, services: try home.startableAccessibility())
        let screen = try await Screen(home)
        let viewer = try Viewer(session, screen.environment)
        let app = try await session.connect()
        var dialog = try await PickerWindow.start(session, screen)
        var rows = [try await indexing(session, viewer, dialog)]

        let folder = home.pictures.appending("Album 001")
        let chooser = try await FileChooserPeer(session, screen, app: app, start: folder)
        var warm: [Double] = []
        var cold: [Double] = []
        var otherWarm: [Double] = []
        var otherCold: [Double] = []
        // The first windows create the thumbnails and the state that later ones share.
        for run in -1..<Self.runs {
            let picture = try await PickerWindow.open("appear 10", viewer, app)
            let otherFile = try await chooser.open("appear-files", viewer)
            try await dialog.stop()
            let first = try await PickerWindow.open("appear 10", viewer, app) {
                dialog = try await PickerWindow.start(session, screen)
            }
            let otherFirst = try await chooser.open("appear-files", viewer, isCold: true)
            guard run >= 0 else { continue }
            warm.append(picture)
            otherWarm.append(otherFile)
            cold.append(first)
            otherCold.append(otherFirst)
        }
        let peer = "xdg-desktop-portal-gtk, same folder, first file names"
        let memory = try await PickerWindow.scroll(session, viewer, dialog)
        rows += [
            .lessIsBetter(
                "call to first 10 thumbnails, 100,000 photos", unit: "ms", ours: median(warm),
                peer: peer, theirs: median(otherWarm)),
            .lessIsBetter(
                "the same, with the start of the program", unit: "ms", ours: median(cold),
                peer: peer, theirs: median(otherCold)),
            .lessIsBetter(
                "memory of the dialog, after scrolling through 100,000 photos", unit: "MiB",
                ours: memory.after, peer: "the limit", theirs: Self.memoryLimit),
        ]
        return rows
    }

    /// How much the window uses from its first ten photos until all are found.
    private func indexing(
        _ session: Session, _ viewer: Viewer, _ dialog: ChildProcess
    ) async throws -> Row {
        let service = try await session.startService()
        let picker = try session.start("portal-pick")
        try await viewer.do("loaded 10")
        let before = processorTime(of: dialog.processID)
        let start = ContinuousClock.now
        _ = try await indexingTime(service)
        let (seconds, attoseconds) = start.duration(to: .now).components
        let duration = Double(seconds) + Double(attoseconds) / 1e18
        let used = processorTime(of: dialog.processID) - before
        try await picker.stop(SIGINT)
        try await viewer.do("no-window")
        return .lessIsBetter(
            "a window while 100,000 photos are found, of a core", unit: "%",
            ours: 100 * used / duration, peer: "the limit", theirs: Self.indexingLimit)
    }
}

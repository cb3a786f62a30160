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
        var dialog = try await start(session, screen)
        var rows = [try await indexing(session, screen, viewer, dialog)]

        let folder = home.pictures.appending("Album 001")
        let chooser = try await FileChooserPeer(session, screen, app: app, start: folder)
        var warm: [Double] = []
        var cold: [Double] = []
        var otherWarm: [Double] = []
        var otherCold: [Double] = []
        // The first windows create the thumbnails and the state that later ones share.
        for run in -1..<Self.runs {
            let picture = try await open(viewer, app)
            let otherFile = try await chooser.open("appear-files", viewer)
            try await dialog.stop()
            let first = try await open(viewer, app) { dialog = try await start(session, screen) }
            let otherFirst = try await chooser.open("appear-files", viewer, isCold: true)
            guard run >= 0 else { continue }
            warm.append(picture)
            otherWarm.append(otherFile)
            cold.append(first)
            otherCold.append(otherFirst)
        }
        let peer = "xdg-desktop-portal-gtk, same folder, first file names"
        rows += [
            .lessIsBetter(
                "call to first 10 thumbnails, 100,000 photos", unit: "ms", ours: median(warm),
                peer: peer, theirs: median(otherWarm)),
            .lessIsBetter(
                "the same, with the start of the program", unit: "ms", ours: median(cold),
                peer: peer, theirs: median(otherCold)),
            try await scrolling(session, screen, viewer, dialog),
        ]
        return rows
    }

    private func start(_ session: Session, _ screen: Screen) async throws -> ChildProcess {
        let dialog = try session.start(
            "photo-portal-dialog", ["--idle", "600"], environment: screen.environment)
        try await session.waitForOwner(
            of: "org.freedesktop.impl.portal.desktop.photoportal", dialog)
        return dialog
    }

    /// How much the window uses from its call until all photos are found.
    private func indexing(
        _ session: Session, _ screen: Screen, _ viewer: Viewer, _ dialog: ChildProcess
    ) async throws -> Row {
        let service = try await session.startService()
        let picker = try session.start("portal-pick", environment: screen.environment)
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

    /// The milliseconds from the call to the first ten thumbnails.
    ///
    /// - Parameter prepare: What happens between the call's beginning and the request.
    private func open(
        _ viewer: Viewer, _ app: Connection, _ prepare: () async throws -> Void = {}
    ) async throws -> Double {
        var handle: ObjectPath = "/"
        let time = try await viewer.time("appear 10") {
            try await prepare()
            handle = try await app.call(
                PhotoPickerInterface.pickImages, to: PhotoPickerInterface.busName,
                at: PhotoPickerInterface.path, on: PhotoPickerInterface.interface.name,
                Arguments("", "", [:])
            ).values
        }
        _ = try await app.call(
            RequestInterface.close, to: PhotoPickerInterface.busName, at: handle,
            on: RequestInterface.interface.name, Arguments())
        try await viewer.do("no-window")
        return time
    }

    private func scrolling(
        _ session: Session, _ screen: Screen, _ viewer: Viewer, _ dialog: ChildProcess
    ) async throws -> Row {
        let picker = try session.start("portal-pick", environment: screen.environment)
        try await viewer.do("loaded 10")
        for _ in 0..<100 {
            try await viewer.do("key " + String(repeating: "Page_Down ", count: 20))
        }
        try await viewer.do("key End")
        try await viewer.do("loaded 5")
        let memory = anonymousMemory(of: dialog.processID)
        try await picker.stop(SIGINT)
        return .lessIsBetter(
            "memory of the dialog, after scrolling through 100,000 photos", unit: "MiB",
            ours: memory, peer: "the limit", theirs: Self.memoryLimit)
    }
}

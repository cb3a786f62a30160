// SPDX-License-Identifier: MIT

import Files
import Foundation
import SystemPackage
import TestSupport

/// A library of 20,000 photos: the time to index and to show it, and the memory used.
struct LargeLibrary {
    private static let count = 20_000
    private static let runs = 5

    func measure() async throws -> [Row] {
        let home = try TestHome()
        try await fillLibrary(home, count: Self.count)
        let services = home.scratch.appending("services")
        try home.write(
            Descriptor.openForReading("/usr/share/dbus-1/services/org.a11y.Bus.service")
                .read(upTo: 10_000), to: services.appending("org.a11y.Bus.service"))
        let session = try await Session.start(home: home, services: services)
        let screen = try await Screen(home)
        var rows: [Row] = []

        var service = try await session.startService()
        let first = try await indexingTime(service)
        rows.append(.lessIsBetter("index 20,000 photos, first time", unit: "s", ours: first))
        try await service.stop()
        service = try await session.startService()
        rows.append(
            .lessIsBetter(
                "index 20,000 photos, nothing changed", unit: "s",
                ours: try await indexingTime(service)))

        let dialog = try session.start(
            "photo-portal-dialog", ["--idle", "600"], environment: screen.environment)
        try await session.waitForOwner(
            of: "org.freedesktop.impl.portal.desktop.photoportal", dialog)
        let viewer = try Viewer(session, screen.environment)
        // The first window creates the thumbnails.
        _ = try await open(session, viewer)
        var times: [Double] = []
        for _ in 0..<Self.runs { times.append(try await open(session, viewer)) }
        let chooser = try await FileChooserPeer(session, screen)
        rows.append(
            .lessIsBetter(
                "call to first 10 thumbnails, 20,000 photos", unit: "ms", ours: median(times),
                peer: "xdg-desktop-portal-gtk, call to window",
                theirs: try await chooser.timeToWindow(runs: Self.runs)))
        rows.append(
            .lessIsBetter(
                "memory of the service, idle, 20,000 photos", unit: "MiB",
                ours: anonymousMemory(of: service.processID), peer: "xdg-desktop-portal",
                theirs: anonymousMemory(of: chooser.portal.processID)))
        rows.append(contentsOf: try await scrolling(session, viewer, dialog))
        return rows
    }

    /// The time from the call until ten thumbnails are on the screen.
    private func open(_ session: Session, _ viewer: Viewer) async throws -> Double {
        var picker: ChildProcess?
        let time = try await milliseconds {
            picker = try session.start("portal-pick")
            try await viewer.do("appear 10")
        }
        try await picker?.stop(SIGINT)
        try await viewer.do("no-window")
        return time
    }

    private func scrolling(
        _ session: Session, _ viewer: Viewer, _ dialog: ChildProcess
    ) async throws -> [Row] {
        let picker = try session.start("portal-pick")
        try await viewer.do("loaded 10")
        let before = anonymousMemory(of: dialog.processID)
        for _ in 0..<100 {
            try await viewer.do("key " + String(repeating: "Page_Down ", count: 20))
        }
        try await viewer.do("key End")
        try await viewer.do("loaded 5")
        let after = anonymousMemory(of: dialog.processID)
        try await picker.stop(SIGINT)
        return [
            .lessIsBetter("memory of the dialog, first page", unit: "MiB", ours: before),
            .lessIsBetter(
                "memory of the dialog, after scrolling to the end", unit: "MiB", ours: after),
        ]
    }
}

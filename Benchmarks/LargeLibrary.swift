// SPDX-License-Identifier: MIT

import Foundation
import PortalInterface
import SDBus
import SystemPackage
import TestSupport

/// A library of 20,000 photos: the time to index and to show it, and the memory used.
struct LargeLibrary {
    private static let count = 20_000
    private static let runs = 9

    func measure() async throws -> [Row] {
        let home = try TestHome()
        try await fillLibrary(home, count: Self.count, perFolder: Self.count)
        let session = try await Session.start(
            home: home, services: try home.startableAccessibility())
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

        let dialog = try await PickerWindow.start(session, screen)
        let viewer = try Viewer(session, screen.environment)
        let app = try await session.connect()
        let folder = home.pictures.appending("Album 001")
        let chooser = try await FileChooserPeer(session, screen, app: app, start: folder)
        var windows: [Double] = []
        var pictures: [Double] = []
        var otherWindows: [Double] = []
        var otherFiles: [Double] = []
        // The first windows create the thumbnails and the state that later ones share.
        for run in -2..<Self.runs {
            let picture = try await PickerWindow.open("appear 10", viewer, app)
            let otherFile = try await chooser.open("appear-files", viewer)
            let window = try await PickerWindow.open("appear-window", viewer, app)
            let otherWindow = try await chooser.open("appear-window", viewer)
            guard run >= 0 else { continue }
            pictures.append(picture)
            windows.append(window)
            otherFiles.append(otherFile)
            otherWindows.append(otherWindow)
        }
        let peer = "xdg-desktop-portal-gtk, same folder"
        rows.append(
            .lessIsBetter(
                "call to first 10 thumbnails, 20,000 photos", unit: "ms", ours: median(pictures),
                peer: "\(peer), first file names", theirs: median(otherFiles)))
        rows.append(
            .lessIsBetter(
                "call to window, 20,000 photos", unit: "ms", ours: median(windows),
                peer: "\(peer), still empty", theirs: median(otherWindows)))
        rows.append(
            .lessIsBetter(
                "memory of the service, idle, 20,000 photos", unit: "MiB",
                ours: anonymousMemory(of: service.processID), peer: "xdg-desktop-portal",
                theirs: anonymousMemory(of: chooser.portal.processID)))
        let memory = try await PickerWindow.scroll(session, viewer, dialog)
        rows += [
            .lessIsBetter("memory of the dialog, first page", unit: "MiB", ours: memory.before),
            .lessIsBetter(
                "memory of the dialog, after scrolling to the end", unit: "MiB",
                ours: memory.after),
        ]
        return rows
    }
}

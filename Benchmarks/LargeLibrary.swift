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

        let dialog = try session.start(
            "photo-portal-dialog", ["--idle", "600"], environment: screen.environment)
        try await session.waitForOwner(
            of: "org.freedesktop.impl.portal.desktop.photoportal", dialog)
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
            let picture = try await open("appear 10", viewer, app)
            let otherFile = try await chooser.open("appear-files", viewer)
            let window = try await open("appear-window", viewer, app)
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
        rows.append(contentsOf: try await scrolling(session, viewer, dialog))
        return rows
    }

    /// The milliseconds from the call to the event that a command waits for.
    private func open(
        _ command: String, _ viewer: Viewer, _ app: Connection
    ) async throws -> Double {
        var handle: ObjectPath = "/"
        let time = try await viewer.time(command) {
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

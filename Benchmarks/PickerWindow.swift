// SPDX-License-Identifier: MIT

import Glibc
import PortalInterface
import SDBus
import TestSupport

/// What a person does with the photo window.
enum PickerWindow {
    /// Asks for photos, and closes the window again.
    ///
    /// - Parameter prepare: What has to happen before the request, and counts.
    /// - Returns: The milliseconds from the call to the event that a command waits for.
    static func open(
        _ command: String, _ viewer: Viewer, _ app: Connection,
        _ prepare: () async throws -> Void = {}
    ) async throws -> Double {
        var handle: ObjectPath = "/"
        let time = try await viewer.time(command) {
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

    /// Scrolls through all photos of a window.
    ///
    /// - Returns: The memory of the dialog before and after that, in MiB.
    static func scroll(
        _ session: Session, _ viewer: Viewer, _ dialog: ChildProcess
    ) async throws -> (before: Double, after: Double) {
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
        return (before, after)
    }

    /// Starts the program that shows it.
    static func start(_ session: Session, _ screen: Screen) async throws -> ChildProcess {
        let dialog = try session.start(
            "photo-portal-dialog", ["--idle", "600"], environment: screen.environment)
        try await session.waitForOwner(
            of: "org.freedesktop.impl.portal.desktop.photoportal", dialog)
        return dialog
    }
}

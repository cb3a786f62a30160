// SPDX-License-Identifier: MIT

package import GtkKit
package import SystemPackage

/// What the windows know of cameras, and of what has to do with them.
@UIActor
package final class CameraDevices {
    /// The program that uses cameras.
    package nonisolated let program: FilePath
    /// The folder for pictures; nil if there is none.
    package nonisolated let pictures: FilePath?

    package enum Availability: Sendable {
        case absent, present
        /// The desktop does not allow cameras.
        case forbidden
    }

    /// Whether there is a camera, as far as anybody tells without using one.
    package var availability = Availability.absent {
        didSet { if availability != oldValue { tell() } }
    }
    /// Whether the screen is locked, so that nobody should be filmed.
    package var isScreenLocked = false { didSet { if isScreenLocked != oldValue { tell() } } }
    /// How the device is held: quarter turns clockwise from its usual position.
    package var deviceTurn = 0 { didSet { if deviceTurn != oldValue { tell() } } }

    /// Called when the first page with a camera has opened, with true, and when the last one has closed.
    package var onUse: @UIActor (Bool) -> Void = { _ in }

    private var watchers: [ObjectIdentifier: @UIActor () -> Void] = [:]
    private var pages = 0

    package nonisolated init(program: FilePath, pictures: FilePath?) {
        self.program = program
        self.pictures = pictures
    }

    /// A watch, which ends when this object is released.
    @UIActor
    final class Watch {
        private weak var devices: CameraDevices?

        fileprivate init(_ devices: CameraDevices) {
            self.devices = devices
        }

        isolated deinit { devices?.watchers[ObjectIdentifier(self)] = nil }
    }

    /// Calls `handler` when something has changed.
    func watch(_ handler: @escaping @UIActor () -> Void) -> Watch {
        let watch = Watch(self)
        watchers[ObjectIdentifier(watch)] = handler
        return watch
    }

    private func tell() {
        for handler in watchers.values { handler() }
    }

    /// Counts the pages with a camera.
    func beginUse() {
        pages += 1
        if pages == 1 { onUse(true) }
    }

    func endUse() {
        pages -= 1
        if pages == 0 { onUse(false) }
    }
}

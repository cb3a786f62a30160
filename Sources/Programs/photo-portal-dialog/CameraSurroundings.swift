// SPDX-License-Identifier: MIT

import CameraPresence
import GtkKit
import Logging
import PickerDialog
import PortalInterface
import SDBus

/// Tells the windows what the desktop knows of cameras: whether there is one, whether the screen is locked,
/// and how the device is held.
@BusActor
final class CameraSurroundings {
    private let connection: Connection
    private let devices: CameraDevices
    private let logger: Logger
    private let presence: CameraPresence
    private var locks: [Subscription] = []
    private var sensing: Task<Void, Never>?

    init(on connection: Connection, logger: Logger, _ devices: CameraDevices) {
        self.connection = connection
        self.devices = devices
        self.logger = logger
        presence = CameraPresence(on: connection, logger: logger) { isPresent in
            Task { @UIActor in devices.isPresent = isPresent }
        }
    }

    /// Begins to follow.
    func follow() async {
        await followLocks()
        Task { @UIActor [weak self, devices] in
            devices.onUse = { isUsed in
                Task { @BusActor in self?.sense(isUsed) }
            }
        }
        await presence.follow()
    }

    // MARK: - The lock screen

    private func followLocks() async {
        for name in ScreenLockInterfaces.busNames {
            do throws(DBusError) {
                guard let interface = InterfaceName(name.rawValue) else { continue }
                locks.append(
                    try await connection.subscribe(
                        to: ScreenLockInterfaces.activeChanged, of: interface, from: name
                    ) { [devices] _, content in
                        let isActive = content.values
                        Task { @UIActor in devices.isScreenLocked = isActive }
                    })
            } catch {
                logger.debug("Nobody tells when the screen is locked: \(error.name)")
            }
        }
    }

    // MARK: - How the device is held

    private func sense(_ isUsed: Bool) {
        sensing?.cancel()
        sensing =
            isUsed
            ? Task {
                await DeviceSensor.follow(logger) { [devices] quarters in
                    Task { @UIActor in devices.deviceTurn = quarters }
                }
            } : nil
    }
}

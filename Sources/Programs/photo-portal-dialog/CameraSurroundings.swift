// SPDX-License-Identifier: MIT

import CameraPresence
import GtkKit
import Logging
import PickerDialog
import PortalInterface
import SDBus
import Settings

/// Tells the windows what the desktop knows of cameras: whether there is one, whether the screen is locked,
/// and how the device is held.
@BusActor
final class CameraSurroundings {
    private let connection: Connection
    private let devices: CameraDevices
    private let logger: Logger
    private let presence: CameraPresence
    private var subscriptions: [Subscription] = []
    /// The lock screens that are active.
    private var locked: Set<BusName> = []
    private var sensing: Task<Void, Never>?

    init(on connection: Connection, logger: Logger, _ devices: CameraDevices) {
        self.connection = connection
        self.devices = devices
        self.logger = logger
        let lockdowns = PortalBackend.all(
            offering: LockdownInterface.name.rawValue
        ).compactMap { BusName($0.busName) }
        presence = CameraPresence(on: connection, lockdowns: lockdowns, logger: logger) {
            availability in
            Task { @UIActor in devices.availability = availability.ofDevices }
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

    /// Each of them speaks for itself: what one says ends with it, and unlocks no other one.
    private func followLocks() async {
        for name in ScreenLockInterfaces.busNames {
            do throws(DBusError) {
                guard let interface = InterfaceName(name.rawValue) else { continue }
                subscriptions.append(
                    try await connection.subscribe(
                        to: ScreenLockInterfaces.activeChanged, of: interface, from: name
                    ) { [weak self] _, content in self?.note(name, isActive: content.values) })
                subscriptions.append(
                    try await connection.watchOwner(of: name) { [weak self] owner in
                        self?.ask(name, owner, interface)
                    })
                ask(name, try await connection.owner(of: name), interface)
            } catch {
                logger.debug("Nobody tells when the screen is locked: \(error.name)")
            }
        }
    }

    /// Asks a lock screen whether it is active; one that does not run is not started.
    private func ask(_ name: BusName, _ owner: BusName?, _ interface: InterfaceName) {
        note(name, isActive: false)
        guard let owner,
            let path = ObjectPath("/" + name.rawValue.split(separator: ".").joined(separator: "/"))
        else { return }
        Task { [connection, weak self, logger] in
            do throws(DBusError) {
                let active = try await connection.call(
                    ScreenLockInterfaces.getActive, to: owner, at: path, on: interface, Arguments(),
                    timeout: .seconds(25))
                if active.values { self?.note(name, isActive: true) }
            } catch {
                logger.debug("\(name) does not tell whether the screen is locked: \(error.name)")
            }
        }
    }

    private func note(_ name: BusName, isActive: Bool) {
        if isActive { locked.insert(name) } else { locked.remove(name) }
        let isLocked = !locked.isEmpty
        Task { @UIActor [devices] in devices.isScreenLocked = isLocked }
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

extension CameraAvailability {
    /// The same for the windows.
    fileprivate var ofDevices: CameraDevices.Availability {
        switch self {
        case .absent: .absent
        case .present: .present
        case .forbidden: .forbidden
        }
    }
}

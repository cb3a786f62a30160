// SPDX-License-Identifier: MIT

import Files
package import Logging
import PortalInterface
package import SDBus
package import SystemPackage

/// Whether the person can take photos, as far as anybody tells without using a camera.
package enum CameraAvailability: Hashable, Sendable {
    /// There is no camera, or nobody has said that there is one.
    case absent
    case present
    /// The desktop does not allow cameras, whether or not there is one.
    case forbidden
}

/// Follows whether this computer has a camera that may be used, without using one.
///
/// PipeWire knows, but its library is loaded only where a camera is used. xdg-desktop-portal is connected
/// with it anyway and tells; where that does not run, the kernel's devices count.
@BusActor
package final class CameraPresence {
    private let connection: Connection
    private let devices: VideoDevices
    private let folder: FilePath
    private let logger: Logger
    private let lockdown: CameraLockdown
    private let changed: @BusActor (CameraAvailability) -> Void
    private var subscriptions: [Subscription] = []
    private var watching: Task<Void, Never>?
    private var asking: Task<Void, Never>?
    private var isOffered = false { didSet { report() } }
    private var isPluggedIn = false { didSet { report() } }

    package private(set) var availability = CameraAvailability.absent

    /// How long udev takes to find out what a new device is.
    private static let pause = Duration.milliseconds(500)

    /// - Parameters:
    ///   - connection: To the session bus.
    ///   - lockdowns: The backends of xdg-desktop-portal that know whether cameras are allowed.
    ///   - folder: Where device files appear.
    ///   - changed: Called with each change.
    package init(
        on connection: Connection, _ devices: VideoDevices = VideoDevices(),
        in folder: FilePath = "/dev", lockdowns: [BusName], logger: Logger,
        changed: @escaping @BusActor (CameraAvailability) -> Void
    ) {
        self.connection = connection
        self.devices = devices
        self.folder = folder
        self.logger = logger
        self.changed = changed
        lockdown = CameraLockdown(on: connection, lockdowns, logger: logger)
        lockdown.changed = { [weak self] in self?.report() }
    }

    deinit {
        watching?.cancel()
        asking?.cancel()
    }

    private func report() {
        let availability: CameraAvailability =
            lockdown.isForbidden ? .forbidden : isOffered || isPluggedIn ? .present : .absent
        guard availability != self.availability else { return }
        self.availability = availability
        changed(availability)
    }

    /// Begins to follow; returns once the first answers are there.
    package func follow() async {
        // A camera that is forbidden is not offered even for a moment.
        await lockdown.follow()
        followDevices()
        await followPortal()
    }

    // MARK: - The kernel's devices

    private func followDevices() {
        isPluggedIn = devices.captures
        do throws(Errno) {
            let watch = try FolderWatch()
            try watch.add(folder)
            // The folder may have changed before it was watched.
            isPluggedIn = devices.captures
            watching = Task { [weak self] in
                for await _ in watch.events {
                    guard (try? await Task.sleep(for: Self.pause)) != nil, let self else { return }
                    isPluggedIn = devices.captures
                }
            }
        } catch {
            logger.warning(
                "Cameras that are plugged in are not noticed.", metadata: ["error": "\(error)"])
        }
    }

    // MARK: - xdg-desktop-portal

    /// Asks whoever is xdg-desktop-portal now and later, but starts none.
    private func followPortal() async {
        do throws(DBusError) {
            let interface = CameraPortalInterface.interface.name
            subscriptions.append(
                try await connection.subscribe(
                    to: PropertiesInterface.propertiesChanged, of: PropertiesInterface.name,
                    from: CameraPortalInterface.busName, at: CameraPortalInterface.path,
                    firstArgument: interface.rawValue
                ) { [weak self] _, content in self?.use(content.values.1) })
            subscriptions.append(
                try await connection.watchOwner(of: CameraPortalInterface.busName) {
                    [weak self] owner in
                    self?.ask(owner)
                })
            ask(try await connection.owner(of: CameraPortalInterface.busName))
            await asking?.value
        } catch {
            logger.debug("Nobody tells about cameras: \(error.name)")
        }
    }

    private func ask(_ owner: BusName?) {
        asking?.cancel()
        asking = nil
        guard let owner else {
            isOffered = false
            return
        }
        asking = Task { [connection, weak self, logger] in
            do throws(DBusError) {
                let properties = try await connection.call(
                    PropertiesInterface.getAll, to: owner, at: CameraPortalInterface.path,
                    on: PropertiesInterface.name,
                    Arguments(CameraPortalInterface.interface.name.rawValue), timeout: .seconds(25))
                guard !Task.isCancelled else { return }
                self?.use(properties.values)
            } catch {
                // It has this interface only where something asks people for their permission.
                logger.debug("xdg-desktop-portal does not tell about cameras: \(error.name)")
            }
        }
    }

    private func use(_ properties: Vardict) {
        let name = CameraPortalInterface.isCameraPresent.name.rawValue
        guard let isPresent = properties.value(name, as: Bool.self) else { return }
        isOffered = isPresent
    }
}

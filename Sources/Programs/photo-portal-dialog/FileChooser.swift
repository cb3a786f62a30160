// SPDX-License-Identifier: MIT

import Desktop
import Logging
import Photos
import PickerDialog
import PortalBackend
import PortalInterface
import SDBus
import Settings

/// Serves apps that ask xdg-desktop-portal for files, with our window if they want only pictures.
enum FileChooser {
    /// Exports the interface on the bus.
    ///
    /// - Parameter onActivity: Called with true when a request begins and with false when it ends.
    static func serve(
        on connection: Connection, _ windows: WindowSystem, _ environment: PickerEnvironment,
        _ settings: Settings, _ logger: Logger, onActivity: @escaping @Sendable (Bool) async -> Void
    ) async throws -> FileChooserBackend {
        try await FileChooserBackend(
            on: connection, delegates: FileBackends.names(preferring: settings.fileChooser),
            classifier: FilterClassifier { suffix in
                ContentType.name(ofExtension: suffix).flatMap { MediaType($0) }
            },
            logger: logger, onActivity: onActivity
        ) { [weak connection] request in
            // The service keeps the library up to date, but nothing has called it yet.
            Task { [weak connection] in await startService(connection, logger) }
            do throws(DBusError) {
                try await windows.ready()
            } catch {
                logger.error("\(error.message)")
                return .ended
            }
            return await PickerWindow.run(request, environment)
        }
    }

    /// Asks the bus to start the service; the window does not wait for it.
    private static func startService(_ connection: Connection?, _ logger: Logger) async {
        do {
            _ = try await connection?.call(
                Method<Arguments<>, Arguments<>>("Ping"), to: PhotoPickerInterface.busName,
                at: PhotoPickerInterface.path, on: "org.freedesktop.DBus.Peer", Arguments())
        } catch {
            logger.error("The service cannot be started, so no new photos are found: \(error.name)")
        }
    }
}

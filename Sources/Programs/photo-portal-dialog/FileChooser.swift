// SPDX-License-Identifier: MIT

import Desktop
import Logging
import Photos
import PickerDialog
import PortalBackend
import PortalInterface
import SDBus
import Settings
import SystemPackage

/// Serves apps that ask xdg-desktop-portal for files, with our window if they want only pictures.
@BusActor
final class FileChooser {
    private let connection: Connection
    private let windows: WindowSystem
    private let environment: PickerEnvironment
    private let apps: RequestingApps
    private let memory: ChooserMemory
    private let logger: Logger
    private var backend: FileChooserBackend?

    /// Exports the interface on the bus.
    ///
    /// - Parameter onActivity: Called with true when a request begins and with false when it ends.
    init(
        on connection: Connection, _ windows: WindowSystem, _ apps: RequestingApps,
        _ environment: PickerEnvironment, _ settings: Settings, _ logger: Logger,
        onActivity: @escaping @Sendable (Bool) async -> Void
    ) throws {
        self.connection = connection
        self.windows = windows
        self.environment = environment
        self.apps = apps
        self.logger = logger
        memory = ChooserMemory(logger: logger)
        backend = try FileChooserBackend(
            on: connection, delegates: FileBackends.names(preferring: settings.fileChooser),
            classifier: FilterClassifier { suffix in
                ContentType.name(ofExtension: suffix).flatMap { MediaType($0) }
            },
            logger: logger, onActivity: onActivity,
            onFailure: { [weak self] failure in await self?.explain(failure) }
        ) { [weak self] request, departure in
            await self?.choose(request, departure) ?? .ended
        }
    }

    /// Closes all forwarded requests; call this before closing the connection.
    func closeAll() {
        backend?.closeAll()
    }

    private func choose(
        _ request: FileRequest, _ departure: AsyncStream<Void>
    ) async -> FileOutcome {
        // The service keeps the library up to date, but nothing has called it yet.
        Task { [weak self] in await self?.startService() }
        do throws(DBusError) {
            try await windows.ready()
        } catch {
            logger.error("\(error.message)")
            return .ended
        }
        let app = Task { await apps.app(request.pick.appID, of: request.pick.handle) }
        let completed = Task { await prepare(request, for: await app.value) }
        let outcome = await PickerWindow.run(
            request, completed: completed, environment, departure)
        if case .chosen(let answer) = outcome { await remember(answer, for: await app.value) }
        return outcome
    }

    private func explain(_ failure: FileDialogFailure) async {
        do throws(DBusError) {
            try await windows.ready()
        } catch {
            return logger.error("\(error.message)")
        }
        await NoticeWindow.run(failure)
    }

    /// Asks the bus to start the service; the window does not wait for it.
    private func startService() async {
        do {
            _ = try await connection.call(
                Method<Arguments<>, Arguments<>>("Ping"), to: PhotoPickerInterface.busName,
                at: PhotoPickerInterface.path, on: "org.freedesktop.DBus.Peer", Arguments())
        } catch {
            logger.error("The service cannot be started, so no new photos are found: \(error.name)")
        }
    }

    // MARK: - What is known of the app

    private func prepare(_ request: FileRequest, for app: RequestingApp) async -> FileRequest {
        var request = request
        request.pick.app = app
        let known = await memory.entry(of: Self.key(app))
        request.removesLocation = known.removesLocation ?? app.isPrivacyExpected
        // xdg-desktop-portal 1.20 remembers where the last photo was; the person did not ask for
        // nothing but that folder from then on.
        let folder = request.folder.flatMap { bytes in
            FileURI.make(FilePath(platformString: bytes.map { CChar(bitPattern: $0) } + [0]))
        }
        if folder != nil, folder == known.folder { request.folder = nil }
        do throws(DBusError) {
            if let path = ObjectPath(request.pick.handle),
                let sender = RequestHandle.sender(of: path)
            {
                request.copyOwner = try await CopyOwner.text(of: sender, on: connection)
            }
        } catch {
            logger.error("The bus does not tell its id: \(error.name)")
        }
        return request
    }

    private func remember(_ answer: FileAnswer, for app: RequestingApp) async {
        await memory.update(Self.key(app)) { entry in
            // Unknown apps share an entry, and one of them may be an editor.
            if let removes = answer.removesLocation, !app.id.isEmpty {
                entry.removesLocation = removes
            }
            entry.folder = answer.folder
        }
    }

    private static func key(_ app: RequestingApp) -> String {
        app.id.isEmpty ? "unknown" : app.id
    }
}

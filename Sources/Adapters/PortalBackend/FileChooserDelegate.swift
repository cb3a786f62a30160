// SPDX-License-Identifier: MIT

import Logging
import PortalInterface
import SDBus

/// The backend that shows ordinary file dialogs; other calls are forwarded to it.
@BusActor
final class FileChooserDelegate {
    typealias Reply = Arguments<UInt32, Vardict>

    private let name: BusName
    private let connection: Connection
    private let logger: Logger
    /// The forwarded requests in progress.
    private var handles: Set<ObjectPath> = []

    init(_ name: BusName, on connection: Connection, logger: Logger) {
        self.name = name
        self.connection = connection
        self.logger = logger
    }

    static let ended = Reply(ResponseCode.ended.rawValue, [:])

    /// Forwards a call and waits for the reply, without a time-out.
    ///
    /// Cancelling the task closes the forwarded request. If the delegate is missing, fails or ends,
    /// the result is ``ended``.
    func call(
        _ method: FileChooserInterface.Choose,
        _ arguments: Arguments<ObjectPath, String, String, String, Vardict>
    ) async -> Reply {
        let handle = arguments.values.0
        do throws(DBusError) {
            guard try await !isOurselves() else {
                logger.error("The backend for files is this program", metadata: metadata(handle))
                return Self.ended
            }
            handles.insert(handle)
            defer { handles.remove(handle) }
            return try await connection.call(
                method, to: name, at: FileChooserInterface.path,
                on: FileChooserInterface.interface.name, arguments, timeout: nil)
        } catch {
            if Task.isCancelled {
                close(handle)
            } else {
                logger.error(
                    "The backend for files did not answer: \(error.name)",
                    metadata: metadata(handle))
            }
            return Self.ended
        }
    }

    /// Closes all forwarded requests.
    func closeAll() {
        for handle in handles {
            // Fails only if our connection has ended, which the delegate notices.
            try? connection.send(
                BackendRequestInterface.close, to: name, at: handle,
                on: BackendRequestInterface.interface.name, Arguments())
        }
    }

    private func isOurselves() async throws(DBusError) -> Bool {
        if name == PickerBackendInterface.defaultBusName { return true }
        guard let owner = try await connection.owner(of: name) else { return false }
        return owner == connection.uniqueName
    }

    private func close(_ handle: ObjectPath) {
        // A call that may start the delegate, so that it queues behind the forwarded call while the
        // bus starts the delegate. An error means that the request no longer exists.
        Task {
            _ = try? await connection.call(
                BackendRequestInterface.close, to: name, at: handle,
                on: BackendRequestInterface.interface.name, Arguments())
        }
    }

    private func metadata(_ handle: ObjectPath) -> Logger.Metadata {
        ["handle": "\(handle)", "backend": "\(name)"]
    }
}

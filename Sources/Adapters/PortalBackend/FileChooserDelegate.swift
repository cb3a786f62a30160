// SPDX-License-Identifier: MIT

import Logging
import Photos
import PortalInterface
import SDBus

/// The backends that show ordinary file dialogs; other calls are forwarded to the first that is there.
@BusActor
final class FileChooserDelegate {
    typealias Reply = Arguments<UInt32, Vardict>

    private let names: [BusName]
    private let connection: Connection
    private let logger: Logger
    /// The forwarded requests in progress, and who works on each.
    private var handles: [ObjectPath: BusName] = [:]

    /// - Parameter names: The backends, best first.
    init(_ names: [BusName], on connection: Connection, logger: Logger) {
        self.names = names
        self.connection = connection
        self.logger = logger
    }

    /// How a forwarded call ended.
    enum Outcome {
        case reply(Reply)
        /// The person does not know yet that there is no file dialog.
        case failure(FileDialogFailure.Cause)
    }

    static let ended = Reply(ResponseCode.ended.rawValue, [:])

    /// Whether one of the backends runs or can be started.
    func isThere() async -> Bool {
        do throws(DBusError) {
            let activatable = try await connection.activatableNames()
            for name in names where try await !isOurselves(name) {
                if activatable.contains(name.rawValue) { return true }
                if try await connection.owner(of: name) != nil { return true }
            }
        } catch {
            logger.error("The bus does not tell which backends there are: \(error.name)")
        }
        return false
    }

    /// Forwards a call and waits for the reply, without a time-out.
    ///
    /// Cancelling the task closes the forwarded request.
    ///
    /// - Returns: The reply, or why there is none; ``ended`` if the request or our connection has
    ///   ended.
    func call(
        _ method: FileChooserInterface.Choose,
        _ arguments: Arguments<ObjectPath, String, String, String, Vardict>
    ) async -> Outcome {
        let (handle, appID, parentWindow, title, options) = arguments.values
        // No option of this interface has a descriptor, so ours were closed unread.
        let forwarded = Arguments(
            handle, appID, parentWindow, title, options.filter { !$0.value.lacksDescriptor })
        for name in names {
            do throws(DBusError) {
                guard try await !isOurselves(name) else {
                    logger.error(
                        "The backend for files is this program", metadata: metadata(handle, name))
                    continue
                }
                handles[handle] = name
                defer { handles[handle] = nil }
                return .reply(
                    try await connection.call(
                        method, to: name, at: FileChooserInterface.path,
                        on: FileChooserInterface.interface.name, forwarded, timeout: nil))
            } catch {
                if Task.isCancelled {
                    close(handle, name)
                    return .reply(Self.ended)
                }
                logger.error(
                    "The backend for files did not answer: \(error.name)",
                    metadata: metadata(handle, name))
                // Our own connection, so that the caller has left, too.
                guard error != .disconnected else { return .reply(Self.ended) }
                guard error.name.isAbsence else { return .failure(.hasFailed) }
            }
        }
        return .failure(.isMissing)
    }

    /// Closes all forwarded requests.
    func closeAll() {
        for (handle, name) in handles {
            // Fails only if our connection has ended, which the backend notices.
            try? connection.send(
                BackendRequestInterface.close, to: name, at: handle,
                on: BackendRequestInterface.interface.name, Arguments())
        }
    }

    private func isOurselves(_ name: BusName) async throws(DBusError) -> Bool {
        if name == PickerBackendInterface.defaultBusName { return true }
        guard let owner = try await connection.owner(of: name) else { return false }
        return owner == connection.uniqueName
    }

    private func close(_ handle: ObjectPath, _ name: BusName) {
        // A call that may start the backend, so that it queues behind the forwarded call while the
        // bus starts the backend. An error means that the request no longer exists.
        Task {
            _ = try? await connection.call(
                BackendRequestInterface.close, to: name, at: handle,
                on: BackendRequestInterface.interface.name, Arguments())
        }
    }

    private func metadata(_ handle: ObjectPath, _ name: BusName) -> Logger.Metadata {
        ["handle": "\(handle)", "backend": "\(name)"]
    }
}

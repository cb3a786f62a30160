// SPDX-License-Identifier: MIT

package import Photos
import PortalInterface
package import SDBus

/// Asks the person about the library, in a window of the backend.
@BusActor
package final class ConsentDialog {
    private let connection: Connection
    private let backend: BusName
    private var questions = 0

    /// Makes a dialog.
    ///
    /// - Parameter connection: The owner of the service's bus name; the backend trusts no other.
    package init(on connection: Connection, backend: BusName) {
        self.connection = connection
        self.backend = backend
    }

    /// Asks the person about the library, without a time-out.
    ///
    /// Cancelling the task closes the window.
    ///
    /// - Throws: ``DBusError`` if the backend is missing, fails or ends.
    package func ask(
        _ request: AuthorizationRequest
    ) async throws(DBusError) -> AuthorizationDecision {
        let reply = try await ask(PickerBackendInterface.authorize) { handle in
            AuthorizationAnswer.encode(request, at: handle)
        }
        return AuthorizationAnswer.decode(reply, for: request.level)
    }

    /// Asks the person whether photos may be moved to the trash; otherwise like ``ask(_:)``.
    package func confirm(_ request: DeletionRequest) async throws(DBusError) -> Bool {
        let reply = try await ask(PickerBackendInterface.confirmDeletion) { handle in
            DeletionAnswer.encode(request, at: handle)
        }
        return ResponseCode(reply.values.0) == .success
    }

    private func ask<Input: ArgumentList>(
        _ method: Method<Input, Arguments<UInt32, Vardict>>, _ input: (ObjectPath) -> Input
    ) async throws(DBusError) -> Arguments<UInt32, Vardict> {
        questions += 1
        guard let sender = connection.uniqueName, let token = HandleToken("consent\(questions)"),
            let handle = RequestHandle.path(of: sender, token: token)
        else { throw .disconnected }
        do {
            return try await connection.call(
                method, to: backend, at: PickerBackendInterface.path,
                on: PickerBackendInterface.interface.name, input(handle), timeout: nil)
        } catch {
            if Task.isCancelled {
                // Fails only if our connection has ended, which closes the window, too. The bus may
                // still be starting the backend for the call that opens it.
                try? connection.send(
                    BackendRequestInterface.close, to: backend, at: handle,
                    on: BackendRequestInterface.interface.name, Arguments(), startsService: true)
            }
            throw error
        }
    }
}

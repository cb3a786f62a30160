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

    /// Asks the person, without a time-out.
    ///
    /// Cancelling the task closes the window.
    ///
    /// - Throws: ``DBusError`` if the backend is missing, fails or ends.
    package func ask(
        _ request: AuthorizationRequest
    ) async throws(DBusError) -> AuthorizationDecision {
        questions += 1
        guard let sender = connection.uniqueName, let token = HandleToken("consent\(questions)"),
            let handle = RequestHandle.path(of: sender, token: token)
        else { throw .disconnected }
        do {
            let reply = try await connection.call(
                PickerBackendInterface.authorize, to: backend, at: PickerBackendInterface.path,
                on: PickerBackendInterface.interface.name,
                AuthorizationAnswer.encode(request, at: handle), timeout: nil)
            return AuthorizationAnswer.decode(reply, for: request.level)
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

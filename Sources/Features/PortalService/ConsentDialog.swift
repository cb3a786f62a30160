// SPDX-License-Identifier: MIT

package import Photos
import PortalInterface
package import SDBus

/// Asks a person about the library by way of the backend that shows windows.
@BusActor
package final class ConsentDialog {
    private let connection: Connection
    private let backend: BusName
    private var questions = 0

    /// Makes an asker.
    ///
    /// - Parameter connection: The one that owns the service's name: the backend believes no other.
    package init(on connection: Connection, backend: BusName) {
        self.connection = connection
        self.backend = backend
    }

    /// Asks, however long the person takes; cancelling the task closes the window.
    ///
    /// - Throws: ``DBusError`` when the backend is missing, fails or ends.
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
                // It fails only when our own connection has ended, and with it the question.
                try? connection.send(
                    BackendRequestInterface.close, to: backend, at: handle,
                    on: BackendRequestInterface.interface.name, Arguments())
            }
            throw error
        }
    }
}

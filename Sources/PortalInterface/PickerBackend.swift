// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// Serves `org.freedesktop.impl.portal.PhotoPicker` with whatever shows the window.
@BusActor
package final class PickerBackend {
    /// Lets a person choose.
    ///
    /// Cancelled when the request is closed; its result is then not used. An error it throws is
    /// the reply to the call.
    package typealias Handler =
        @Sendable (PickMethod, PickRequest) async throws(DBusError) -> PickOutcome

    private let connection: Connection
    private let trustedName: BusName
    private let handler: Handler
    private var requests = 0
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []
    private var export: Export?

    /// Whether no request is under way.
    package var isIdle: Bool { requests == 0 }

    /// Exports the interface.
    ///
    /// Ask for the bus name after this, so that no call is missed.
    ///
    /// - Parameters:
    ///   - trustedName: Only the owner of this name is answered: it vouches for `app_id`.
    package init(
        on connection: Connection, trusting trustedName: BusName = PhotoPickerInterface.busName,
        handler: @escaping Handler
    ) throws(WireError) {
        self.connection = connection
        self.trustedName = trustedName
        self.handler = handler
        export = try connection.export(
            PickerBackendInterface.interface, at: PickerBackendInterface.path
        ) { [weak self] export in
            export.property(PickerBackendInterface.version) { 1 }
            export.method(PickerBackendInterface.openImage) { call throws(DBusError) in
                guard let self else { throw .disconnected }
                return try await self.serve(.openImage, call)
            }
            export.method(PickerBackendInterface.pickImages) { call throws(DBusError) in
                guard let self else { throw .disconnected }
                return try await self.serve(.pickImages, call)
            }
        }
    }

    private func serve(
        _ method: PickMethod,
        _ call: IncomingCall<Arguments<ObjectPath, String, String, String, Vardict>>
    ) async throws(DBusError) -> Arguments<UInt32, Vardict> {
        let (handle, appID, parentWindow, title, vardict) = call.input.values
        // On the bus before anything is waited for: a Close right behind the call must find it.
        let request = try BackendRequest(
            handle, of: call.sender, on: connection, ended: PickOutcome.ended)
        defer { request.withdraw() }
        requests += 1
        defer { requests -= 1 }
        guard try await connection.owner(of: trustedName) == call.sender else {
            throw .accessDenied("Only \(trustedName) may ask for photos here")
        }
        let options = try ParsedOptions(vardict, of: method).pick
        let pick = PickRequest(
            appID: appID, parentWindow: parentWindow, title: title, options: options)
        let handler = handler
        let outcome = try await request.run { () async throws(DBusError) in
            try await handler(method, pick)
        }
        return BackendAnswer.encode(outcome)
    }
}

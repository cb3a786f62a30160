// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// Serves `org.freedesktop.impl.portal.PhotoPicker` with whatever shows the window.
@BusActor
package final class PickerBackend {
    /// Lets a person choose.
    ///
    /// Cancelled when the request is closed; its result is then not used.
    package typealias Handler = @Sendable (PickMethod, PickRequest) async -> PickOutcome

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
        guard try await connection.owner(of: trustedName) == call.sender else {
            throw .accessDenied("Only \(trustedName) may ask for photos here")
        }
        let (handle, appID, parentWindow, title, vardict) = call.input.values
        let options = try ParsedOptions(vardict, of: method).pick
        let request = PickRequest(
            appID: appID, parentWindow: parentWindow, title: title, options: options)
        requests += 1
        defer { requests -= 1 }
        let handler = handler
        let outcome = try await BackendRequest.run(handle, of: call.sender, on: connection) {
            await handler(method, request)
        }
        return BackendAnswer.encode(outcome)
    }
}

/// One request that a backend works on: on the bus while the work goes on.
@BusActor
private final class BackendRequest {
    private var work: Task<PickOutcome, Never>?
    private var isClosed = false

    /// Runs the work with `org.freedesktop.impl.portal.Request` at `handle`.
    ///
    /// Close, and the end of the connection that started it, cancel the work.
    static func run(
        _ handle: ObjectPath, of sender: BusName, on connection: Connection,
        _ body: @escaping @Sendable () async -> PickOutcome
    ) async throws(DBusError) -> PickOutcome {
        let request = BackendRequest()
        let export: Export
        do {
            export = try connection.export(BackendRequestInterface.interface, at: handle) {
                $0.method(BackendRequestInterface.close) { call throws(DBusError) in
                    guard call.sender == sender else {
                        throw .accessDenied("This request belongs to another connection")
                    }
                    request.close()
                    return Arguments()
                }
            }
        } catch {
            throw .failed("The handle cannot be used: \(error)")
        }
        defer { export.withdraw() }
        let watch = try await connection.watchOwner(of: sender) { owner in
            if owner == nil { request.close() }
        }
        defer { watch.cancel() }
        guard try await connection.owner(of: sender) != nil else { return .ended }
        if request.isClosed { return .ended }
        let work = Task { await body() }
        request.work = work
        let outcome = await work.value
        return request.isClosed ? .ended : outcome
    }

    private func close() {
        isClosed = true
        work?.cancel()
    }
}

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
        let request = try BackendRequest(handle, of: call.sender, on: connection)
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

/// One request that a backend works on: on the bus while the work goes on.
@BusActor
private final class BackendRequest {
    private let sender: BusName
    private let connection: Connection
    private var export: Export?
    private var work: Task<Result<PickOutcome, DBusError>, Never>?
    private var isClosed = false

    /// Exports `org.freedesktop.impl.portal.Request` at `handle`.
    init(_ handle: ObjectPath, of sender: BusName, on connection: Connection) throws(DBusError) {
        self.sender = sender
        self.connection = connection
        do {
            export = try connection.export(BackendRequestInterface.interface, at: handle) {
                [weak self] in
                $0.method(BackendRequestInterface.close) { call throws(DBusError) in
                    guard call.sender == sender else {
                        throw .accessDenied("This request belongs to another connection")
                    }
                    self?.close()
                    return Arguments()
                }
            }
        } catch {
            throw .failed("The handle cannot be used: \(error)")
        }
    }

    /// Does the work; Close, and the end of the connection that asked, cancel it.
    func run(
        _ body: @escaping @Sendable () async throws(DBusError) -> PickOutcome
    ) async throws(DBusError) -> PickOutcome {
        let watch = try await connection.watchOwner(of: sender) { [weak self] owner in
            if owner == nil { self?.close() }
        }
        defer { watch.cancel() }
        guard try await connection.owner(of: sender) != nil, !isClosed else { return .ended }
        let work = Task { () async -> Result<PickOutcome, DBusError> in
            do throws(DBusError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        self.work = work
        let result = await work.value
        return isClosed ? .ended : try result.get()
    }

    func withdraw() {
        export?.withdraw()
    }

    private func close() {
        isClosed = true
        // At once: the caller may use the handle again for its next request.
        withdraw()
        work?.cancel()
    }
}

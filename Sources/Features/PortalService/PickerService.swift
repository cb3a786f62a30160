// SPDX-License-Identifier: MIT

package import Logging
package import PhotoLibrary
import Photos
import PortalInterface
package import SDBus

/// Implements `org.freedesktop.portal.PhotoPicker`; a backend shows the window.
///
/// The order of events is that of all portals: identity, token, options, export, reply, work,
/// exactly one response, unexport. A failure before the export is an error reply.
@BusActor
package final class PickerService {
    /// What requests work with.
    package struct Environment: Sendable {
        package var library: LibraryReader
        package var store: LibraryStore
        package var deliverer: Deliverer
        package var documents: DocumentPortal
        package var ids: AssetAliases
        /// Brings the library up to date where changes on the disk are not noticed by themselves.
        package var refreshLibrary: @Sendable () async -> Void

        package init(
            library: LibraryReader, store: LibraryStore, deliverer: Deliverer,
            documents: DocumentPortal, ids: AssetAliases,
            refreshLibrary: @escaping @Sendable () async -> Void
        ) {
            self.library = library
            self.store = store
            self.deliverer = deliverer
            self.documents = documents
            self.ids = ids
            self.refreshLibrary = refreshLibrary
        }
    }

    let connection: Connection
    let backend: BusName
    private let logger: Logger
    let access: AccessControl
    /// Nil until the service has started; requests wait for it.
    private var environment: Environment?
    private var waitingForStart: [CheckedContinuation<Void, Never>] = []
    private var requests: [ObjectPath: OpenRequest] = [:]
    private let detached: DetachedResponses
    private var export: Export?
    private var isStopping = false
    /// Records delivered photos, one response at a time.
    var noting: Task<Void, Never>?

    /// Exports the interface; request the bus name after this, then call ``start(_:)``.
    ///
    /// - Parameters:
    ///   - access: The access control of the connection, shared by its public services.
    ///   - backend: The bus name of the backend that shows the window.
    package init(
        on connection: Connection, _ access: AccessControl, backend: BusName,
        supportedMediaTypes: [String], logger: Logger
    ) throws(WireError) {
        self.connection = connection
        self.access = access
        self.backend = backend
        self.logger = logger
        detached = DetachedResponses(limits: access.limits)
        access.whenGone { [weak self] name in self?.callerLeft(name) }
        export = try access.export(
            PhotoPickerInterface.interface, at: PhotoPickerInterface.path
        ) { [unowned self] export in
            export.property(PhotoPickerInterface.version) { 1 }
            export.property(PhotoPickerInterface.supportedMediaTypes) {
                supportedMediaTypes
            }
            export.property(PhotoPickerInterface.supportedOptions) {
                PickOption.all.map(\.key).sorted()
            }
            export.property(PhotoPickerInterface.cameraPresent) { false }
            export.method(PhotoPickerInterface.openImage) { call throws(DBusError) in
                try await self.open(.openImage, call)
            }
            export.method(PhotoPickerInterface.pickImages) { call throws(DBusError) in
                try await self.open(.pickImages, call)
            }
            export.method(PhotoPickerInterface.awaitResponse) { call throws(DBusError) in
                try await self.awaitResponse(call)
            }
        }
    }

    /// Lets the requests begin that have arrived since the interface was exported.
    package func start(_ environment: Environment) {
        self.environment = environment
        let waiting = waitingForStart
        waitingForStart = []
        for waiter in waiting { waiter.resume() }
    }

    /// Waits until the service has started.
    ///
    /// - Returns: Nil if it was stopped before.
    func started() async -> Environment? {
        if environment == nil, !isStopping {
            await withCheckedContinuation { waitingForStart.append($0) }
        }
        return environment
    }

    /// Ends all requests with a response, closes their windows, and refuses new requests.
    package func stop() async {
        isStopping = true
        for request in requests.values {
            request.work?.cancel()
            request.respond(.ended, Delivery().vardict)
        }
        for waiter in waitingForStart { waiter.resume() }
        waitingForStart = []
        await noting?.value
    }

    // MARK: - Opening

    private func open(
        _ method: PickMethod, _ call: IncomingCall<Arguments<String, String, Vardict>>
    ) async throws(DBusError) -> Arguments<ObjectPath> {
        let caller = try await access.identify(call.sender)
        try access.requireUnrestricted(caller)
        let (parentWindow, title, vardict) = call.input.values
        let options = try ParsedOptions(vardict, of: method)
        for (name, text) in [("parent_window", parentWindow), ("title", title)] {
            guard text.utf8.count <= 4096 else {
                throw PortalError.invalidArgument(
                    "Expected at most 4096 bytes for '\(name)', got \(text.utf8.count)")
            }
        }
        guard !options.isDetached || !caller.isSandboxed else {
            throw PortalError.notAllowed("Option 'detached' is not for apps in a sandbox")
        }
        guard !isStopping else { throw .failed("The service is ending") }
        let request = try export(options, of: caller, try access.beginRequest(of: caller))
        requests[request.handle] = request
        if options.isDetached { detached.expect(request.handle) }
        request.logger.info("Opened", metadata: ["method": "\(method)", "app": "\(caller.appID)"])
        let pick = PickRequest(
            appID: caller.appID, parentWindow: parentWindow, title: title, options: options.pick)
        // The caller must receive the handle before the request can end.
        call.afterReply {
            request.work = Task { await self.run(request, method, pick) }
        }
        return Arguments(request.handle)
    }

    /// Exports a request, under a path of its own even if the token is already in use.
    private func export(
        _ options: ParsedOptions, of caller: Caller, _ claim: RequestClaim
    ) throws(DBusError) -> OpenRequest {
        for attempt in 0..<4 {
            let distinction = attempt == 0 ? nil : UInt32.random(in: .min ... .max)
            let path = RequestHandle.path(
                of: caller.name, token: options.token, distinction: distinction)
            guard let path, requests[path] == nil, !detached.knows(path) else { continue }
            do {
                return try OpenRequest(
                    path, of: caller, claim, isDetached: options.isDetached, on: access,
                    logger: logger
                ) { [weak self] request, response in self?.ended(request, response) }
            } catch {
                throw .failed("The request could not be exported")
            }
        }
        throw PortalError.invalidArgument("Option 'handle_token' is in use too often")
    }

    // MARK: - Ending

    private func ended(_ request: OpenRequest, _ response: OpenRequest.Response?) {
        requests[request.handle] = nil
        if request.isDetached { detached.finish(request.handle, response) }
    }

    private func callerLeft(_ name: BusName) {
        detached.waiterLeft(name)
        for request in requests.values where request.caller.name == name && !request.isDetached {
            request.close()
        }
    }

    private func awaitResponse(
        _ call: IncomingCall<Arguments<ObjectPath>>
    ) async throws(DBusError) -> Arguments<UInt32, Vardict> {
        let caller = try await access.identify(call.sender)
        guard !caller.isSandboxed else {
            throw .accessDenied("Portal operation not allowed: in a sandbox")
        }
        return try await detached.response(of: call.input.values, for: caller)
    }
}

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

    private let connection: Connection
    private let backend: BusName
    private let logger: Logger
    private let access: AccessControl
    /// Nil until the service has started; requests wait for it.
    private var environment: Environment?
    private var waitingForStart: [CheckedContinuation<Void, Never>] = []
    private var requests: [ObjectPath: OpenRequest] = [:]
    private let detached: DetachedResponses
    private var export: Export?
    private var isStopping = false
    /// Records delivered photos, one response at a time.
    private var noting: Task<Void, Never>?

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
    private func started() async -> Environment? {
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
        if options.isDetached { detached.expect(request.handle, of: caller) }
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

    // MARK: - Working

    private func run(_ request: OpenRequest, _ method: PickMethod, _ pick: PickRequest) async {
        guard let environment = await started(), !Task.isCancelled else { return }
        var pick = pick
        // The window does not wait for this; it shows what changes.
        Task { [refresh = environment.refreshLibrary] in await refresh() }
        let app = request.caller.identity
        // An app outside a sandbox can do anything with the files, whatever the person grants.
        if !app.isSandboxed { pick.options.wishes = .none }
        // Photos of the last response must be recorded before the next request can name them.
        if !pick.options.preselected.isEmpty { await noting?.value }
        pick.options.preselected = await given(
            pick.options.preselected.map { environment.ids.asset($0, from: app) }, to: app,
            environment.library, request.logger)
        guard let outcome = await ask(request, method, pick), !Task.isCancelled else { return }
        switch outcome {
        case .cancelled: request.respond(.cancelled, Delivery().vardict)
        case .ended: request.respond(.ended, Delivery().vardict)
        case .picked(let items, _) where items.count > CountLimits.most:
            request.logger.error("Too many photos were chosen.")
            request.respond(.ended, Delivery.tooLarge.vardict)
        case .picked(let items, let grants):
            var delivery: Delivery
            if app.isSandboxed {
                environment.documents.keep(of: app.appID, while: request.caller.processID)
            }
            let notice = DeliveryNotice(
                on: connection, of: items.count, for: app.appID, logger: request.logger)
            defer { notice.end() }
            do throws(DBusError) {
                delivery = try await environment.deliverer.deliver(
                    items, as: pick.options, to: request.caller, granting: grants
                ) { notice.update($0) }
            } catch {
                guard !Task.isCancelled else { return }
                request.logger.error(
                    "The photos could not be delivered.", metadata: ["error": "\(error)"])
                request.problem = "The photos could not be delivered"
                return request.respond(.ended, Delivery().vardict)
            }
            guard !Task.isCancelled else { return }
            note(delivery, for: request, in: environment.store)
            environment.ids.replaceIDs(in: &delivery, for: app)
            let isNothing = delivery.items.isEmpty && !delivery.failures.isEmpty
            request.respond(isNothing ? .ended : .success, delivery.vardict)
        }
    }

    /// The photos among these that the app has received before.
    private func given(
        _ ids: [AssetID], to app: AppIdentity, _ library: LibraryReader, _ logger: Logger
    ) async -> [AssetID] {
        do {
            return try await library.given(ids, to: app.appID.rawValue)
        } catch {
            logger.error(
                "The library cannot be read; nothing is preselected.",
                metadata: ["error": "\(error)"])
            return []
        }
    }

    /// Has the backend show its window, once the app has no other one; waits as long as the person
    /// takes.
    ///
    /// - Returns: Nil if the request ended before its window was shown.
    private func ask(
        _ request: OpenRequest, _ method: PickMethod, _ pick: PickRequest
    ) async -> PickOutcome? {
        guard let turn = await access.windows.take(request.caller.party), !Task.isCancelled
        else { return nil }
        defer { withExtendedLifetime(turn) {} }
        let member =
            method == .openImage
            ? PickerBackendInterface.openImage : PickerBackendInterface.pickImages
        request.withdrawQuestion = { [weak self, handle = request.handle] in
            self?.closeBackend(handle)
        }
        defer { request.withdrawQuestion = nil }
        do {
            let reply = try await connection.call(
                member, to: backend, at: PickerBackendInterface.path,
                on: PickerBackendInterface.interface.name,
                Arguments(
                    request.handle, pick.appID.rawValue, pick.parentWindow, pick.title,
                    pick.options.vardict(for: method)), timeout: nil)
            return try BackendAnswer.decode(reply, to: pick.options)
        } catch let error as BackendAnswer.Garbage {
            request.logger.error(
                "The reply of the backend is not valid.", metadata: ["what": "\(error)"])
            request.problem = "The program that shows the window sent a wrong reply"
            return .ended
        } catch {
            if !Task.isCancelled {
                request.logger.error("The backend failed.", metadata: ["error": "\(error)"])
                request.problem = (error as? DBusError).map(BackendFailure.message)
            }
            return .ended
        }
    }

    /// Has the backend close its window.
    ///
    /// The bus may still be starting the backend for the call that opens the window.
    private func closeBackend(_ handle: ObjectPath) {
        // Fails only if our connection has ended, which closes the window, too.
        try? connection.send(
            BackendRequestInterface.close, to: backend, at: handle,
            on: BackendRequestInterface.interface.name, Arguments(), startsService: true)
    }

    /// Records the photos that an app received, without waiting for the disk.
    private func note(
        _ delivery: Delivery, for request: OpenRequest, in store: LibraryStore
    ) {
        let ids = delivery.items.compactMap { AssetID($0.id) }
        guard !ids.isEmpty else { return }
        noting = Task { [earlier = noting] in
            await earlier?.value
            do {
                try await store.noteGiven(ids, to: request.caller.appID.rawValue)
            } catch {
                // The app can then not name these photos in later requests, nothing else.
                request.logger.warning(
                    "The delivered photos could not be recorded.", metadata: ["error": "\(error)"])
            }
        }
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

// SPDX-License-Identifier: MIT

import Logging
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
    let access: AccessControl
    let requests: OpenRequests
    /// Requests that arrive before it wait for it.
    private let startup = Startup<Environment>()
    private var export: Export?
    /// Whether there is a camera, as apps are told.
    private var isCameraPresent = false
    /// Whether the desktop does not allow cameras.
    private var isCameraForbidden = false
    /// Records delivered photos, one response at a time.
    var noting: Task<Void, Never>?
    /// Hears of the backend which photos are chosen; nil until an app wants to know.
    var listening: Task<Subscription?, Never>?

    /// Tells apps whether there is a camera, and refuses requests for nothing else while none is allowed.
    package func tellCamera(isPresent: Bool, isForbidden: Bool) {
        isCameraForbidden = isForbidden
        guard isPresent != isCameraPresent else { return }
        isCameraPresent = isPresent
        let property = PhotoPickerInterface.cameraPresent.name.rawValue
        // Fails only if the connection has ended.
        try? connection.emit(
            PropertiesInterface.propertiesChanged, of: PropertiesInterface.name,
            from: PhotoPickerInterface.path, to: nil,
            Arguments(
                PhotoPickerInterface.interface.name.rawValue, [property: isPresent.variant], []))
    }

    /// Exports the interface; request the bus name after this, then call ``start(_:)``.
    ///
    /// - Parameters:
    ///   - access: The access control of the connection, shared by its public services.
    ///   - requests: Their requests.
    ///   - backend: The bus name of the backend that shows the window.
    package init(
        on connection: Connection, _ access: AccessControl, _ requests: OpenRequests,
        backend: BusName, supportedMediaTypes: [String]
    ) throws(WireError) {
        self.connection = connection
        self.access = access
        self.backend = backend
        self.requests = requests
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
            export.property(PhotoPickerInterface.cameraPresent) { self.isCameraPresent }
            export.method(PhotoPickerInterface.openImage) { call throws(DBusError) in
                try await self.open(.openImage, call)
            }
            export.method(PhotoPickerInterface.pickImages) { call throws(DBusError) in
                try await self.open(.pickImages, call)
            }
            export.method(PhotoPickerInterface.previewImages) { call throws(DBusError) in
                try await self.preview(call)
            }
            export.method(PhotoPickerInterface.awaitResponse) { call throws(DBusError) in
                try await self.awaitResponse(call)
            }
        }
    }

    /// Lets the requests begin that have arrived since the interface was exported.
    package func start(_ environment: Environment) { startup.finish(with: environment) }

    /// Waits until the service has started.
    ///
    /// - Returns: Nil if it was stopped before.
    func started() async -> Environment? { await startup.finished() }

    /// Waits for what has been delivered to be recorded; call this when its requests have ended.
    package func stop() async {
        startup.stop()
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
        try CallText.check(parentWindow, named: "parent_window")
        try CallText.check(title, named: "title")
        guard !options.isDetached || !caller.isSandboxed else {
            throw PortalError.notAllowed("Option 'detached' is not for apps in a sandbox")
        }
        guard !isCameraForbidden || options.pick.sources != [.camera] else {
            throw PortalError.notAllowed("The settings of this computer do not allow cameras")
        }
        let request = try requests.open(
            options.token, of: caller, isDetached: options.isDetached)
        request.logger.info("Opened", metadata: ["method": "\(method)", "app": "\(caller.appID)"])
        if options.pick.isContinuous {
            do {
                request.followed = try FollowedChoice(
                    of: request, options.pick, on: access, backend: backend)
            } catch {
                request.close()
                throw .failed("The request could not be exported")
            }
        }
        let pick = PickRequest(
            appID: caller.appID, parentWindow: parentWindow, title: title, options: options.pick)
        // The caller must receive the handle before the request can end.
        call.afterReply {
            request.work = Task { await self.run(request, method, pick) }
        }
        return Arguments(request.handle)
    }

    private func awaitResponse(
        _ call: IncomingCall<Arguments<ObjectPath>>
    ) async throws(DBusError) -> Arguments<UInt32, Vardict> {
        let caller = try await access.identify(call.sender)
        guard !caller.isSandboxed else {
            throw .accessDenied("Portal operation not allowed: in a sandbox")
        }
        return try await requests.response(of: call.input.values, for: caller)
    }
}

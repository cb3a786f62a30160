// SPDX-License-Identifier: MIT

package import ImageWork
package import Logging
package import PhotoLibrary
import Photos
import PortalInterface
package import SDBus
package import Thumbnails

/// Implements `org.freedesktop.portal.PhotoLibrary`.
///
/// An app that the person has not let into the library can do nothing but ask; one that sees only
/// what it was given finds nothing else.
@BusActor
package final class LibraryService {
    /// What calls work with.
    package struct Environment: Sendable {
        package var library: LibraryReader
        package var store: LibraryStore
        package var roots: LibraryRoots
        package var thumbnails: ThumbnailLoader
        package var decoders: DecoderPool
        package var ids: AssetAliases
        package var deliverer: Deliverer

        package init(
            library: LibraryReader, store: LibraryStore, roots: LibraryRoots,
            thumbnails: ThumbnailLoader, decoders: DecoderPool, ids: AssetAliases,
            deliverer: Deliverer
        ) {
            self.library = library
            self.store = store
            self.roots = roots
            self.thumbnails = thumbnails
            self.decoders = decoders
            self.ids = ids
            self.deliverer = deliverer
        }
    }

    let access: AccessControl
    let requests: OpenRequests
    /// The turns of the parties to use the library, so that no app keeps all others waiting.
    private let turns = Turns<Party>()
    /// The turns of the parties to add photos, whose files may be slow to read.
    let additions = Turns<Party>()
    let watchers: ChangeWatchers
    /// Calls that arrive before it wait for it.
    let startup = Startup<Environment>()
    let logger: Logger
    private var export: Export?

    /// Exports the interface; request the bus name after this, then call ``start(_:)``.
    ///
    /// - Parameters:
    ///   - access: The access control of the connection, shared by its public services.
    ///   - requests: Their requests.
    package init(
        on access: AccessControl, _ requests: OpenRequests, logger: Logger
    ) throws(WireError) {
        self.logger = logger
        self.access = access
        self.requests = requests
        watchers = ChangeWatchers(on: access.connection)
        export = try access.export(
            PhotoLibraryInterface.interface, at: PhotoPickerInterface.path
        ) { [unowned self] export in
            export.property(PhotoLibraryInterface.version) { 1 }
            export.method(PhotoLibraryInterface.getAuthorization) { call throws(DBusError) in
                try await self.authorization(call)
            }
            export.method(PhotoLibraryInterface.requestAuthorization) { call throws(DBusError) in
                try await self.requestAuthorization(call)
            }
            export.method(PhotoLibraryInterface.getStatus) { call throws(DBusError) in
                try await self.status(call)
            }
            export.method(PhotoLibraryInterface.getAlbums) { call throws(DBusError) in
                try await self.albums(call)
            }
            export.method(PhotoLibraryInterface.getMoments) { call throws(DBusError) in
                try await self.moments(call)
            }
            export.method(PhotoLibraryInterface.getAssets) { call throws(DBusError) in
                try await self.assets(call)
            }
            export.method(PhotoLibraryInterface.lookupAssets) { call throws(DBusError) in
                try await self.lookUp(call)
            }
            export.method(PhotoLibraryInterface.getThumbnail) { call throws(DBusError) in
                try await self.thumbnail(call)
            }
            export.method(PhotoLibraryInterface.getPreview) { call throws(DBusError) in
                try await self.preview(call)
            }
            export.method(PhotoLibraryInterface.openAsset) { call throws(DBusError) in
                try await self.openAsset(call)
            }
            export.method(PhotoLibraryInterface.performChanges) { call throws(DBusError) in
                try await self.performChanges(call)
            }
            export.method(PhotoLibraryInterface.saveImage) { call throws(DBusError) in
                try await self.saveImage(call)
            }
            export.method(PhotoLibraryInterface.deleteAssets) { call throws(DBusError) in
                try await self.deleteAssets(call)
            }
            export.method(PhotoLibraryInterface.watchChanges) { call throws(DBusError) in
                try await self.watchChanges(call)
            }
            export.method(PhotoLibraryInterface.unwatchChanges) { call throws(DBusError) in
                try await self.unwatchChanges(call)
            }
            export.method(PhotoLibraryInterface.getChanges) { call throws(DBusError) in
                try await self.changes(call)
            }
        }
        access.whenGone { [weak self] name in self?.watchers.remove(name) }
    }

    /// Lets the calls go on that have arrived since the interface was exported.
    package func start(_ environment: Environment) { startup.finish(with: environment) }

    package func stop() {
        startup.stop()
        watchers.stop()
    }

    // MARK: - Authorization

    private func authorization(
        _ call: IncomingCall<Arguments<String>>
    ) async throws(DBusError) -> Arguments<UInt32> {
        let caller = try await access.identify(call.sender)
        let level = try AccessLevel(argument: call.input.values)
        return Arguments(try await decision(about: caller, level).rawValue)
    }

    private func requestAuthorization(
        _ call: IncomingCall<Arguments<String, String, Vardict>>
    ) async throws(DBusError) -> Arguments<ObjectPath> {
        let caller = try await access.identify(call.sender)
        let (parentWindow, level, options) = call.input.values
        try CallText.check(parentWindow, named: "parent_window")
        let question = try AuthorizationAnswer.request(
            of: caller.appID, parentWindow: parentWindow, level, options)
        let request = try requests.open(
            try options.handleToken(), of: caller, nothing: Self.undecided)
        request.logger.info("Asked for the library", metadata: ["app": "\(caller.appID)"])
        // The caller must receive the handle before the request can end.
        call.afterReply {
            request.work = Task { await self.run(request, question) }
        }
        return Arguments(request.handle)
    }

    private func run(_ request: OpenRequest, _ question: AuthorizationRequest) async {
        do throws(DBusError) {
            let decision = try await authorize(request.caller, question)
            request.respond(
                decision == .notDetermined ? .cancelled : .success,
                ["authorization": decision.rawValue.variant])
        } catch {
            guard !Task.isCancelled else { return }
            request.logger.error("The person could not be asked.", metadata: ["error": "\(error)"])
            request.problem = BackendFailure.message(error)
            request.respond(.ended, Self.undecided)
        }
    }

    /// Returns what is decided about a caller; asks the person if nothing is.
    func authorize(
        _ caller: Caller, _ question: AuthorizationRequest
    ) async throws(DBusError) -> Authorization {
        let known = try await decision(about: caller, question.level)
        guard known == .notDetermined || known == .denied && question.isReminder else {
            return known
        }
        // One window at a time; those who ask the same meanwhile wait for the same answer.
        return try await access.authorizer.authorize(question, of: caller.identity) {
            [windows = access.windows] in await windows.take(caller.party)
        }
    }

    /// The results of a question that was not answered.
    private static var undecided: Vardict {
        ["authorization": Authorization.notDetermined.rawValue.variant]
    }

    /// Returns what is decided about a caller.
    ///
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.Failed`.
    func decision(
        about caller: Caller, _ level: AccessLevel
    ) async throws(DBusError) -> Authorization {
        do {
            return try await access.authorizer.known(caller.identity, level)
        } catch {
            // An error of the bus would look as if this service were missing; and what the store says is
            // not meant for apps.
            logger.error("The permission store cannot be read.", metadata: ["error": "\(error)"])
            throw PortalError.failed(
                "The permission store cannot be read; it is "
                    + "org.freedesktop.impl.portal.PermissionStore of xdg-desktop-portal")
        }
    }

    /// Finds out what a caller may see.
    ///
    /// - Throws: ``DBusError`` `NotAllowed` if that is nothing.
    func open(_ sender: BusName) async throws(DBusError) -> (Visitor, Environment) {
        let caller = try await access.identify(sender)
        let view = try await view(of: caller)
        guard let environment = await startup.finished() else {
            throw .failed("The service is ending")
        }
        let names = environment.ids.names(for: caller.identity)
        return (Visitor(caller: caller, view: view, names: names), environment)
    }

    /// Returns what the person lets a caller see.
    ///
    /// - Throws: ``DBusError`` `NotAllowed` if that is nothing.
    func view(of caller: Caller) async throws(DBusError) -> LibraryView {
        switch try await decision(about: caller, .readWrite) {
        case .authorized: return .everything
        case .limited: return .given(to: caller.identity.storeID)
        case .notDetermined:
            throw PortalError.notAllowed(
                "The person has not let this app use the library yet; call RequestAuthorization")
        case .denied:
            throw PortalError.notAllowed("The person does not let this app use the library")
        case .restricted:
            throw PortalError.notAllowed("The administrator does not let this app use photos")
        }
    }

    /// Waits until it is the turn of a caller's app.
    ///
    /// - Throws: ``DBusError`` if nobody needs the answer any more.
    func turn(of visitor: Visitor) async throws(DBusError) -> Turn {
        guard let turn = await turns.take(visitor.caller.party) else { throw .cancelled }
        guard !startup.isStopping else { throw .failed("The service is ending") }
        // Whoever has left must not keep others waiting.
        guard access.isPresent(visitor.caller) else { throw .cancelled }
        return turn
    }

    /// Reads the library for a caller, when it is its app's turn.
    ///
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.Failed`.
    func reading<Value: Sendable>(
        for visitor: Visitor, _ body: () async throws(LibraryError) -> Value
    ) async throws(DBusError) -> Value {
        let turn = try await turn(of: visitor)
        defer { withExtendedLifetime(turn) {} }
        do {
            return try await body()
        } catch {
            logger.error("The library cannot be read.", metadata: ["error": "\(error)"])
            throw PortalError.failed("The library cannot be read: \(error)")
        }
    }
}

/// A caller that may see the library, or a part of it.
struct Visitor: Sendable {
    let caller: Caller
    let view: LibraryView
    /// The ids under which the caller knows photos and albums.
    let names: AppAliases
}

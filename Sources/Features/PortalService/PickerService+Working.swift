// SPDX-License-Identifier: MIT

import Logging
import PhotoLibrary
import Photos
import PortalInterface
import SDBus

extension PickerService {
    func run(_ request: OpenRequest, _ method: PickMethod, _ pick: PickRequest) async {
        var pick = pick
        let app = request.caller.identity
        // An app outside a sandbox can do anything with the files, whatever the person grants.
        let tellsLocation = !app.isSandboxed && pick.options.wishes.contains(.location)
        if !app.isSandboxed { pick.options.wishes = .none }
        guard let outcome = await ask(request, method, pick),
            let environment = await started(), !Task.isCancelled
        else { return }
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
                    items, as: pick.options, to: request.caller,
                    granting: tellsLocation ? .location : grants
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

    /// The photos among these that the app has received before, and that follow its rules.
    private func given(
        _ ids: [AssetID], to app: AppIdentity, _ wanted: PhotoFilter, _ library: LibraryReader,
        _ logger: Logger
    ) async -> [AssetID] {
        do {
            let given = try await library.given(ids, to: app.storeID)
            guard !wanted.isEmpty, !given.isEmpty else { return given }
            let facts = try await library.facts(of: given)
            return given.filter { facts[$0].map { wanted.broken(by: $0) == nil } ?? false }
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
        // Before anything that takes a while: the turns come in the order of the requests.
        guard let turn = await access.windows.take(request.caller.party),
            let environment = await started(), !Task.isCancelled
        else { return nil }
        defer { withExtendedLifetime(turn) {} }
        // The window does not wait for this; it shows what changes.
        Task { [refresh = environment.refreshLibrary] in await refresh() }
        var pick = pick
        let app = request.caller.identity
        // Photos of the last response must be recorded before the next request can name them.
        if !pick.options.preselected.isEmpty { await noting?.value }
        let names = environment.ids.names(for: app)
        pick.options.preselected = await given(
            pick.options.preselected.map { names.asset($0) }, to: app, pick.options.filter,
            environment.library, request.logger)
        pick.options.album = pick.options.album.map { names.album($0) }
        if request.followed != nil { await listen(request.logger) }
        guard !Task.isCancelled else { return nil }
        if let followed = request.followed {
            pick.options.count = followed.begin(environment.library, names)
        }
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
            return try BackendAnswer.decode(
                reply, to: pick.options, within: request.followed?.allowedLimits)
        } catch {
            request.noteFailure(ofBackend: error)
            return .ended
        }
    }

    /// Hears from now on which photos are chosen in the backend's windows.
    private func listen(_ logger: Logger) async {
        let task =
            listening
            ?? Task { [weak self, connection, backend, logger] in
                do {
                    return try await connection.subscribe(
                        to: PickerBackendInterface.selectionChanged,
                        of: PickerBackendInterface.interface.name, from: backend,
                        at: PickerBackendInterface.path
                    ) { _, content in
                        let (handle, results) = content.values
                        self?.requests.followed(by: handle)?.note(results)
                    }
                } catch {
                    logger.error(
                        "Apps do not hear of the choice before the response.",
                        metadata: ["error": "\(error)"])
                    return nil
                }
            }
        listening = task
        // The next request tries again, if none has meanwhile.
        if await task.value == nil, listening == task { listening = nil }
    }

    /// Has the backend close its window.
    ///
    /// The bus may still be starting the backend for the call that opens the window.
    func closeBackend(_ handle: ObjectPath) {
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
        // An app that sees only what it was given sees no more of a photo than it received.
        let parts = delivery.items.filter(\.isPart).compactMap { AssetID($0.id) }
        let whole = Set(ids).subtracting(parts)
        noting = Task { [earlier = noting] in
            await earlier?.value
            do {
                try await store.noteGiven(
                    ids, whole: whole, to: request.caller.identity.storeID)
            } catch {
                // The app can then not name these photos in later requests, and does not find them in
                // the library if it may see nothing else.
                request.logger.warning(
                    "The delivered photos could not be recorded.", metadata: ["error": "\(error)"])
            }
        }
    }
}

// SPDX-License-Identifier: MIT

import Desktop
import Files
import Logging
import PhotoLibrary
import Photos
import PortalInterface
import Processes
import SDBus
import SystemPackage

extension PickerService {
    typealias PreviewInput = Arguments<String, String, [Vardict], Vardict>

    func preview(
        _ call: IncomingCall<PreviewInput>
    ) async throws(DBusError) -> Arguments<ObjectPath> {
        let (parentWindow, title, images, options) = call.input.values
        // All of them, also where none is expected.
        for file in (images + [options]).flatMap(\.values).flatMap(\.descriptors) {
            PhotoIntake.takeOver(file)
        }
        let caller = try await access.identify(call.sender)
        try access.requireUnrestricted(caller)
        var preview = try PreviewAnswer.call(
            of: caller.appID, parentWindow: parentWindow, title: title, images, options)
        let token = try options.handleToken()
        let isDetached = try options.isDetached()
        try CallText.check(parentWindow, named: "parent_window")
        try CallText.check(title, named: "title")
        guard !isDetached || !caller.isSandboxed else {
            throw PortalError.notAllowed("Option 'detached' is not for apps in a sandbox")
        }
        try await check(&preview, of: caller)
        let count = preview.request.images.count
        let request = try requests.open(
            token, of: caller, isDetached: isDetached, nothing: PreviewAnswer.results(of: count))
        request.logger.info(
            "Shows pictures", metadata: ["app": "\(caller.appID)", "count": "\(count)"])
        // The caller must receive the handle before the request can end.
        call.afterReply {
            request.work = Task { [preview] in
                await self.run(request, preview)
                // Until then they count for the app.
                withExtendedLifetime(call.descriptors) {}
            }
        }
        return Arguments(request.handle)
    }

    private func run(_ request: OpenRequest, _ preview: PreviewCall) async {
        let count = preview.request.images.count
        guard let outcome = await ask(request, preview), !Task.isCancelled else { return }
        switch outcome {
        case .closed(let removed):
            request.respond(.success, PreviewAnswer.results(removing: removed, of: count))
        case .cancelled: request.respond(.cancelled, request.nothing)
        case .ended: request.respond(.ended, request.nothing)
        }
    }

    /// Has the backend show its window, once the app has no other one; waits as long as the person
    /// looks at it.
    ///
    /// - Returns: Nil if the request ended before its window was shown.
    private func ask(_ request: OpenRequest, _ preview: PreviewCall) async -> PreviewOutcome? {
        guard let turn = await access.windows.take(request.caller.party), !Task.isCancelled
        else { return nil }
        defer { withExtendedLifetime(turn) {} }
        request.withdrawQuestion = { [weak self, handle = request.handle] in
            self?.closeBackend(handle)
        }
        defer { request.withdrawQuestion = nil }
        do {
            let reply = try await connection.call(
                PickerBackendInterface.previewImages, to: backend,
                at: PickerBackendInterface.path, on: PickerBackendInterface.interface.name,
                PreviewAnswer.encode(preview, at: request.handle), timeout: nil)
            return try PreviewAnswer.decode(reply, to: preview.request)
        } catch {
            request.noteFailure(ofBackend: error)
            return .ended
        }
    }

    // MARK: - Checking

    /// Makes sure that an app may have its pictures shown, and replaces its ids by those of the library.
    ///
    /// - Throws: ``DBusError`` that names the index of a picture.
    private func check(_ preview: inout PreviewCall, of caller: Caller) async throws(DBusError) {
        var isNetworkKnown = false
        for (index, image) in preview.request.images.enumerated() {
            do throws(DBusError) {
                switch image {
                case .uri(let uri): try check(uri, of: caller)
                case .web where !isNetworkKnown:
                    try await requireNetwork(caller)
                    isNetworkKnown = true
                case .asset, .file, .web: break
                }
                if let number = image.file {
                    preview.files[number] = try await readable(preview.files[number])
                }
            } catch {
                throw error.inImage(index)
            }
        }
        try await findPhotos(of: &preview.request, for: caller)
    }

    /// An app in a sandbox must not find out by a window what is on the disk, nor have it shown.
    private func check(_ uri: String, of caller: Caller) throws(DBusError) {
        guard !caller.isSandboxed else {
            throw PortalError.notAllowed(
                "'uri' is not for apps in a sandbox; they open the file, and use 'fd'")
        }
        guard FileURI.path(uri) != nil else {
            throw PortalError.invalidArgument(
                "Expected the URI of a file on this machine, got '\(uri.excerpt)'")
        }
    }

    /// An app without network must not reach it by a window: a URI can tell a server anything.
    private func requireNetwork(_ caller: Caller) async throws(DBusError) {
        guard await access.hasNetwork(caller) else {
            throw PortalError.notAllowed(
                "'uri' of the web is only for apps that may use the network themselves")
        }
    }

    /// A file that an app has opened, open for reading alone, with a position of its own: whoever decodes it
    /// must not be able to change it, nor disturb the app that reads it.
    private func readable(_ file: Descriptor) async throws(DBusError) -> Descriptor {
        do throws(IntakeError) {
            guard try await PhotoIntake.check(file, within: .seconds(10)) else {
                throw IntakeError.unreadable
            }
        } catch {
            throw error.forApp
        }
        let reopened = await FileCalls.shared.run(
            on: file.resolvedPath ?? "/", within: .seconds(10)
        ) { _ in try? file.reopened() }
        guard let opened = reopened ?? nil else {
            // A file that only the app may open cannot be opened again.
            guard !file.isOpenForReading else { return file }
            throw PortalError.invalidArgument(
                "The file is open for writing, and cannot be opened for reading alone")
        }
        PhotoIntake.takeOver(opened)
        return opened
    }

    /// Replaces the ids that an app sees by those of the library.
    ///
    /// - Throws: ``DBusError`` `NotFound` for a photo that has gone, that the app invented, or that was
    ///   never given to it while it may not see the whole library.
    private func findPhotos(
        of request: inout PreviewRequest, for caller: Caller
    ) async throws(DBusError) {
        let aliases = request.images.compactMap(\.asset)
        guard !aliases.isEmpty else { return }
        guard let environment = await started() else { throw .failed("The service is ending") }
        // Photos of the last response must be recorded before the next request can name them.
        await noting?.value
        let names = environment.ids.names(for: caller.identity)
        let ids = aliases.map { names.asset($0) }
        let known: Set<AssetID>
        do throws(LibraryError) {
            known =
                await seesEverything(caller)
                ? Set(try await environment.library.assets(ids).map(\.id))
                : Set(try await environment.library.given(ids, to: caller.identity.storeID))
        } catch {
            throw PortalError.failed("The library cannot be read: \(error)")
        }
        for (index, image) in request.images.enumerated() {
            guard let alias = image.asset else { continue }
            let id = names.asset(alias)
            guard known.contains(id) else {
                throw PortalError.notFound("There is no photo '\(alias)'").inImage(index)
            }
            request.images[index] = image.naming(id)
        }
    }

    /// Whether the person lets an app see the whole library; not if that cannot be found out.
    private func seesEverything(_ caller: Caller) async -> Bool {
        (try? await access.authorizer.known(caller.identity, .readWrite)) == .authorized
    }
}

// SPDX-License-Identifier: MIT

package import Files
package import Photos
package import PortalInterface
package import SDBus

/// Makes a request of the portal and waits for the response.
@BusActor
package final class RequestClient {
    /// How a request ended, with its results.
    package struct Answer: Sendable {
        package let code: ResponseCode
        package let results: Vardict
    }

    private let connection: Connection
    private var continuation: CheckedContinuation<Result<Answer, DBusError>, Never>?
    private var handle: ObjectPath?
    private var isCancelled = false
    private var response: Subscription?
    private var selection: Subscription?
    private var follow: (@BusActor (Vardict) -> Void)?
    private var owner: Subscription?
    /// The owners that the service's name has got since the call began; nil where it lost one.
    private var newOwners: [BusName?] = []

    /// Makes a client for one request.
    package init(on connection: Connection) {
        self.connection = connection
    }

    /// Asks for photos, and waits until the person has chosen; see ``authorize(_:parentWindow:options:)``.
    ///
    /// - Parameter follow: Called with each change of the choice, if the options have `continuous`.
    package func pick(
        _ method: PickMethod, parentWindow: String = "", title: String, options: Vardict,
        follow: (@BusActor (Vardict) -> Void)? = nil
    ) async throws(DBusError) -> Answer {
        self.follow = follow
        let member =
            method == .openImage
            ? PhotoPickerInterface.openImage : PhotoPickerInterface.pickImages
        return try await request(member, on: PhotoPickerInterface.interface.name, options) {
            Arguments(parentWindow, title, $0)
        }
    }

    /// Shows pictures to the person, and waits until they have seen enough.
    ///
    /// See ``authorize(_:parentWindow:options:)``.
    ///
    /// - Parameter images: Each with one of `id`, `fd` and `uri`.
    package func preview(
        _ images: [Vardict], parentWindow: String = "", title: String = "", options: Vardict = [:]
    ) async throws(DBusError) -> Answer {
        try await request(
            PhotoPickerInterface.previewImages, on: PhotoPickerInterface.interface.name, options
        ) { Arguments(parentWindow, title, images, $0) }
    }

    /// Asks for the library, and waits until the person has decided.
    ///
    /// Cancelling the task closes the request.
    ///
    /// - Throws: ``DBusError``: an error of the service for invalid options, an error of the bus if
    ///   the service cannot be started, ``SDBus/DBusError/disconnected`` if the service ends before
    ///   it responds, or ``SDBus/DBusError/cancelled``.
    package func authorize(
        _ level: AccessLevel, parentWindow: String = "", options: Vardict = [:]
    ) async throws(DBusError) -> Answer {
        try await request(
            PhotoLibraryInterface.requestAuthorization, on: PhotoLibraryInterface.interface.name,
            options
        ) { Arguments(parentWindow, level.rawValue, $0) }
    }

    /// Adds an image to the library, and waits until it is there.
    ///
    /// The person is asked if they have not decided yet. See
    /// ``authorize(_:parentWindow:options:)``.
    package func save(
        _ image: Descriptor, parentWindow: String = "", options: Vardict = [:]
    ) async throws(DBusError) -> Answer {
        try await request(
            PhotoLibraryInterface.saveImage, on: PhotoLibraryInterface.interface.name, options
        ) { Arguments(parentWindow, image, $0) }
    }

    /// Moves photos to the trash if the person agrees, and waits until that is done.
    ///
    /// See ``authorize(_:parentWindow:options:)``.
    package func delete(
        _ ids: [String], parentWindow: String = "", options: Vardict = [:]
    ) async throws(DBusError) -> Answer {
        try await request(
            PhotoLibraryInterface.deleteAssets, on: PhotoLibraryInterface.interface.name, options
        ) { Arguments(parentWindow, ids, $0) }
    }

    /// Makes a request.
    ///
    /// - Parameter input: The arguments with these options.
    private func request<Input: ArgumentList>(
        _ member: Method<Input, Arguments<ObjectPath>>, on interface: InterfaceName,
        _ options: Vardict, _ input: (Vardict) -> Input
    ) async throws(DBusError) -> Answer {
        var options = options
        let token = HandleToken.random
        options["handle_token"] = token.rawValue.variant
        guard let name = connection.uniqueName,
            let expected = RequestHandle.path(of: name, token: token)
        else { throw .disconnected }
        defer {
            response?.cancel()
            selection?.cancel()
            owner?.cancel()
        }
        let arguments = input(options)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.continuation = continuation
                // Cancelling does not end this task: a call that was sent may still open a window,
                // which must then be closed.
                Task {
                    await self.open(member, on: interface, arguments, expected)
                }
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            Task { @BusActor in self.cancel() }
        }
        return try result.get()
    }

    private func open<Input: ArgumentList>(
        _ member: Method<Input, Arguments<ObjectPath>>, on interface: InterfaceName,
        _ input: Input, _ expected: ObjectPath
    ) async {
        do throws(DBusError) {
            // Before the call, so that neither the response nor the end of the service can be missed.
            response = try await subscribe(expected)
            selection = try await followSelection(expected)
            owner = try await connection.watchOwner(of: PhotoPickerInterface.busName) {
                [weak self] owner in self?.note(owner)
            }
            connection.onDisconnect { [weak self] in self?.finish(.failure(.disconnected)) }
            guard !isCancelled else { return }
            let (output, sender) = try await connection.answer(
                to: member, of: PhotoPickerInterface.busName, at: PhotoPickerInterface.path,
                on: interface, input, timeout: .seconds(60))
            let handle = output.values
            self.handle = handle
            guard !isCancelled else { return close(handle) }
            // The bus may have started the service for this call, or it may have ended since.
            if let last = newOwners.last, last != sender {
                return finish(.failure(.disconnected))
            }
            if handle != expected {
                response = try await subscribe(handle)
                selection = try await followSelection(handle)
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func note(_ owner: BusName?) {
        newOwners.append(owner)
        // A new owner of the name does not know our request.
        if handle != nil { finish(.failure(.disconnected)) }
    }

    private func subscribe(_ handle: ObjectPath) async throws(DBusError) -> Subscription {
        try await connection.subscribe(
            to: RequestInterface.response, of: RequestInterface.interface.name,
            from: PhotoPickerInterface.busName, at: handle
        ) { [weak self] _, content in
            let (code, results) = content.values
            self?.finish(.success(Answer(code: ResponseCode(code), results: results)))
        }
    }

    private func followSelection(_ handle: ObjectPath) async throws(DBusError) -> Subscription? {
        guard let follow else { return nil }
        return try await connection.subscribe(
            to: PhotoSelectionInterface.selectionChanged,
            of: PhotoSelectionInterface.interface.name, from: PhotoPickerInterface.busName,
            at: handle
        ) { _, content in follow(content.values) }
    }

    private func cancel() {
        guard !isCancelled, continuation != nil else { return }
        isCancelled = true
        if let handle { close(handle) }
        finish(.failure(.cancelled))
    }

    private func close(_ handle: ObjectPath) {
        // Fails only if the connection has ended, and then the service closes the request.
        try? connection.send(
            RequestInterface.close, to: PhotoPickerInterface.busName, at: handle,
            on: RequestInterface.interface.name, Arguments())
    }

    private func finish(_ result: Result<Answer, DBusError>) {
        continuation?.resume(returning: result)
        continuation = nil
    }
}

extension HandleToken {
    /// A random token, unique for this connection.
    fileprivate static var random: HandleToken {
        HandleToken("portal_pick_\(UInt64.random(in: .min ... .max))") ?? .standard
    }
}

// SPDX-License-Identifier: MIT

package import Photos
package import PortalInterface
package import SDBus

/// Implements `org.freedesktop.impl.portal.PhotoPicker`; four handlers show the windows.
@BusActor
package final class PickerBackend {
    /// Lets a person choose.
    ///
    /// Cancelled when the request is closed; the result is then ignored. If the service ends without
    /// closing it, ``PickNews/left`` is among the news, and the result is ignored too. An error becomes
    /// the reply to the call.
    package typealias PickHandler =
        @Sendable (PickMethod, PickRequest, PickConversation) async throws(DBusError)
        -> PickOutcome
    /// Lets a person decide about the library; otherwise like ``PickHandler``.
    ///
    /// The stream has one element if the service has ended.
    package typealias AuthorizationHandler =
        @Sendable (AuthorizationRequest, AsyncStream<Void>) async throws(DBusError)
        -> AuthorizationDecision
    /// Asks a person whether photos may be moved to the trash; otherwise like
    /// ``AuthorizationHandler``.
    package typealias DeletionHandler =
        @Sendable (DeletionRequest, AsyncStream<Void>) async throws(DBusError) -> Bool
    /// Shows a person the pictures of an app; otherwise like ``AuthorizationHandler``.
    package typealias PreviewHandler =
        @Sendable (PreviewCall, AsyncStream<Void>) async throws(DBusError) -> PreviewOutcome

    private let connection: Connection
    private let frontend: TrustedPeer
    private let pick: PickHandler
    private let authorize: AuthorizationHandler
    private let delete: DeletionHandler
    private let preview: PreviewHandler
    private var export: Export?
    /// Those with the windows that are open, by handle.
    private var talks: [ObjectPath: PickTalk] = [:]

    /// Exports the interface.
    ///
    /// Ask for the bus name after this, so that no call is missed.
    ///
    /// - Parameters:
    ///   - trustedName: Only the owner of this name, which vouches for `app_id`, may call.
    package init(
        on connection: Connection, trusting trustedName: BusName = PhotoPickerInterface.busName,
        pick: @escaping PickHandler, authorize: @escaping AuthorizationHandler,
        delete: @escaping DeletionHandler, preview: @escaping PreviewHandler
    ) throws(WireError) {
        self.connection = connection
        self.pick = pick
        self.authorize = authorize
        self.delete = delete
        self.preview = preview
        frontend = TrustedPeer(trustedName, on: connection)
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
            export.method(PickerBackendInterface.previewImages) { call throws(DBusError) in
                guard let self else { throw .disconnected }
                return try await self.servePreview(call)
            }
            export.method(PickerBackendInterface.authorize) { call throws(DBusError) in
                guard let self else { throw .disconnected }
                return try await self.serveAuthorization(call)
            }
            export.method(PickerBackendInterface.confirmDeletion) { call throws(DBusError) in
                guard let self else { throw .disconnected }
                return try await self.serveDeletion(call)
            }
            export.method(PickerBackendInterface.deselect) { call throws(DBusError) in
                guard let self else { throw .disconnected }
                let (handle, ids) = call.input.values
                let photos = Set(try SelectionUpdate.photos(ids))
                return try await self.tell(.deselected(photos), handle, call.sender)
            }
            export.method(PickerBackendInterface.update) { call throws(DBusError) in
                guard let self else { throw .disconnected }
                let (handle, options) = call.input.values
                let limits = try SelectionUpdate.decode(options)
                return try await self.tell(.limited(limits), handle, call.sender)
            }
        }
    }

    private typealias Input = Arguments<ObjectPath, String, String, String, Vardict>
    private typealias Reply = Arguments<UInt32, Vardict>

    private func serve(
        _ method: PickMethod, _ call: IncomingCall<Input>
    ) async throws(DBusError) -> Reply {
        let (handle, appID, parentWindow, title, vardict) = call.input.values
        // Exported before the first suspension, so that a Close right after the call finds it.
        let exported = try BackendRequest(
            handle, of: call.sender, on: connection, ended: PickOutcome.ended)
        let talk = PickTalk(handle, with: call.sender, on: connection)
        talks[handle] = talk
        let conversation = talk.conversation
        defer {
            exported.withdraw()
            talk.end()
            if talks[handle] === talk { talks[handle] = nil }
        }
        let pick = pick
        let outcome = try await exported.run(for: frontend, to: "ask for photos") {
            () async throws(DBusError) in
            var options = try ParsedOptions(vardict, of: method).pick
            options.acceptLabel = options.acceptLabel?.withoutMnemonic
            var request = PickRequest(
                appID: AppID(vouchedFor: appID), parentWindow: parentWindow, title: title,
                options: options)
            request.handle = handle.rawValue
            return try await exported.outlivingCaller { [request] departure throws(DBusError) in
                let leaving = Task { for await _ in departure { _ = await talk.tell(.left) } }
                defer { leaving.cancel() }
                return try await pick(method, request, conversation)
            }
        }
        return BackendAnswer.encode(outcome)
    }

    /// Tells the window of a request.
    ///
    /// Returns when the window knows.
    ///
    /// - Throws: ``DBusError`` `AccessDenied` for any caller but the service, and `UnknownObject` if the
    ///   request has no window, or one in which the person has decided.
    private func tell(
        _ news: PickNews, _ handle: ObjectPath, _ sender: BusName
    ) async throws(DBusError) -> Arguments<> {
        try await frontend.admit(sender, to: "change a request")
        guard let talk = talks[handle], await talk.tell(news) else {
            throw .unknownObject("There is no window for \(handle)")
        }
        return Arguments()
    }

    private func serveAuthorization(
        _ call: IncomingCall<Input>
    ) async throws(DBusError) -> Reply {
        let request = try BackendRequest(
            call.input.values.0, of: call.sender, on: connection,
            ended: AuthorizationDecision?.none)
        defer { request.withdraw() }
        let authorize = authorize
        let decision = try await request.run(for: frontend, to: "ask for the library") {
            () async throws(DBusError) in
            let question = try AuthorizationAnswer.decode(call.input)
            return try await request.outlivingCaller { departure throws(DBusError) in
                try await authorize(question, departure)
            }
        }
        guard let decision else { return Reply(ResponseCode.ended.rawValue, [:]) }
        return AuthorizationAnswer.encode(decision)
    }

    private func serveDeletion(
        _ call: IncomingCall<DeletionAnswer.Input>
    ) async throws(DBusError) -> Reply {
        let request = try BackendRequest(
            call.input.values.0, of: call.sender, on: connection, ended: Bool?.none)
        defer { request.withdraw() }
        let delete = delete
        let agreed = try await request.run(for: frontend, to: "ask about a deletion") {
            () async throws(DBusError) in
            let question = try DeletionAnswer.decode(call.input)
            return try await request.outlivingCaller { departure throws(DBusError) in
                try await delete(question, departure)
            }
        }
        let code: ResponseCode = agreed.map { $0 ? .success : .cancelled } ?? .ended
        return Reply(code.rawValue, [:])
    }

    private func servePreview(
        _ call: IncomingCall<PreviewAnswer.Input>
    ) async throws(DBusError) -> Reply {
        let request = try BackendRequest(
            call.input.values.0, of: call.sender, on: connection, ended: Reply?.none)
        defer { request.withdraw() }
        let preview = preview
        let reply = try await request.run(for: frontend, to: "show pictures") {
            () async throws(DBusError) in
            let pictures = try PreviewAnswer.decode(call.input)
            let outcome = try await request.outlivingCaller { departure throws(DBusError) in
                try await preview(pictures, departure)
            }
            return PreviewAnswer.encode(outcome, of: pictures.request.images.count)
        }
        return reply ?? Reply(ResponseCode.ended.rawValue, [:])
    }
}

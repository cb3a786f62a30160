// SPDX-License-Identifier: MIT

package import Logging
package import Photos
import PortalInterface
package import SDBus

/// Implements `org.freedesktop.impl.portal.FileChooser`: requests for pictures open a photo dialog,
/// all others are forwarded to the backend for files.
@BusActor
package final class FileChooserBackend {
    /// Lets a person choose in place of a file dialog.
    ///
    /// Cancelled when the request is closed; the outcome is then ignored. If xdg-desktop-portal ends
    /// without closing it, the stream has one element, and the outcome is ignored too.
    package typealias Handler = @Sendable (FileRequest, AsyncStream<Void>) async -> FileOutcome

    private typealias Input = Arguments<ObjectPath, String, String, String, Vardict>
    private typealias Reply = FileChooserDelegate.Reply

    private let connection: Connection
    private let frontend: TrustedPeer
    private let classifier: FilterClassifier
    private let delegate: FileChooserDelegate
    private let logger: Logger
    private let handler: Handler
    private let onActivity: @Sendable (Bool) async -> Void
    private let onFailure: @Sendable (FileDialogFailure) async -> Void
    private var export: Export?
    /// The apps of which the person is being told that a file dialog cannot be shown.
    private var explained: Set<String> = []
    /// How many windows each app has.
    private var windows: [String: Int] = [:]

    /// The most windows of one app; xdg-desktop-portal passes on any number of requests, and each window
    /// takes memory from those of others.
    private static let mostWindows = 8

    /// Exports the interface.
    ///
    /// Ask for the bus name after this, so that no call is missed.
    ///
    /// - Parameters:
    ///   - frontend: Only the owner of this name, which vouches for `app_id`, may call.
    ///   - delegates: The backends for files, best first.
    ///   - onActivity: Called with true when a call begins, with false when it has ended.
    ///   - onFailure: Tells the person that there is no backend for files, or that it failed, and
    ///     returns when they have read it. Cancelled when the request is closed.
    package init(
        on connection: Connection, trusting frontend: BusName = FileChooserInterface.frontend,
        delegates: [BusName], classifier: FilterClassifier, logger: Logger,
        onActivity: @escaping @Sendable (Bool) async -> Void = { _ in },
        onFailure: @escaping @Sendable (FileDialogFailure) async -> Void = { _ in },
        handler: @escaping Handler
    ) throws(WireError) {
        self.connection = connection
        self.frontend = TrustedPeer(frontend, on: connection)
        self.classifier = classifier
        self.logger = logger
        self.onActivity = onActivity
        self.onFailure = onFailure
        self.handler = handler
        self.delegate = FileChooserDelegate(delegates, on: connection, logger: logger)
        export = try connection.export(
            FileChooserInterface.interface, at: FileChooserInterface.path
        ) { [weak self] export in
            // SaveFiles lists names, and xdg-desktop-portal limits what an app may send.
            export.readingLimits = .files
            export.property(FileChooserInterface.version) { 4 }
            for method in FileChooserInterface.methods {
                export.method(method) { call throws(DBusError) in
                    guard let self else { throw .disconnected }
                    return try await self.serve(method, call)
                }
            }
        }
    }

    /// Closes all forwarded requests; call this before closing the connection.
    package func closeAll() {
        delegate.closeAll()
    }

    private func serve(
        _ method: FileChooserInterface.Choose, _ call: IncomingCall<Input>
    ) async throws(DBusError) -> Reply {
        let handle = call.input.values.0
        // Exported before the first suspension, so that a Close right after the call finds it.
        let request = try BackendRequest(
            handle, of: call.sender, on: connection, ended: FileChooserDelegate.ended)
        defer { request.withdraw() }
        // Checked before the arguments, so that a stranger learns nothing about them.
        try await frontend.admit(call.sender, to: "ask for files")
        let isOpening = method.name == FileChooserInterface.openFile.name
        let pictures = isOpening ? try fileRequest(call.input) : nil
        logger.info(
            "\(method.name) is for \(pictures == nil ? "the backend for files" : "photos")",
            metadata: ["handle": "\(handle)"])
        await onActivity(true)
        let reply = await Result { () async throws(DBusError) in
            try await request.run(for: frontend, to: "ask for files") {
                [self] () async throws(DBusError) in
                try await answer(method, call.input, pictures, request)
            }
        }
        await onActivity(false)
        return try reply.get()
    }

    private func answer(
        _ method: FileChooserInterface.Choose, _ input: Input, _ pictures: FileRequest?,
        _ request: BackendRequest<Reply>
    ) async throws(DBusError) -> Reply {
        guard var pictures else { return await forward(method, input) }
        let asker = Self.asker(input)
        guard windows[asker, default: 0] < Self.mostWindows else {
            logger.error("An app asks for too many files at a time.", metadata: ["app": "\(asker)"])
            return FileChooserDelegate.ended
        }
        windows[asker, default: 0] += 1
        defer {
            let rest = windows[asker, default: 1] - 1
            windows[asker] = rest > 0 ? rest : nil
        }
        pictures.canBrowse = await delegate.isThere()
        let outcome = try await request.outlivingCaller { [handler, pictures] departure in
            await handler(pictures, departure)
        }
        switch outcome {
        case .chosen(let answer):
            return Reply(ResponseCode.success.rawValue, answer.results(of: pictures))
        case .browse: return await forward(method, input)
        case .cancelled: return Reply(ResponseCode.cancelled.rawValue, [:])
        case .ended: return FileChooserDelegate.ended
        }
    }

    /// Whom windows are counted for: the app, or the connection of one that nobody knows.
    private static func asker(_ input: Input) -> String {
        let (handle, appID, _, _, _) = input.values
        guard appID.isEmpty else { return appID }
        return RequestHandle.sender(of: handle)?.rawValue ?? ""
    }

    /// Has another backend answer; if there is none, or it fails, tells the person instead.
    private func forward(_ method: FileChooserInterface.Choose, _ input: Input) async -> Reply {
        switch await delegate.call(method, input) {
        case .reply(let reply): return reply
        case .failure(let cause):
            // An app may ask any number of times, and once is enough for the person.
            let asker = Self.asker(input)
            guard explained.insert(asker).inserted else { return FileChooserDelegate.ended }
            defer { explained.remove(asker) }
            let isSaving = method.name != FileChooserInterface.openFile.name
            await onFailure(
                FileDialogFailure(cause, isSaving: isSaving, parentWindow: input.values.2))
            return FileChooserDelegate.ended
        }
    }

    /// The request as one for photos; nil when the photo dialog cannot stand in.
    private func fileRequest(_ input: Input) throws(DBusError) -> FileRequest? {
        let (handle, appID, parentWindow, title, vardict) = input.values
        let options = try FileChooserOptions(vardict)
        guard !options.isDirectory, Self.fit(options.choices),
            let filters = classifier.pictures(options.filters, current: options.currentFilter)
        else { return nil }
        var pick = PickOptions()
        pick.isModal = options.isModal
        pick.acceptLabel = options.acceptLabel
        pick.mediaTypes = filters.mediaTypes
        if options.isMultiple, let count = CountLimits(minimum: 1, maximum: nil) {
            pick.count = count
        }
        var request = PickRequest(
            appID: AppID(vouchedFor: appID), parentWindow: parentWindow,
            title: title.cut(to: 256), options: pick)
        request.handle = handle.rawValue
        return FileRequest(
            pick: request, filters: filters, choices: options.choices, folder: options.folder)
    }

    /// Whether the choices of an app fit in the window.
    private static func fit(_ choices: [FileChoice]) -> Bool {
        choices.count <= 8 && choices.allSatisfy { $0.options.count <= 256 }
    }
}

extension Result {
    /// What an asynchronous body returns or throws.
    fileprivate init(catching body: () async throws(Failure) -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}

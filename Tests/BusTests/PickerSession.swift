// SPDX-License-Identifier: MIT

import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The kinds of callers, for tests with the same outcome for each of them.
enum CallerKind: CaseIterable, Sendable {
    case host
    case flatpak
}

/// A session with a library of some photos, the service, and a client that receives its responses.
final class PickerSession: Sendable {
    let session: Session
    let service: ChildProcess
    let client: Client
    /// The environment of an app in a sandbox.
    let app: FlatpakApp?
    let portals: PortalStack?
    var home: TestHome { session.home }

    /// Starts everything but a backend, and waits until the library has been read.
    init(
        _ kind: CallerKind = .host, photos: Int = 5, arguments: [String] = [],
        home: TestHome? = nil, sharesNetwork: Bool = false
    ) async throws {
        session = try await Session.start(home: home)
        for number in 1...max(photos, 1) where photos > 0 {
            try session.home.write(
                Fixtures.bytes("jpeg/grey.jpg") + [UInt8(number)],
                to: session.home.pictures.appending("photo \(number).jpg"))
        }
        service = try await session.startService(arguments)
        switch kind {
        case .host:
            portals = nil
            app = nil
        case .flatpak:
            portals = try await PortalStack.start(
                on: session, [.permissionStore, .documents])
            app = try await FlatpakApp.start(on: session, sharesNetwork: sharesNetwork)
        }
        client = try await Client(session, at: app?.address)
        try await eventually("the library: \(service.errorText)") {
            service.errorText.contains("Looked through the library")
        }
    }

    /// Starts everything, with a library of fixtures, whose names are numbers from 0 on.
    ///
    /// - Parameter script: What the scripted backend does.
    static func start(
        _ kind: CallerKind, photos: [String], _ script: String
    ) async throws -> PickerSession {
        let home = try TestHome()
        for (number, photo) in photos.enumerated() {
            let ending = FilePath(photo).extension ?? ""
            try home.write(
                Fixtures.bytes(photo), to: home.pictures.appending("\(number).\(ending)"))
        }
        let picker = try await PickerSession(kind, photos: 0, home: home)
        _ = try await picker.session.startBackend(script)
        return picker
    }

    /// The folder in which a caller of this kind finds the picked photos.
    var folderOfResults: FilePath { portals?.mountPoint ?? home.pictures }

    /// The ids of the photos that the backend picks now, as the library and the backend know them.
    ///
    /// An app in a sandbox gets others.
    func libraryIDs() async throws -> [String] {
        let host = try await Client(session)
        let response = try await host.response(try await host.pick())
        await host.connection.close()
        return try #require(Delivery(response.results)).items.map(\.id)
    }

    /// A client outside a sandbox, in a process of its own.
    func foreignClient() async throws -> Client { try await Client(ofAnotherProgramOn: session) }

    /// Another connection of the same app.
    func anotherClient() async throws -> Client {
        try await Client(session, at: app?.address)
    }

    /// The files of the library.
    var files: [FilePath] {
        names(in: home.pictures).map { home.pictures.appending($0) }
    }
}

/// An app: a connection that makes requests and records every response that it receives.
final class Client: Sendable {
    struct Response: Sendable {
        let handle: String
        let code: UInt32
        let results: Vardict
    }

    let connection: Connection
    let responses = Recorder<Response>()
    private let subscription: Subscription

    /// Connects.
    ///
    /// - Parameter address: The bus address for an app in a sandbox; nil for the bus itself.
    init(_ session: Session, at address: String? = nil) async throws {
        connection = try await Connection.open(address: address ?? session.bus.address)
        subscription = try await connection.subscribe(
            to: RequestInterface.response, of: RequestInterface.interface.name,
            from: PhotoPickerInterface.busName
        ) { [responses] message, content in
            let (code, results) = content.values
            responses.note(
                Response(handle: message.path?.rawValue ?? "", code: code, results: results))
        }
    }

    /// Connects as a program of its own, which limits count separately.
    convenience init(ofAnotherProgramOn session: Session) async throws {
        try await self.init(session, at: session.addressForOthers())
    }

    func open(_ options: Vardict = [:]) async throws(DBusError) -> ObjectPath {
        try await call(PhotoPickerInterface.openImage, options)
    }

    func pick(_ options: Vardict = [:]) async throws(DBusError) -> ObjectPath {
        try await call(PhotoPickerInterface.pickImages, options)
    }

    /// Makes a request, with a unique token unless the test provides one.
    private func call(
        _ method: PhotoPickerInterface.Pick, _ options: Vardict
    ) async throws(DBusError) -> ObjectPath {
        var options = options
        let token = "test_\(UInt64.random(in: .min ... .max))"
        options["handle_token"] = options["handle_token"] ?? token.variant
        return try await connection.call(
            method, to: PhotoPickerInterface.busName, at: PhotoPickerInterface.path,
            on: PhotoPickerInterface.interface.name, Arguments("", "Title", options)
        ).values
    }

    func close(_ handle: ObjectPath) async throws(DBusError) {
        _ = try await connection.call(
            RequestInterface.close, to: PhotoPickerInterface.busName, at: handle,
            on: RequestInterface.interface.name, Arguments())
    }

    func awaitResponse(_ handle: ObjectPath) async throws(DBusError) -> (UInt32, Vardict) {
        try await connection.call(
            PhotoPickerInterface.awaitResponse, to: PhotoPickerInterface.busName,
            at: PhotoPickerInterface.path, on: PhotoPickerInterface.interface.name,
            Arguments(handle), timeout: .seconds(60)
        ).values
    }

    /// Calls `AwaitResponse` and returns once the service has received the call.
    func startAwaiting(
        _ handle: ObjectPath
    ) async throws -> Task<(UInt32, Vardict), any Error> {
        // On the bus thread, so that this call is sent before the call in `settle`.
        let waiting = Task { @BusActor in try await awaitResponse(handle) }
        try await settle()
        return waiting
    }

    /// Waits for the response of a request.
    func response(_ handle: ObjectPath) async throws -> Response {
        try await eventually("response of \(handle)") {
            responses.all.first { $0.handle == handle.rawValue }
        }
    }

    /// Waits until all messages that have been sent to us so far have arrived.
    func settle() async throws {
        _ = try await connection.owner(of: PhotoPickerInterface.busName)
        // The service has handled all earlier calls, and sent its signals before this reply.
        _ = try? await awaitResponse("/org/freedesktop/portal/desktop/request/none/none")
    }
}

extension ChildProcess {
    /// The requests that a scripted backend received, and their outcomes.
    var events: [String] {
        outputText.split(separator: "\n").map(String.init)
    }
}

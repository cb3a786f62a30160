// SPDX-License-Identifier: MIT

import Glibc
import ImageWork
import Logging
import PhotoLibrary
import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

@testable import PortalService

/// The photo picker and a second public service on one connection share callers and limits.
@Suite(.serialized) struct AccessControlTests {
    /// A service whose requests never end.
    @BusActor
    private final class Second {
        static let path: ObjectPath = "/org/example/Second"
        static let open = Method<Arguments<>, Arguments<String>>("Open", returns: ["app_id"])
        static let interface = Interface("org.example.Second", [open])

        private var claims: [BusName: [RequestClaim]] = [:]
        private var export: Export?
        let gone = Recorder<BusName>()

        init(_ access: AccessControl) throws {
            access.whenGone { [weak self] name in
                self?.claims[name] = nil
                self?.gone.note(name)
            }
            export = try access.export(Self.interface, at: Self.path) { [weak self] export in
                export.method(Self.open) { call throws(DBusError) in
                    let caller = try await access.identify(call.sender)
                    let claim = try access.beginRequest(of: caller)
                    self?.claims[caller.name, default: []].append(claim)
                    return Arguments(caller.appID.rawValue)
                }
            }
        }
    }

    private let session: Session
    private let connection: Connection
    private let backend: Export
    private let backendConnection: Connection
    private let access: AccessControl
    private let picker: PickerService
    private let second: Second
    private let decoders: DecoderPool

    init() async throws {
        session = try await Session.start()
        connection = try await session.connect()
        backendConnection = try await session.connect()
        backend = try await Self.hangingBackend(on: backendConnection)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = try LibraryStore(at: session.home.database, logger: logger)
        let library = LibraryReader(store)
        decoders = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), workers: 1)
        let authorizer = await Authorizer(
            AuthorizationStore(on: connection, isRestricted: { _ in false })
        ) { _ throws(DBusError) in .undecided }
        var limits = RequestLimits()
        limits.perCaller = 3
        limits.total = 5
        access = try await AccessControl(
            on: connection, userID: getuid(), limits: limits, authorizer: authorizer,
            consent: ConsentDialog(
                on: connection, backend: PickerBackendInterface.defaultBusName),
            logger: logger)
        picker = try await PickerService(
            on: connection, access, OpenRequests(access, logger: logger),
            backend: PickerBackendInterface.defaultBusName, supportedMediaTypes: [])
        let documents = try await DocumentPortal(on: connection, logger: logger)
        await picker.start(
            PickerService.Environment(
                library: library, store: store,
                deliverer: Deliverer(
                    library: library, roots: LibraryRoots(pictures: []), decoders: decoders,
                    documents: documents, derived: DerivedFiles(logger: logger)),
                documents: documents, ids: AssetAliases(secret: []), refreshLibrary: {}))
        second = try await Second(access)
        _ = try await connection.requestName(PhotoPickerInterface.busName)
    }

    @BusActor
    private static func hangingBackend(on connection: Connection) async throws -> Export {
        let export = try connection.export(
            PickerBackendInterface.interface, at: PickerBackendInterface.path
        ) { export in
            export.property(PickerBackendInterface.version) { 1 }
            for method in [
                PickerBackendInterface.openImage, PickerBackendInterface.pickImages,
                PickerBackendInterface.previewImages, PickerBackendInterface.authorize,
            ] {
                export.method(method) { _ throws(DBusError) in
                    // Waits until the end of the test.
                    try? await Task.sleep(for: .seconds(1000))
                    return Arguments(2, [:])
                }
            }
            export.method(PickerBackendInterface.confirmDeletion) { _ throws(DBusError) in
                Arguments(2, [:])
            }
            export.method(PickerBackendInterface.deselect) { _ in Arguments() }
            export.method(PickerBackendInterface.update) { _ in Arguments() }
        }
        _ = try await connection.requestName(PickerBackendInterface.defaultBusName)
        return export
    }

    private func pick(_ client: Connection) async throws(DBusError) -> ObjectPath {
        try await client.call(
            PhotoPickerInterface.openImage, to: PhotoPickerInterface.busName,
            at: PhotoPickerInterface.path, on: PhotoPickerInterface.interface.name,
            Arguments("", "", [:])
        ).values
    }

    private func openSecond(_ client: Connection) async throws(DBusError) {
        _ = try await client.call(
            Second.open, to: PhotoPickerInterface.busName, at: Second.path,
            on: Second.interface.name, Arguments())
    }

    private func expectRefused(_ call: () async throws(DBusError) -> Void) async {
        do {
            try await call()
            Issue.record("the call was not refused")
        } catch {
            #expect(error.name == .limitsExceeded)
        }
    }

    @Test func `requests of one caller are counted across all services`() async throws {
        let client = try await session.connect()
        let handle = try await pick(client)
        _ = try await pick(client)
        try await openSecond(client)
        await expectRefused { () throws(DBusError) in try await openSecond(client) }
        await expectRefused { () throws(DBusError) in _ = try await pick(client) }
        // A request that ends makes room for a request to the other service.
        _ = try await client.call(
            RequestInterface.close, to: PhotoPickerInterface.busName, at: handle,
            on: RequestInterface.interface.name, Arguments())
        try await openSecond(client)
        await expectRefused { () throws(DBusError) in _ = try await pick(client) }
    }

    @Test func `requests of all callers are counted across all services`() async throws {
        let clients = try await connect(3)
        for client in clients.prefix(2) {
            _ = try await pick(client)
            try await openSecond(client)
        }
        try await openSecond(clients[2])
        await expectRefused { () throws(DBusError) in _ = try await pick(clients[2]) }
    }

    @Test func `every service is notified when a caller has left`() async throws {
        let client = try await session.connect()
        let name = try #require(await client.uniqueName)
        for _ in 0..<2 { _ = try await pick(client) }
        try await openSecond(client)
        await client.close()
        try await eventually("the second service") { second.gone.all == [name] }
        // The picker was notified too: all five places are free.
        let clients = try await connect(3)
        for client in clients.prefix(2) {
            for _ in 0..<2 { _ = try await pick(client) }
        }
        try await openSecond(clients[2])
        await expectRefused { () throws(DBusError) in try await openSecond(clients[2]) }
    }

    /// Connections of several programs.
    private func connect(_ count: Int) async throws -> [Connection] {
        let address = try await session.addressForOthers()
        var clients: [Connection] = []
        for _ in 0..<count { clients.append(try await Connection.open(address: address)) }
        return clients
    }
}

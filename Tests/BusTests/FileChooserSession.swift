// SPDX-License-Identifier: MIT

import Logging
import Photos
import PortalBackend
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// A bus with our FileChooser backend, a frontend that calls it, and a backend for files.
final class FileChooserSession: Sendable {
    typealias Input = Arguments<ObjectPath, String, String, String, Vardict>
    typealias Reply = Arguments<UInt32, Vardict>

    static let busName: BusName = "org.freedesktop.impl.portal.desktop.photoportal"
    static let delegateName: BusName = "org.example.Files"

    let session: Session
    let frontend: Connection
    let connection: Connection
    let backend: FileChooserBackend
    let log = Recorder<String>()
    /// The requests that the photo dialog received.
    let requests: Recorder<FileRequest>
    /// What the person was told about the backend for files.
    let failures = Recorder<FileDialogFailure>()

    /// Starts everything but the backend for files.
    ///
    /// - Parameters:
    ///   - starting: The command with which the bus starts the backend for files.
    ///   - reading: A person who reads what they are told.
    init(
        delegate: BusName = delegateName, others: [BusName] = [], starting program: String? = nil,
        dialog: @escaping @Sendable (FileRequest) async -> FileOutcome = { _ in .cancelled },
        reading: @escaping @Sendable () async -> Void = {}
    ) async throws {
        let home = try TestHome()
        let services = home.scratch.appending("services")
        if let program {
            try home.write(
                Array("[D-BUS Service]\nName=\(delegate)\nExec=\(program)\n".utf8),
                to: services.appending("files.service"))
        }
        session = try await Session.start(home: home, services: program == nil ? nil : services)
        frontend = try await session.connect()
        #expect(try await frontend.requestName(FileChooserInterface.frontend) == .owner)
        connection = try await session.connect()
        let requests = Recorder<FileRequest>()
        self.requests = requests
        backend = try await FileChooserBackend(
            on: connection, delegates: [delegate] + others,
            classifier: FilterClassifier { ["jpg": .jpeg, "png": .png][$0] },
            logger: Logger(label: "test") { [log] _ in RecordingLogHandler(log: log) },
            onFailure: { [failures] failure in
                failures.note(failure)
                await reading()
            }
        ) { request, _ in
            requests.note(request)
            return await dialog(request)
        }
        #expect(try await connection.requestName(Self.busName) == .owner)
    }

    /// Calls a method as the frontend does.
    func call(
        _ method: FileChooserInterface.Choose = FileChooserInterface.openFile,
        handle: ObjectPath = "/org/freedesktop/portal/desktop/request/1_2/t",
        appID: String = "org.example.App", options: Vardict = [:], from caller: Connection? = nil
    ) async throws(DBusError) -> (code: UInt32, results: Vardict) {
        try await (caller ?? frontend).call(
            method, to: Self.busName, at: FileChooserInterface.path,
            on: FileChooserInterface.interface.name,
            Arguments(handle, appID, "x11:1", "Open", options), timeout: .seconds(60)
        ).values
    }

    func close(
        _ handle: ObjectPath = "/org/freedesktop/portal/desktop/request/1_2/t"
    ) async throws(DBusError) {
        _ = try await frontend.call(
            BackendRequestInterface.close, to: Self.busName, at: handle,
            on: BackendRequestInterface.interface.name, Arguments())
    }
}

/// A backend for files in the test process.
@BusActor
final class FilesBackend {
    typealias Answer =
        @BusActor (MemberName, FileChooserSession.Input) async throws(DBusError) ->
        FileChooserSession.Reply

    /// A person who takes as long as they like.
    static let never: Answer = { _, _ in
        try? await Task.sleep(for: .seconds(1_000))
        return Arguments(1, [:])
    }

    let connection: Connection
    /// The calls that have arrived.
    let calls = Recorder<(member: String, input: FileChooserSession.Input)>()
    /// The handles that were closed.
    let closed = Recorder<String>()
    private var exports: [Export] = []

    init(_ session: Session, answer: @escaping Answer) async throws {
        connection = try await session.connect()
        exports.append(
            try connection.export(
                FileChooserInterface.interface, at: FileChooserInterface.path
            ) { [weak self] export in
                export.readingLimits = .files
                export.property(FileChooserInterface.version) { 4 }
                for method in FileChooserInterface.methods {
                    export.method(method) { call throws(DBusError) in
                        guard let self else { throw .disconnected }
                        self.calls.note((method.name.rawValue, call.input))
                        self.exportRequest(call.input.values.0)
                        return try await answer(method.name, call.input)
                    }
                }
            })
        #expect(try await connection.requestName(FileChooserSession.delegateName) == .owner)
    }

    private func exportRequest(_ handle: ObjectPath) {
        let export = try? connection.export(BackendRequestInterface.interface, at: handle) {
            [closed] export in
            export.method(BackendRequestInterface.close) { _ in
                closed.note(handle.rawValue)
                return Arguments()
            }
        }
        if let export { exports.append(export) }
    }
}

/// Records the messages of a logger.
private struct RecordingLogHandler: LogHandler {
    let log: Recorder<String>
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        log.note("\(event.level) \(event.message)")
    }
}

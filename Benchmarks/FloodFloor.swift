// SPDX-License-Identifier: MIT

import PortalInterface
import SDBus
import SystemPackage
import TestSupport

/// What a flood costs others if the service does nothing but pass their messages on.
///
/// `Peers/bus.c` takes the place of the service, drops the messages of the flood unread, and answers
/// none of them. What is left is what the bus takes.
struct FloodFloor {
    private static let interface: InterfaceName = "org.example.Floor"
    private static let backend: BusName = "org.example.Backend"
    private static let pick = Method<Arguments<>, Arguments<>>("Pick")
    private static let response = Signal<Arguments<>>("Response")

    private let session: Session
    private let connection: Connection
    private let responses: AsyncStream<Void>
    private let others: [any Sendable]

    /// Starts the service and its backend on a bus of their own.
    static func start() async throws -> FloodFloor {
        let session = try await Session.start()
        let program = Programs.source.appending(".bench/peers/bus").string
        var children: [ChildProcess] = []
        for (name, other) in [
            (backend, "none"), (PhotoPickerInterface.busName, backend.rawValue),
        ] {
            let child = try session.start(program, [name.rawValue, other])
            try await session.waitForOwner(of: name.rawValue, child)
            children.append(child)
        }
        let connection = try await session.connect()
        let (responses, responded) = AsyncStream<Void>.makeStream()
        let subscription = try await connection.subscribe(
            to: response, of: interface, from: PhotoPickerInterface.busName
        ) { _, _ in responded.yield() }
        return FloodFloor(
            session: session, connection: connection, responses: responses,
            others: children + [subscription])
    }

    /// The longest that a flood delays the messages of a pick, and a ping between two programs that
    /// the flood does not address, in milliseconds.
    func slowest(
        during attack: String, by flooder: FlatpakApp?, seconds: String
    ) async throws -> (pick: Double, ping: Double) {
        var slowest = (pick: 0.0, ping: 0.0)
        try await session.flood(attack, by: flooder, seconds: seconds) {
            slowest.pick = max(slowest.pick, try await milliseconds { try await passOn() })
            slowest.ping = max(slowest.ping, try await milliseconds { try await ping() })
        }
        return slowest
    }

    /// Starts an app in a sandbox, as the one that floods the service.
    func startFlooder() async throws -> FlatpakApp { try await FlatpakApp.start(on: session) }

    private func passOn() async throws {
        _ = try await connection.call(
            Self.pick, to: PhotoPickerInterface.busName, at: "/", on: Self.interface, Arguments(),
            timeout: .seconds(120))
        for await _ in responses { break }
    }

    private func ping() async throws {
        _ = try await connection.call(
            Method<Arguments<>, Arguments<>>("Ping"), to: Self.backend, at: "/",
            on: "org.freedesktop.DBus.Peer", Arguments(), timeout: .seconds(120))
    }
}

extension Session {
    /// Does something again and again until a flood is over.
    func flood(
        _ attack: String, by flooder: FlatpakApp?, seconds: String,
        _ body: () async throws -> Void
    ) async throws {
        let script = Programs.source.appending("Tests/Clients/hostile/hostile.py")
        let words = [script.string, attack, "24", seconds]
        let flood =
            try flooder?.start("/usr/bin/python3", words, files: [script])
            ?? start("/usr/bin/python3", words)
        try await eventually("the flood: \(flood.errorText)") {
            flood.outputText.contains("flooding")
        }
        while flood.outputLines.count < 2 { try await body() }
        guard try await flood.exitStatus() == 0 else {
            throw NeverHappened(description: "\(attack): \(flood.errorText)")
        }
        // The bus may have ended the flooder's connections before the first time.
        try await body()
    }
}

// SPDX-License-Identifier: MIT

import Glibc
import Processes
package import SDBus
package import SystemPackage

/// A home folder, a bus, and our programs on that bus.
package final class Session: Sendable {
    package let home: TestHome
    package let bus: PrivateBus
    /// The programs that were started; they end with the session.
    private let children = Recorder<ChildProcess>()

    /// Starts a bus for a home, without any of our programs.
    package static func start(home: TestHome? = nil, services: FilePath? = nil) async throws
        -> Session
    {
        let home = try home ?? TestHome()
        return Session(home: home, bus: try await PrivateBus.start(in: home, services: services))
    }

    private init(home: TestHome, bus: PrivateBus) {
        self.home = home
        self.bus = bus
    }

    package var environment: [String: String] {
        home.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
    }

    /// Starts one of our programs, or any other by name.
    ///
    /// It ends with the session.
    package func start(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        input: FilePath? = nil
    ) throws -> ChildProcess {
        let child = try ChildProcess(
            Programs.path(program), arguments,
            environment: self.environment.merging(environment) { $1 }, scratch: home.scratch,
            input: input)
        children.note(child)
        return child
    }

    /// Runs a program to its end.
    package func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        within limit: Duration = .seconds(120)
    ) async throws -> (status: Int32, output: String, errors: String) {
        let child = try start(program, arguments, environment: environment)
        let status = try await child.exitStatus(within: limit)
        return (status, child.outputText, child.errorText)
    }

    /// Starts the service and waits until it is on the bus.
    package func startService(_ arguments: [String] = []) async throws -> ChildProcess {
        let service = try start("photo-portal", ["--verbose"] + arguments)
        try await waitForOwner(of: "org.freedesktop.portal.PhotoPicker", service)
        return service
    }

    /// Starts the scripted backend and waits until it is on the bus.
    package func startBackend(_ lines: String...) async throws -> ChildProcess {
        let backend = try start("photo-portal-script", lines.flatMap { ["--answer", $0] })
        try await waitForOwner(of: "org.freedesktop.impl.portal.desktop.photoportal", backend)
        return backend
    }

    /// Ends a backend and starts another one in its place.
    @discardableResult
    package func replace(_ backend: ChildProcess, _ lines: String...) async throws -> ChildProcess {
        try await backend.stop(SIGKILL)
        let connection = try await connect()
        try await eventually("the end of the old backend") {
            try await connection.owner(of: "org.freedesktop.impl.portal.desktop.photoportal") == nil
        }
        await connection.close()
        let next = try start("photo-portal-script", lines.flatMap { ["--answer", $0] })
        try await waitForOwner(of: "org.freedesktop.impl.portal.desktop.photoportal", next)
        return next
    }

    /// Starts a monitor of all messages on the bus, a line of JSON each, and waits until it listens.
    package func startMonitor() async throws -> ChildProcess {
        let monitor = try start("busctl", ["--address=\(bus.address)", "monitor", "--json=short"])
        let connection = try await connect()
        // It prints its own connection first; a call in its output proves that it is listening.
        try await eventually("the monitor") {
            _ = try await connection.owner(of: "org.example.Probe")
            return monitor.outputText.contains("org.example.Probe")
        }
        await connection.close()
        return monitor
    }

    /// A connection of the test itself.
    package func connect() async throws -> Connection {
        try await Connection.open(address: bus.address)
    }

    /// The address of the bus for connections of other programs than the test.
    ///
    /// Each connection to it belongs to a process of its own, a relay.
    package func addressForOthers() async throws -> String {
        let socket = home.scratch.appending("relay.\(UInt32.random(in: .min ... .max))")
        let relay = try start(
            "socat", ["UNIX-LISTEN:\(socket),fork", "UNIX-CONNECT:\(bus.address.socketPath)"])
        let address = "unix:path=\(socket)"
        // A socket's name appears before anything listens on it.
        let connection = try await eventually("the relay: \(relay.errorText)") {
            try? await Connection.open(address: address)
        }
        await connection.close()
        return address
    }

    /// Waits until a name has an owner.
    package func waitForOwner(of name: String, _ program: ChildProcess? = nil) async throws {
        guard let name = BusName(name) else { preconditionFailure("\(name) is no bus name") }
        let connection = try await connect()
        try await eventually("owner of \(name): \(program?.errorText ?? "")") {
            try await connection.owner(of: name) != nil
        }
        await connection.close()
    }
}

/// Programs that tests run.
package enum Programs {
    /// The path of one of our programs, which are built beside the tests; otherwise the name itself.
    package static func path(_ name: String) -> String {
        let ours = ProgramFolder.sibling(name)
        return (try? ours.stat()) != nil ? ours.string : name
    }

    /// The root folder of the source tree.
    package static let source = FilePath(#filePath)
        .removingLastComponent().removingLastComponent().removingLastComponent()

    /// The folder of real images, if this machine has them.
    package static var corpora: FilePath? {
        environmentVariable("PHOTO_PORTAL_CORPORA").map { FilePath($0) }
    }
}

extension String {
    /// The path in a bus address of the form `unix:path=…,guid=…`.
    var socketPath: String {
        String(drop { $0 != "=" }.dropFirst().prefix { $0 != "," })
    }
}

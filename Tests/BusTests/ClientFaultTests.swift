// SPDX-License-Identifier: MIT

import Glibc
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// What `portal-pick` and the like do when the service does not behave.
@Suite(.serialized) struct ClientFaultTests {
    @Test func `a service that ends right after its reply leaves no caller waiting`() async throws {
        let session = try await Session.start()
        for _ in 0..<5 {
            let service = try await session.connect()
            let export = try await Self.export(on: service)
            let connection = try await session.connect()
            let client = await RequestClient(on: connection)
            let failures = Recorder<DBusError>()
            let call = Task {
                do throws(DBusError) {
                    _ = try await client.pick(.pickImages, title: "", options: [:])
                } catch {
                    failures.note(error)
                }
            }
            try await eventually("the end of the call", within: .seconds(10)) {
                failures.count == 1
            }
            #expect(failures.all.first == .disconnected)
            call.cancel()
            await call.value
            await connection.close()
            withExtendedLifetime(export) {}
        }
    }

    @Test func `a service that the bus starts for the call is waited for`() async throws {
        let home = try TestHome()
        let services = home.scratch.appending("services")
        try home.write(
            Array(
                """
                [D-BUS Service]
                Name=\(PhotoPickerInterface.busName)
                Exec=\(Programs.path("photo-portal"))
                """.utf8), to: services.appending("service.service"))
        let session = try await Session.start(home: home, services: services)
        _ = try await session.startBackend("delay 50ms; cancel")
        let connection = try await session.connect()
        let client = await RequestClient(on: connection)
        let answer = try await client.pick(.pickImages, title: "", options: [:])
        #expect(answer.code == .cancelled)
        await connection.close()
    }

    @Test func `a client that is cancelled while the bus is silent ends at once`() async throws {
        let session = try await Session.start()
        let connection = try await session.connect()
        let client = await RequestClient(on: connection)
        let failures = Recorder<DBusError>()
        try await session.bus.suspended {
            let call = Task {
                do throws(DBusError) {
                    _ = try await client.pick(.pickImages, title: "", options: [:])
                } catch {
                    failures.note(error)
                }
            }
            // It has begun to subscribe when the same thread runs this.
            for _ in 0..<3 { await Task { @BusActor in }.value }
            call.cancel()
            try await eventually("the end of the call", within: .seconds(10)) {
                failures.count == 1
            }
        }
        #expect(failures.all == [.cancelled])
        await connection.close()
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends portal-pick while the bus is silent`(signal: Int32) async throws {
        let session = try await Session.start()
        let socket = session.home.scratch.appending("silent")
        let bus = try session.start("socat", ["-d", "-d", "-u", "UNIX-LISTEN:\(socket)", "STDOUT"])
        // A socket's name appears before anything listens on it.
        try await eventually("the socket") { bus.errorText.contains("listening on") }
        let pick = try session.start(
            "portal-pick", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(socket)"])
        try await eventually("the connection") { bus.outputText.contains("AUTH") }
        pick.signal(signal)
        #expect(try await pick.exitStatus(within: .seconds(10)) == 1)
    }

    /// A service that replies to a request and leaves the bus.
    @BusActor
    private static func export(on connection: Connection) async throws -> Export {
        let export = try connection.export(
            Interface(PhotoPickerInterface.interface.name, [PhotoPickerInterface.pickImages]),
            at: PhotoPickerInterface.path
        ) { export in
            export.method(PhotoPickerInterface.pickImages) { call throws(DBusError) in
                call.afterReply { connection.close() }
                let token = call.input.values.2.value("handle_token", as: String.self)
                guard let token = token.flatMap({ HandleToken($0) }),
                    let handle = RequestHandle.path(of: call.sender, token: token)
                else { throw .failed("no token") }
                return Arguments(handle)
            }
        }
        _ = try await connection.requestName(PhotoPickerInterface.busName)
        return export
    }
}

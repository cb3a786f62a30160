// SPDX-License-Identifier: MIT

import Glibc
import Photos
import SDBus
import TestSupport
import Testing

@testable import PortalService

/// What the service knows of connections that do not read.
@Suite(.serialized) struct ReadConfirmationTests {
    /// A program on the bus, which says its name.
    private static let program = """
        from gi.repository import Gio, GLib
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        print(bus.get_unique_name(), flush=True)
        GLib.MainLoop().run()
        """

    @Test func `a connection has one call to answer, whoever waits for it`() async throws {
        let session = try await Session.start()
        let connection = try await session.connect()
        let child = try session.start("/usr/bin/python3", ["-c", Self.program])
        let name = try await eventually("the name: \(child.errorText)") {
            child.outputLines.first.flatMap { BusName(String($0)) }
        }
        let app = AppIdentity(.none, appID: .unknown)
        let caller = Caller(name: name, identity: app, processID: child.processID)
        let confirmations = ReadConfirmations(on: connection)
        // One that reads.
        await confirmations.wait(for: caller)
        #expect(await confirmations.unconfirmed(of: caller.party).isEmpty)

        child.signal(SIGSTOP)
        let monitor = try await session.startMonitor()
        let ends = Recorder<Int>()
        func wait(_ number: Int) -> Task<Void, Never> {
            Task { @BusActor in
                await confirmations.wait(for: caller)
                ends.note(number)
            }
        }
        let first = wait(1)
        try await eventually("the call") {
            await confirmations.unconfirmed(of: caller.party) == [name]
        }
        // A later one takes its place, and one that is cancelled goes alone.
        let second = wait(2)
        await first.value
        second.cancel()
        await second.value
        #expect(ends.all == [1, 2])
        #expect(await confirmations.unconfirmed(of: caller.party) == [name])
        // The bus has seen one call alone; this call comes after all others.
        _ = try? await connection.owner(of: "org.example.Last")
        try await eventually("the last call") {
            monitor.outputText.contains("org.example.Last")
        }
        #expect(monitor.outputLines.count { $0.contains(#""member":"Ping""#) } == 1)
        let third = wait(3)
        child.signal(SIGCONT)
        await third.value
        #expect(await confirmations.unconfirmed(of: caller.party).isEmpty)

        // One that leaves has nothing to read.
        child.signal(SIGSTOP)
        let last = wait(4)
        try await eventually("the call") {
            await !confirmations.unconfirmed(of: caller.party).isEmpty
        }
        try await child.stop(SIGKILL)
        await last.value
        #expect(await confirmations.unconfirmed(of: caller.party).isEmpty)
        await connection.close()
    }
}

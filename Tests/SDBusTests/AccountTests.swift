// SPDX-License-Identifier: MIT

import Files
import Glibc
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Limits of untrusted callers, across two interfaces that share their accounts.
@Suite(.serialized) struct AccountTests {
    private static let path: ObjectPath = "/org/example/Public"
    private static let name: BusName = "org.example.Public"
    /// Takes none of the descriptors in its arguments.
    private static let ignore = Method<Arguments<Vardict>, Arguments<>>(
        "Ignore", takes: ["options"])
    /// Takes them, and replies when it is released.
    private static let keep = Method<Arguments<Vardict>, Arguments<UInt32>>(
        "Keep", takes: ["options"], returns: ["count"], takesDescriptors: true)
    /// Takes them, and keeps them until the work after its reply has ended.
    private static let work = Method<Arguments<Vardict>, Arguments<>>(
        "Work", takes: ["options"], takesDescriptors: true)
    private static let fail = Method<Arguments<String>, Arguments<>>("Fail", takes: ["name"])
    private static let first = Interface(
        "org.example.First", [ignore, fail], errors: ["org.example.Error.Declared"])
    private static let second = Interface("org.example.Second", [keep, work])

    private let session: Session
    private let server: Connection
    private let client: Connection
    private let exports: [Export]
    private let gate = Gate()
    private let started = Recorder<String>()

    init() async throws {
        session = try await Session.start()
        let server = try await session.connect()
        self.server = server
        client = try await session.connect()
        var limits = SenderAccounts.Limits(
            callsPerSender: 4, descriptorsPerSender: 10, descriptors: 16)
        limits.bytes = 300 << 10
        let accounts = SenderAccounts(limits: limits)
        let first = try await server.export(Self.first, at: Self.path) { [gate, started] export in
            export.accounts = accounts
            export.method(Self.ignore) { call throws(DBusError) in
                started.note("ignore \(call.input.values.keys.sorted())")
                await gate.wait()
                return Arguments()
            }
            export.method(Self.fail) { call throws(DBusError) in
                throw DBusError(name: ErrorName(call.input.values) ?? .failed, message: "why")
            }
        }
        let second = try await server.export(Self.second, at: Self.path) { [gate, started] export in
            export.accounts = accounts
            export.method(Self.keep) { call throws(DBusError) in
                started.note("keep")
                await gate.wait()
                return Arguments(Self.count(call.input.values))
            }
            export.method(Self.work) { call in
                call.afterReply { Task { withExtendedLifetime(call.descriptors) {} } }
                return Arguments()
            }
        }
        exports = [first, second]
        #expect(try await server.requestName(Self.name) == .owner)
    }

    private static func count(_ options: Vardict) -> UInt32 {
        guard case .array("h", let values) = options["fds"] else { return 0 }
        return UInt32(values.count { if case .descriptor(.some) = $0 { true } else { false } })
    }

    /// Handlers wait here until the test releases them.
    private actor Gate {
        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func wait() async {
            if !isOpen { await withCheckedContinuation { waiting.append($0) } }
        }

        func open() {
            isOpen = true
            for waiter in waiting { waiter.resume() }
            waiting = []
        }
    }

    private static func descriptors(_ file: Descriptor, _ count: Int) -> Vardict {
        ["fds": .array(element: "h", Array(repeating: .descriptor(file), count: count))]
    }

    private func call<Input: ArgumentList, Output: ArgumentList>(
        _ method: Method<Input, Output>, _ interface: Interface, _ input: Input,
        from caller: Connection? = nil
    ) async throws(DBusError) -> Output {
        try await (caller ?? client).call(
            method, to: Self.name, at: Self.path, on: interface.name, input)
    }

    /// An app that had added a number of photos could add no more.
    @Test func `descriptors no longer count when the work after a reply has ended`() async throws {
        let file = try Descriptor.openForReading("/dev/null")
        for number in 1...3 {
            try await eventually("room for call \(number)") {
                do throws(DBusError) {
                    _ = try await call(
                        Self.work, Self.second, Arguments(Self.descriptors(file, 10)))
                    return true
                } catch {
                    #expect(error.name == .limitsExceeded)
                    return false
                }
            }
        }
    }

    @Test func `descriptors that a method does not take are closed before it runs`() async throws {
        let ends = try FileDescriptor.pipe()
        for end in [ends.readEnd, ends.writeEnd] {
            try #require(fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) == 0)
            try #require(fcntl(end.rawValue, F_SETFL, O_NONBLOCK) == 0)
        }
        let reading = Descriptor(owning: ends.readEnd)
        var writing: Descriptor? = Descriptor(owning: ends.writeEnd)
        // No reply is expected, so that nothing on our side keeps the message.
        try await client.send(
            Self.ignore, to: Self.name, at: Self.path, on: Self.first.name,
            Arguments(Self.descriptors(try #require(writing), 16)))
        writing = nil
        try await eventually("the call") { started.count == 1 }
        #expect(started.all == ["ignore [\"fds\"]"])
        // The pipe ends when its other end is closed everywhere: neither the message nor the
        // handler, which is still waiting, may hold it.
        try await eventually("the end of the pipe") {
            var byte: UInt8 = 0
            return read(reading.rawValue, &byte, 1) == 0
        }
        await gate.open()
    }

    @Test func `descriptors that a method takes are counted until it has replied`() async throws {
        let file = try Descriptor.openForReading("/dev/null")
        let other = try await session.connect()
        async let kept = call(Self.keep, Self.second, Arguments(Self.descriptors(file, 7)))
        try await eventually("the call") { started.count == 1 }
        // 7 of 10 are in use.
        var error = await #expect(throws: DBusError.self) {
            try await call(Self.keep, Self.second, Arguments(Self.descriptors(file, 4)))
        }
        #expect(error?.name == .limitsExceeded)
        // Another sender may have 10 of its own, but the limit for all together is 16.
        error = await #expect(throws: DBusError.self) {
            try await call(
                Self.keep, Self.second, Arguments(Self.descriptors(file, 10)), from: other)
        }
        #expect(error?.name == .limitsExceeded)
        await gate.open()
        #expect(try await kept.values == 7)
        #expect(
            try await call(Self.keep, Self.second, Arguments(Self.descriptors(file, 10))).values
                == 10)
    }

    @Test func `memory is counted for all senders together until they have their replies`()
        async throws
    {
        let other = try await session.connect()
        let text: Vardict = ["text": String(repeating: "x", count: 200 << 10).variant]
        async let kept = call(Self.ignore, Self.first, Arguments(text))
        try await eventually("the call") { started.count == 1 }
        let error = await #expect(throws: DBusError.self) {
            try await call(Self.ignore, Self.first, Arguments(text), from: other)
        }
        #expect(error?.name == .limitsExceeded)
        await gate.open()
        _ = try await kept
        _ = try await call(Self.ignore, Self.first, Arguments(text), from: other)
    }

    @Test func `calls of one sender are counted across both interfaces`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask { _ = try await call(Self.ignore, Self.first, Arguments([:])) }
                group.addTask { _ = try await call(Self.keep, Self.second, Arguments([:])) }
            }
            try await eventually("the calls") { started.count == 4 }
            for interface in [Self.first, Self.second] {
                let error = await #expect(throws: DBusError.self) {
                    interface.name == Self.first.name
                        ? _ = try await call(Self.ignore, Self.first, Arguments([:]))
                        : (_ = try await call(Self.keep, Self.second, Arguments([:])))
                }
                #expect(error?.name == .limitsExceeded)
            }
            await gate.open()
            try await group.waitForAll()
        }
        _ = try await call(Self.ignore, Self.first, Arguments([:]))
    }

    @Test(
        arguments: [
            ("org.example.Error.Declared", "org.example.Error.Declared"),
            ("org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.AccessDenied"),
            ("org.example.Error.Other", "org.freedesktop.DBus.Error.Failed"),
        ])
    func `declared errors keep their names`(thrown: String, received: String) async throws {
        let error = await #expect(throws: DBusError.self) {
            try await call(Self.fail, Self.first, Arguments(thrown))
        }
        #expect(error?.name.rawValue == received)
        #expect(error?.message.hasSuffix("why") == true)
    }
}

// SPDX-License-Identifier: MIT

import Files
import Glibc
import SDBus
import TestSupport
import Testing

/// Two connections of this process on a real daemon.
@Suite(.serialized) struct ConnectionTests {
    private static let path: ObjectPath = "/org/example/Calculator"
    private static let name: BusName = "org.example.Calculator"
    private static let add = Method<Arguments<Int32, Int32>, Arguments<Int32>>(
        "Add", takes: ["a", "b"], returns: ["sum"])
    private static let fail = Method<Arguments<String>, Arguments<>>("Fail", takes: ["text"])
    private static let wait = Method<Arguments<>, Arguments<>>("Wait")
    private static let size = Method<Arguments<Descriptor>, Arguments<Int64>>(
        "Size", takes: ["file"], returns: ["bytes"])
    private static let greet = Method<Arguments<>, Arguments<>>("Greet")
    private static let greeting = Interface("org.example.Greeting", [greet])
    private static let added = Signal<Arguments<Int32>>("Added", carries: ["sum"])
    private static let version = Property<UInt32>("version")
    private static let interface = Interface(
        "org.example.Calculator", [add, fail, wait, size, added, version])

    private let session: Session
    private let server: Connection
    private let client: Connection
    private let export: Export

    init() async throws {
        session = try await Session.start()
        let server = try await session.connect()
        self.server = server
        client = try await session.connect()
        export = try await server.export(Self.interface, at: Self.path) { export in
            export.method(Self.add) { call throws(DBusError) in
                let (a, b) = call.input.values
                call.afterReply {
                    try? server.emit(
                        Self.added, of: Self.interface.name, from: Self.path, to: call.sender,
                        Arguments(a &+ b))
                }
                return Arguments(a &+ b)
            }
            export.method(Self.fail) { call throws(DBusError) in
                throw DBusError(name: "org.example.Error.Sad", message: call.input.values)
            }
            export.method(Self.wait) { _ throws(DBusError) in
                try? await Task.sleep(for: .seconds(1000))
                return Arguments()
            }
            export.method(Self.size) { call throws(DBusError) in
                Arguments(Int64((try? call.input.values.read(upTo: 1000).count) ?? -1))
            }
            export.property(Self.version) { 7 }
        }
        #expect(try await server.requestName(Self.name) == .owner)
    }

    @Test func `a message that the bus cannot carry is an error, and the connection stays`()
        async throws
    {
        let signal = Signal<Arguments<[String]>>("Large", carries: ["texts"])
        let texts = Array(repeating: String(repeating: "x", count: 1 << 20), count: 70)
        let error = await #expect(throws: WireError.self) {
            try await server.emit(
                signal, of: Self.interface.name, from: Self.path, to: nil, Arguments(texts))
        }
        #expect(error?.isMessageTooLarge == true)
        #expect(try await server.owner(of: "org.freedesktop.DBus") != nil)
    }

    @Test func `a subscription ends with an error when its connection is closed`() async throws {
        let late = try await session.connect()
        // The daemon cannot confirm it.
        try await session.bus.suspended {
            let subscribing = Task { @BusActor in
                try await late.subscribe(
                    to: Self.added, of: Self.interface.name, from: "org.freedesktop.DBus"
                ) { _, _ in }
            }
            // It has been sent when the same thread runs this.
            for _ in 0..<3 { await Task { @BusActor in }.value }
            await late.close()
            await #expect(throws: DBusError.disconnected) { _ = try await subscribing.value }
        }
    }

    @Test func `a call is answered`() async throws {
        #expect(try await call(Self.add, Arguments(2, 3)).values == 5)
    }

    @Test func `each of many concurrent calls gets its own reply`() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in Int32(0)..<500 {
                group.addTask {
                    try await call(Self.add, Arguments(number, 1)).values == number + 1
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func `an error reply keeps its name and its text`() async throws {
        let error = await #expect(throws: DBusError.self) {
            try await call(Self.fail, Arguments("why"))
        }
        #expect(error == DBusError(name: "org.example.Error.Sad", message: "why"))
    }

    @Test func `a descriptor is transferred`() async throws {
        let file = try MemoryFile.make(named: "x", holding: [1, 2, 3])
        #expect(try await call(Self.size, Arguments(file)).values == 3)
    }

    @Test func `a call to an unknown name fails at once`() async throws {
        let error = await #expect(throws: DBusError.self) {
            try await client.call(
                Self.add, to: "org.example.Nobody", at: Self.path, on: Self.interface.name,
                Arguments(1, 1))
        }
        #expect(error?.name == .serviceUnknown)
    }

    @Test func `cancelling the task ends the wait`() async throws {
        let task = Task { try await call(Self.wait, Arguments()) }
        _ = try await call(Self.add, Arguments(1, 1))
        task.cancel()
        let result = await task.result
        #expect(throws: DBusError.cancelled) { try result.get() }
    }

    @Test func `a task that is cancelled before its call does not wait`() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await call(Self.wait, Arguments())
        }
        let result = await task.result
        #expect(throws: DBusError.cancelled) { try result.get() }
    }

    @Test func `a time-out ends the wait`() async throws {
        await #expect(throws: DBusError.self) {
            try await client.call(
                Self.wait, to: Self.name, at: Self.path, on: Self.interface.name, Arguments(),
                timeout: .milliseconds(50))
        }
    }

    @Test func `a peer that leaves ends the wait`() async throws {
        let task = Task { try await call(Self.wait, Arguments()) }
        _ = try await call(Self.add, Arguments(1, 1))
        await server.close()
        let result = await task.result
        #expect(throws: DBusError.self) { try result.get() }
    }

    @Test func `the end of the daemon ends every wait, and is reported once`() async throws {
        let told = Recorder<Void>()
        await client.onDisconnect { told.note(()) }
        let task = Task { try await call(Self.wait, Arguments()) }
        _ = try await call(Self.add, Arguments(1, 1))
        try await session.bus.stop()
        let result = await task.result
        #expect(throws: DBusError.self) { try result.get() }
        try await eventually("the news") { told.count == 1 }
        await #expect(throws: DBusError.disconnected) {
            try await call(Self.add, Arguments(1, 1))
        }
    }

    @Test func `a signal to one connection reaches only that connection, after the reply`()
        async throws
    {
        let stranger = try await session.connect()
        let heard = Recorder<String>()
        let own = try await client.subscribe(
            to: Self.added, of: Self.interface.name, from: Self.name
        ) { _, sum in heard.note("own \(sum.values)") }
        let other = try await stranger.subscribe(
            to: Self.added, of: Self.interface.name, from: Self.name
        ) { _, sum in heard.note("other \(sum.values)") }
        _ = try await call(Self.add, Arguments(20, 22))
        try await eventually("the signal") { heard.all.contains("own 42") }
        _ = try await stranger.owner(of: Self.name)
        #expect(heard.all == ["own 42"])
        await own.cancel()
        await other.cancel()
        await stranger.close()
    }

    @Test func `the owner of a name is watched`() async throws {
        let owners = Recorder<BusName?>()
        let watch = try await client.watchOwner(of: Self.name) { owner in
            owners.note(owner)
        }
        try await server.releaseName(Self.name)
        try await eventually("the loss") { owners.all == [nil] }
        let name = await client.uniqueName
        #expect(try await client.requestName(Self.name) == .owner)
        try await eventually("the gain") { owners.all == [nil, name] }
        await watch.cancel()
    }

    @Test func `a name with an owner is refused, and replaced only if the owner allows it`()
        async throws
    {
        #expect(try await client.requestName(Self.name) == .taken)
        #expect(try await client.requestName(Self.name, replacing: true) == .owner)
        #expect(try await server.owner(of: Self.name) == client.uniqueName)
    }

    @Test func `credentials identify the process of a connection`() async throws {
        let name = try #require(await server.uniqueName)
        let credentials = try await client.credentials(of: name)
        #expect(credentials.userID == getuid())
        #expect(credentials.processID == UInt32(getpid()))
    }

    @Test func `a withdrawn interface is gone`() async throws {
        await export.withdraw()
        await #expect(throws: DBusError.self) { try await call(Self.add, Arguments(1, 1)) }
    }

    @Test func `an object that another thread releases is not called any more`() async throws {
        let peer = try #require(await server.uniqueName)
        let path: ObjectPath = "/org/example/Short"
        for _ in 0..<300 {
            let ended = Recorder<Bool>()
            var export: Export? = try await server.export(Self.greeting, at: path) { export in
                let witness = Witness(of: ended)
                export.method(Self.greet) { _ throws(DBusError) in
                    withExtendedLifetime(witness) {}
                    return Arguments()
                }
            }
            for _ in 0..<20 {
                try await client.send(
                    Self.greet, to: peer, at: path, on: Self.greeting.name, Arguments())
            }
            withExtendedLifetime(export) {}
            export = nil
            try await eventually("end of the object") { ended.all.first != nil }
            // Not while the bus thread may be about to call it.
            #expect(ended.all == [true])
        }
    }

    /// The process died when one of its objects was called before the bus thread had closed it.
    @Test func `calls to a connection that another thread releases are dropped`() async throws {
        let path: ObjectPath = "/org/example/Short"
        for _ in 0..<300 {
            var server: Connection? = try await session.connect()
            let peer = try #require(await server?.uniqueName)
            let export = try await server?.export(Self.greeting, at: path) { export in
                export.method(Self.greet) { _ throws(DBusError) in Arguments() }
            }
            for _ in 0..<20 {
                try await client.send(
                    Self.greet, to: peer, at: path, on: Self.greeting.name, Arguments())
            }
            server = nil
            withExtendedLifetime(export) {}
        }
    }

    @Test func `wrong argument types are refused`() async throws {
        let wrong = Method<Arguments<String>, Arguments<Int32>>(
            "Add", takes: ["a"], returns: ["sum"])
        let error = await #expect(throws: DBusError.self) {
            try await call(wrong, Arguments("1"))
        }
        #expect(error?.name == .invalidArgs)
    }

    private func call<Input: ArgumentList, Output: ArgumentList>(
        _ method: Method<Input, Output>, _ input: Input
    ) async throws(DBusError) -> Output {
        try await client.call(
            method, to: Self.name, at: Self.path, on: Self.interface.name, input)
    }
}

/// Records whether it ended on the thread on which it began.
private final class Witness: Sendable {
    private let thread = pthread_self()
    private let ended: Recorder<Bool>

    init(of ended: Recorder<Bool>) {
        self.ended = ended
    }

    deinit {
        ended.note(pthread_equal(thread, pthread_self()) != 0)
    }
}

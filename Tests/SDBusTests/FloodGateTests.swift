// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import SDBus

/// How often a sender may call.
@Suite(.serialized) struct FloodGateTests {
    private static let name: BusName = "org.example.Gate"
    private static let path: ObjectPath = "/org/example/gate"
    private static let take = Method<Arguments<String>, Arguments<>>("Take", takes: ["text"])
    private static let interface = Interface("org.example.Gate", [take])

    /// A service that takes texts, and whose gate is open as wide as a test wants.
    @BusActor
    private final class Service {
        private let gate: FloodGate
        private let export: Export

        init(on connection: Connection, _ rate: FloodGate.Rate) async throws {
            gate = try FloodGate(on: connection, strangers: rate)
            export = try connection.export(
                FloodGateTests.interface, at: FloodGateTests.path
            ) { export in
                export.method(FloodGateTests.take) { _ throws(DBusError) in Arguments() }
            }
            _ = try await connection.requestName(FloodGateTests.name)
        }
    }

    @Test func `a caller that introspects first is answered while the bus is slow`() {
        let rates = [
            FloodGate.Rate(burst: 400, perSecond: 200), .init(burst: 1000, perSecond: 1000),
        ]
        for rate in rates {
            let bucket = FloodGate.Bucket(rate)
            let now = ContinuousClock.now
            func take(_ cost: Double) -> Bool { bucket.take(cost, at: now, isScarce: true) }
            #expect(take(CallScreen.introspection))
            #expect((0..<20).allSatisfy { _ in take(1) })
            // Not more than that.
            #expect(!(0..<40).allSatisfy { _ in take(1) })
        }
    }

    @Test func `a party that calls too often has little of its rate until it stops`() {
        let bucket = FloodGate.Bucket(.init(burst: 1000, perSecond: 1000))
        let begin = ContinuousClock.now
        /// The calls of a second that the gate lets through.
        func admitted(in second: Int, every step: Int = 1) -> Int {
            stride(from: second * 2000, to: (second + 1) * 2000, by: step).count {
                bucket.take(1, at: begin + .microseconds($0 * 500), isScarce: false)
            }
        }
        // Two calls each millisecond: the burst, and the rate until it is used up.
        let first = admitted(in: 0)
        #expect((1000...2000).contains(first))
        _ = admitted(in: 1)
        #expect((40...60).contains(admitted(in: 2)))
        #expect(bucket.isInExcess(at: begin + .seconds(3)))
        // As many as it may, after a second of silence.
        #expect(!bucket.isInExcess(at: begin + .seconds(5)))
        #expect(admitted(in: 5, every: 2) == 1000)
    }

    @Test func `calls at once are answered, and a flood is not`() async throws {
        let session = try await Session.start()
        let rate = FloodGate.Rate(burst: 1000, perSecond: 1000)
        let service = try await Service(on: session.connect(), rate)
        let client = try await session.connect()
        /// The calls among so many at once that are answered.
        func answered(_ count: Int) async -> Int {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        (try? await client.call(
                            Self.take, to: Self.name, at: Self.path, on: Self.interface.name,
                            Arguments("x"), timeout: .seconds(5))) != nil
                    }
                }
                var answered = 0
                for await isAnswered in group where isAnswered { answered += 1 }
                return answered
            }
        }
        // Even if the bus does not keep up, as on a busy machine.
        #expect(await answered(50) == 50)
        try await eventually("answers to 90 calls") { await answered(90) == 90 }
        let other = try await session.connect()
        async let flood = answered(5000)
        _ = try await other.call(
            Self.take, to: Self.name, at: Self.path, on: Self.interface.name, Arguments("x"))
        let served = await flood
        print("\(served) of 5000 calls at once were answered")
        #expect(served < 500)
        withExtendedLifetime(service) {}
    }

    @Test func `a large call costs what it says, even if few tokens are left`() async throws {
        let session = try await Session.start()
        let rate = FloodGate.Rate(burst: 100, perSecond: 1000)
        let service = try await Service(on: session.connect(), rate)
        let client = try await session.connect()
        // Each of them is worth more than a burst, so there may be one in the time of a burst.
        let text = String(repeating: "x", count: 900 << 10)
        let begin = ContinuousClock.now
        var admitted = 0
        for _ in 0..<30 {
            do throws(DBusError) {
                _ = try await client.call(
                    Self.take, to: Self.name, at: Self.path, on: Self.interface.name,
                    Arguments(text))
                admitted += 1
            } catch {
                #expect(error.name == .limitsExceeded)
            }
        }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        #expect(admitted >= 1)
        #expect(Double(admitted) <= 2 + seconds * rate.perSecond / rate.burst)
        // Small calls are admitted again when the large ones are paid for.
        try await eventually("a small call") {
            (try? await client.call(
                Self.take, to: Self.name, at: Self.path, on: Self.interface.name, Arguments("x")))
                != nil
        }
        withExtendedLifetime(service) {}
    }
}

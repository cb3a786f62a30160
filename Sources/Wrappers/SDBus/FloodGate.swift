// SPDX-License-Identifier: MIT

internal import CSDBus
import Processes

/// Refuses the calls of senders that call too often, before any other work is done for them.
///
/// All calls to the connection count, whatever they call and whether it exists. A sender, or the
/// party that it belongs to, has a bucket of tokens that is refilled at a constant rate; each call
/// takes one.
@BusActor
package final class FloodGate {
    /// How often a party may call.
    package struct Rate: Hashable, Sendable {
        /// The calls that may come at once.
        package var burst: Double
        /// The calls for each second that has passed.
        package var perSecond: Double

        package init(burst: Double, perSecond: Double) {
            self.burst = burst
            self.perSecond = perSecond
        }
    }

    private final class Bucket {
        var rate: Rate
        var members = 0
        private var tokens: Double
        private var time = ContinuousClock.now

        init(_ rate: Rate) {
            self.rate = rate
            tokens = rate.burst
        }

        func take(at now: ContinuousClock.Instant) -> Bool {
            refill(at: now)
            guard tokens >= 1 else { return false }
            tokens -= 1
            return true
        }

        func isFull(at now: ContinuousClock.Instant) -> Bool {
            refill(at: now)
            return tokens == rate.burst
        }

        private func refill(at now: ContinuousClock.Instant) {
            let seconds = (now - time) / .seconds(1)
            tokens = min(tokens + seconds * rate.perSecond, rate.burst)
            time = now
        }
    }

    /// Beyond this many messages that the bus has not taken yet, refused calls get no reply: their
    /// sender would only make us keep more of them.
    private static let mostWaiting: UInt64 = 1024
    /// The senders that are not identified and whose buckets are kept.
    private static let mostStrangers = 4096

    private let strangerRate: Rate
    private let refusal = DBusError.limitsExceeded("Too many calls")
    private var strangers: [BusName: Bucket] = [:]
    private var members: [BusName: Bucket] = [:]
    private var parties: [AnyHashable: Bucket] = [:]
    private var refusedCount = 0
    private var trimming: Task<Void, Never>?
    private let slot = Slot()

    /// Begins to refuse calls to a connection.
    ///
    /// - Parameter rate: The rate of each sender that is not identified yet.
    package init(on connection: Connection, strangers rate: Rate) throws(WireError) {
        strangerRate = rate
        try check(
            sd_bus_add_filter(
                connection.bus, &slot.pointer,
                { message, context, _ in
                    BusActor.assumeIsolated {
                        guard let message, let gate = Unmanaged<FloodGate>.borrow(context) else {
                            return 0
                        }
                        return gate.admits(message) ? 0 : 1
                    }
                }, Unmanaged.passUnretained(self).toOpaque()), "sd_bus_add_filter")
    }

    // On the bus thread, because libsystemd calls this object there until the slot is cancelled.
    isolated deinit {
        slot.cancel()
    }

    /// Makes a sender share the bucket of its party until ``forget(_:)``.
    package func identified(
        _ sender: BusName, as party: some Hashable & Sendable, at rate: Rate
    ) {
        guard members[sender] == nil else { return }
        let bucket = parties[party] ?? Bucket(rate)
        bucket.members += 1
        parties[party] = bucket
        members[sender] = bucket
        strangers[sender] = nil
    }

    /// Forgets a sender that has left the bus.
    package func forget(_ sender: BusName) {
        guard let bucket = members.removeValue(forKey: sender) else { return }
        bucket.members -= 1
        if bucket.members == 0 { parties = parties.filter { $0.value !== bucket } }
    }

    private func admits(_ message: OpaquePointer) -> Bool {
        var type: UInt8 = 0
        guard sd_bus_message_get_type(message, &type) >= 0, type == SD_BUS_MESSAGE_METHOD_CALL,
            let sender = sd_bus_message_get_sender(message).flatMap({ BusName(String(cString: $0)) }
            )
        else { return true }
        let now = ContinuousClock.now
        guard !bucket(of: sender, now).take(at: now) else { return true }
        refuse(message)
        return false
    }

    private func bucket(of sender: BusName, _ now: ContinuousClock.Instant) -> Bucket {
        if let bucket = members[sender] ?? strangers[sender] { return bucket }
        if strangers.count >= Self.mostStrangers {
            // Many of them have left the bus, or call seldom.
            strangers = strangers.filter { !$0.value.isFull(at: now) }
            if strangers.count >= Self.mostStrangers { strangers = [:] }
        }
        let bucket = Bucket(strangerRate)
        strangers[sender] = bucket
        return bucket
    }

    private func refuse(_ message: OpaquePointer) {
        refusedCount += 1
        if trimming == nil { trimming = Task { await trimWhenQuiet() } }
        var waiting: UInt64 = 0
        let bus = sd_bus_message_get_bus(message)
        guard sd_bus_get_n_queued_write(bus, &waiting) >= 0, waiting < Self.mostWaiting else {
            return
        }
        // Sending fails only if the connection has ended.
        try? PendingReply(to: Message(borrowing: message)).send(refusal)
    }

    /// Returns the memory of the flood to the system once it is over: many messages leave gaps in the
    /// allocator's memory.
    private func trimWhenQuiet() async {
        repeat {
            refusedCount = 0
            // Nobody cancels this task.
            try? await Task.sleep(for: .seconds(1))
        } while refusedCount > 0
        ProcessMemory.trim()
        trimming = nil
    }
}

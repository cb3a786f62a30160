// SPDX-License-Identifier: MIT

internal import CSDBus
import Processes

/// Refuses the calls of senders that call too often, before any other work is done for them.
///
/// All calls to the connection count, whatever they call and whether it exists. A sender, or the
/// party that it belongs to, has a bucket of tokens that is refilled at a constant rate; each call
/// takes one, or several if it is large or its reply is.
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

    /// What a sender, or a party of senders, may still call.
    final class Bucket {
        var rate: Rate
        var members = 0
        private var tokens: Double
        private var time = ContinuousClock.now
        private var excessEnd = ContinuousClock.now

        init(_ rate: Rate) {
            self.rate = rate
            tokens = rate.burst
        }

        /// Whether the party has just called more often than it may.
        func isInExcess(at now: ContinuousClock.Instant) -> Bool { now < excessEnd }

        /// Takes the tokens for a call.
        ///
        /// A call that costs more than there are is paid for later, up to a burst. Otherwise a single
        /// token would be enough for any call. A party without any may use only a part of its rate
        /// until it has been refused nothing for a moment.
        ///
        /// - Parameter isScarce: Whether only those get one who have used little of theirs.
        func take(_ cost: Double, at now: ContinuousClock.Instant, isScarce: Bool) -> Bool {
            // What a slow bus lets through of a flood may be less than the rate.
            let isModest = isScarce || isInExcess(at: now)
            refill(at: now, rate.perSecond * (isModest ? FloodGate.modestUse : 1))
            let least = isScarce ? max(rate.burst - FloodGate.modestCalls, 1) : 1
            guard tokens >= least else {
                if tokens < 1 {
                    excessEnd = now + FloodGate.floodTime
                } else {
                    tokens = max(tokens - cost, 0)
                }
                return false
            }
            tokens = max(tokens - cost, -rate.burst)
            return true
        }

        func isFull(at now: ContinuousClock.Instant) -> Bool {
            refill(at: now, rate.perSecond)
            return tokens == rate.burst
        }

        private func refill(at now: ContinuousClock.Instant, _ perSecond: Double) {
            let seconds = (now - time) / .seconds(1)
            tokens = min(tokens + seconds * perSecond, rate.burst)
            time = now
        }
    }

    /// The memory of the messages that the bus may leave unread, in bytes: about a hundred of them.
    ///
    /// A daemon reads from all its connections in turn. While many flood us, it has little time for our
    /// own messages, and those for other apps wait behind the replies to the flood. So beyond this,
    /// who has called often gets no replies.
    private static let mostUnread = 64 << 10
    /// The same during a flood: about ten messages.
    ///
    /// That is what a daemon reads from one connection before it turns to the next one. With more,
    /// messages for other apps wait for several turns, each of which serves all connections of the
    /// flood.
    private static let mostUnreadInFlood = 8 << 10
    /// The calls that may wait for us.
    ///
    /// Each call of a flood that we answer delays the calls of others behind it by as much as a
    /// request takes. With the calls that a party may make at once meanwhile, 90 calls in one go are
    /// answered as long as the bus keeps up.
    private static let mostWaiting = 40
    /// The least bytes of a call: a few names and a path.
    private static let smallestCall = 128
    /// How long a flood is expected to go on after a call of a party that had no tokens left.
    private nonisolated static let floodTime = Duration.seconds(1)
    /// The part of its rate that a party may use while the bus does not keep up with our messages.
    ///
    /// Somebody who picks photos makes a few calls for each pick, and none while the window is open.
    /// That leaves 10 calls for each second to an app.
    private nonisolated static let modestUse = 0.05
    /// The tokens that a party may use at once meanwhile.
    ///
    /// That is enough for 20 calls, also if a library introspects before the first one. A flood has
    /// used them up in its first moment.
    private nonisolated static let modestCalls = CallScreen.introspection + 20
    /// The bytes of a call that one token pays for.
    private static let bytesPerToken = 4 << 10
    /// A call that is larger is refused unread: no method of ours takes so much.
    private static let largestCall = 2 << 20
    /// So many calls leave gaps in the allocator's memory, whether they were refused or not.
    private static let manyCalls = 500
    /// The senders that are not identified and whose buckets are kept.
    private static let mostStrangers = 4096

    private let bus: OpaquePointer
    private let strangerRate: Rate
    private let refusal = DBusError.limitsExceeded("Too many calls")
    private let excess = DBusError.limitsExceeded("The message holds too much")
    private let connection: Connection
    private var strangers: [BusName: Bucket] = [:]
    private var members: [BusName: Bucket] = [:]
    private var parties: [AnyHashable: Bucket] = [:]
    private var callCount = 0
    private var floodEnd = ContinuousClock.now
    private var trimming: Task<Void, Never>?
    private let slot = Slot()

    /// Begins to refuse calls to a connection.
    ///
    /// - Parameter rate: The rate of each sender that is not identified yet.
    package init(on connection: Connection, strangers rate: Rate) throws(WireError) {
        self.connection = connection
        bus = connection.bus
        strangerRate = rate
        connection.countReceivedBytes()
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
        let size = connection.takeReceivedBytes()
        var type: UInt8 = 0
        guard sd_bus_message_get_type(message, &type) >= 0, type == SD_BUS_MESSAGE_METHOD_CALL,
            let sender = sd_bus_message_get_sender(message).flatMap({ BusName(String(cString: $0)) }
            )
        else { return true }
        note(calls: 1)
        let now = ContinuousClock.now
        let unread = unreadMemory
        let isBusSlow = unread > (now < floodEnd ? Self.mostUnreadInFlood : Self.mostUnread)
        let call = CallScreen(message)
        let bucket = bucket(of: sender, now)
        let cost = max(call.cost, Double(size) / Double(Self.bytesPerToken))
        guard bucket.take(cost, at: now, isScarce: isBusSlow || areManyWaiting(of: size)) else {
            // A flood may consist of few large calls.
            note(calls: Self.manyCalls)
            if bucket.isInExcess(at: now) {
                floodEnd = now + Self.floodTime
                if unread == 0 { refuse(message, refusal) }
            } else if !isBusSlow {
                refuse(message, refusal)
            }
            return false
        }
        guard let error = size > Self.largestCall ? excess : call.nameError else { return true }
        refuse(message, error)
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

    private func note(calls count: Int) {
        callCount += count
        guard callCount >= Self.manyCalls, trimming == nil else { return }
        trimming = Task { await trimWhenQuiet() }
    }

    /// The memory of our messages that the bus has not read yet, in bytes.
    private var unreadMemory: Int {
        var waiting: UInt64 = 0
        if sd_bus_get_n_queued_write(bus, &waiting) >= 0, waiting > 0 { return .max }
        let socket = sd_bus_get_fd(bus)
        return socket >= 0 ? Int(pp_unread_bytes(socket)) : 0
    }

    /// Whether many calls wait for us, if they are as large as the last one.
    private func areManyWaiting(of size: Int) -> Bool {
        let socket = sd_bus_get_fd(bus)
        guard socket >= 0 else { return false }
        return Int(pp_waiting_bytes(socket)) / max(size, Self.smallestCall) > Self.mostWaiting
    }

    private func refuse(_ call: OpaquePointer, _ error: DBusError) {
        // Sending fails only if the connection has ended.
        try? PendingReply(to: Message(borrowing: call)).send(error)
    }

    /// Returns the memory of many calls to the system once they are over, and that of the work that
    /// they began once that is over, too.
    private func trimWhenQuiet() async {
        for pause in [Duration.seconds(1), .seconds(10)] {
            repeat {
                callCount = 0
                // Nobody cancels this task.
                try? await Task.sleep(for: pause)
            } while callCount >= Self.manyCalls
            ProcessMemory.trim()
        }
        trimming = nil
    }
}

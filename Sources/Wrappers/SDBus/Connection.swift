// SPDX-License-Identifier: MIT

internal import CSDBus
import Glibc

/// One connection to a message bus.
///
/// A connection is opened explicitly and shared by passing it on; libsystemd's per-thread default
/// connections are not used.
@BusActor
package final class Connection {
    let bus: OpaquePointer
    var openCalls: [ObjectIdentifier: PendingCall] = [:]
    /// The subscriptions that the bus has not confirmed yet.
    var installing: [ObjectIdentifier: Subscription] = [:]
    private var disconnection: Slot?
    private var disconnectionHandlers: [@BusActor () -> Void] = []

    /// The calls from peers that have not been answered yet.
    var callsInProgress = 0 {
        didSet {
            guard callsInProgress == 0 else { return }
            let waiting = quiescenceWaiters
            quiescenceWaiters = []
            for waiter in waiting { waiter.resume() }
        }
    }
    private var quiescenceWaiters: [CheckedContinuation<Void, Never>] = []

    /// Counts what libsystemd reads, if somebody wants to know the size of messages.
    private var received: ReceivedBytes?

    /// Whether we or the bus have closed the connection.
    package private(set) var isClosed = false

    /// Connects to a bus and waits until the bus has registered the connection.
    ///
    /// - Parameter address: A D-Bus server address; nil for the session bus of the environment.
    /// - Throws: ``DBusError``, ``DBusError/disconnected`` if the bus cannot be reached.
    package static func open(address: String? = nil) async throws(DBusError) -> Connection {
        try await open { () throws(WireError) in
            guard let address else { return try opened(sd_bus_open_user, "sd_bus_open_user") }
            let bus = try opened(sd_bus_new, "sd_bus_new")
            try check(sd_bus_set_address(bus, address), "sd_bus_set_address")
            try check(sd_bus_set_bus_client(bus, 1), "sd_bus_set_bus_client")
            try check(sd_bus_negotiate_fds(bus, 1), "sd_bus_negotiate_fds")
            try check(sd_bus_start(bus), "sd_bus_start")
            return bus
        }
    }

    /// Connects to the bus of the whole system; otherwise like ``open(address:)``.
    package static func openSystem() async throws(DBusError) -> Connection {
        try await open { () throws(WireError) in
            try opened(sd_bus_open_system, "sd_bus_open_system")
        }
    }

    private static func opened(
        _ open: (UnsafeMutablePointer<OpaquePointer?>) -> CInt, _ name: StaticString
    ) throws(WireError) -> OpaquePointer {
        var bus: OpaquePointer?
        try check(open(&bus), name)
        guard let bus else { throw .malformed("\(name)") }
        return bus
    }

    private static func open(
        _ open: () throws(WireError) -> OpaquePointer
    ) async throws(DBusError) -> Connection {
        let connection: Connection
        do {
            connection = try Connection(open())
        } catch {
            throw DBusError(
                name: DBusError.disconnected.name,
                message: "Cannot connect to the bus: \(error.description)")
        }
        // The first reply comes only after authentication and Hello.
        _ = try await connection.call(
            Bus.getID, to: Bus.name, at: Bus.path, on: Bus.interface, Arguments())
        return connection
    }

    private init(_ opened: OpaquePointer) throws(WireError) {
        bus = opened
        try check(
            sd_bus_attach_event(bus, BusActor.loop.event, Int32(SD_EVENT_PRIORITY_NORMAL)),
            "sd_bus_attach_event")
        let slot = Slot()
        try check(
            sd_bus_match_signal(
                bus, &slot.pointer, "org.freedesktop.DBus.Local", nil,
                "org.freedesktop.DBus.Local", "Disconnected",
                { _, context, _ in
                    BusActor.assumeIsolated {
                        Unmanaged<Connection>.borrow(context)?.end()
                    }
                    return 0
                }, Unmanaged.passUnretained(self).toOpaque()), "sd_bus_match_signal")
        disconnection = slot
    }

    isolated deinit {
        end()
        flush()
        sd_bus_close_unref(bus)
    }

    /// The unique name that the bus assigned to us.
    package var uniqueName: BusName? {
        var name: UnsafePointer<CChar>?
        guard sd_bus_get_unique_name(bus, &name) >= 0, let name else { return nil }
        return BusName(String(cString: name))
    }

    /// Begins to count what is received.
    func countReceivedBytes() {
        let socket = sd_bus_get_fd(bus)
        received = socket >= 0 ? ReceivedBytes(of: socket) : nil
    }

    /// The size of the message that is being handled, if this is called for each message; 0 if it is
    /// not known.
    func takeReceivedBytes() -> Int {
        received?.take() ?? 0
    }

    /// Calls `handler` once when the connection ends, or immediately if it has ended.
    package func onDisconnect(_ handler: @escaping @BusActor () -> Void) {
        if isClosed { handler() } else { disconnectionHandlers.append(handler) }
    }

    /// Waits until all calls that have arrived are answered.
    package func finishCalls() async {
        guard callsInProgress > 0 else { return }
        await withCheckedContinuation { quiescenceWaiters.append($0) }
    }

    /// Sends all queued messages, then closes the connection; every pending call fails.
    package func close() {
        guard !isClosed else { return }
        flush()
        sd_bus_close(bus)
        end()
    }

    /// Sends all queued messages; a bus that has not greeted us yet would be waited for without limit.
    private func flush() {
        if sd_bus_is_ready(bus) > 0 { sd_bus_flush(bus) }
    }

    private func end() {
        guard !isClosed else { return }
        isClosed = true
        let calls = openCalls
        openCalls = [:]
        for call in calls.values { call.fail(.disconnected) }
        for subscription in installing.values { subscription.finishInstalling(.disconnected) }
        let handlers = disconnectionHandlers
        disconnectionHandlers = []
        for handler in handlers { handler() }
    }

    /// Sends a signal.
    ///
    /// - Parameters:
    /// - destination: The only connection that receives it; nil for all subscribers.
    package func emit<Content: ArgumentList>(
        _ signal: Signal<Content>, of interface: InterfaceName, from path: ObjectPath,
        to destination: BusName?, _ content: Content
    ) throws(WireError) {
        let message = try Message.making("sd_bus_message_new_signal") {
            sd_bus_message_new_signal(
                bus, &$0, path.rawValue, interface.rawValue, signal.name.rawValue)
        }
        if let destination {
            try check(
                sd_bus_message_set_destination(message.pointer, destination.rawValue),
                "sd_bus_message_set_destination")
        }
        try message.append(content)
        try message.send()
    }
}

/// A slot in libsystemd's sense: a registration on a bus, which ends when it is released.
@BusActor
final class Slot {
    var pointer: OpaquePointer?

    isolated deinit {
        sd_bus_slot_unref(pointer)
    }

    /// Ends the registration immediately; its callback no longer runs.
    func cancel() {
        pointer = sd_bus_slot_unref(pointer)
    }

    /// The same for a slot with a vtable, which may be released afterwards.
    ///
    /// During a call libsystemd holds the slot, and reads the vtable when it releases the slot.
    func cancel(keeping rows: VTable) {
        let isCalling = pointer.map { sd_bus_get_current_slot(sd_bus_slot_get_bus($0)) == $0 }
        if isCalling == true {
            Task { @BusActor in withExtendedLifetime(rows) {} }
        }
        cancel()
    }
}

// SPDX-License-Identifier: MIT

internal import CSDBus

/// A call from a peer, with its sender and arguments.
package struct IncomingCall<Input: ArgumentList>: Sendable {
    /// The unique name of the caller.
    package let sender: BusName
    package let input: Input
    /// Counts the descriptors in ``input`` for the sender; nil if there are none or the export has
    /// no limits.
    package let descriptors: DescriptorClaim?
    private let reply: ReplyHooks

    fileprivate init(
        sender: BusName, input: Input, descriptors: DescriptorClaim?, reply: ReplyHooks
    ) {
        self.sender = sender
        self.input = input
        self.descriptors = descriptors
        self.reply = reply
    }

    /// Runs `action` after the reply has been queued, so that messages from `action` arrive after
    /// it.
    ///
    /// Does not run if the call is answered with an error.
    @BusActor
    package func afterReply(_ action: @escaping @BusActor () -> Void) {
        reply.actions.append(action)
    }
}

/// The actions that wait until a reply has been sent.
@BusActor
private final class ReplyHooks {
    var actions: [@BusActor () -> Void] = []
}

/// An interface on one of our objects, exported as long as this instance lives.
@BusActor
package final class Export {
    private let interface: Interface
    /// Nil once another thread has released it, before this thread closes it.
    private weak var connection: Connection?
    private var methods: [String: (Message) -> Void] = [:]
    private var getters: [String: (OpaquePointer) -> CInt] = [:]
    private let slot = Slot()
    private let rows: VTable
    /// Where the export is listed, for one of several private objects.
    private var listing: PrivateObjects.Listing?

    /// Counts the calls and descriptors of each sender, for an interface that untrusted peers may
    /// call.
    ///
    /// Calls beyond the limits are answered with `LimitsExceeded` without further work. Descriptors
    /// are closed before the handler runs, unless the method takes them.
    package var accounts: SenderAccounts?

    /// Whether calls count towards the limit of ``accounts``; methods that reply at once need none.
    package var limitsCalls = true

    /// The limits of one call; a larger call is answered with `LimitsExceeded`.
    package var readingLimits = ReadingLimits.call

    /// Makes an export that is not on the bus yet.
    ///
    /// - Parameter rows: The vtable, if exports share one.
    init(_ interface: Interface, on connection: Connection, rows: VTable? = nil) {
        self.interface = interface
        self.connection = connection
        self.rows = rows ?? VTable(interface)
    }

    // On the bus thread, because libsystemd calls this object there until the slot is cancelled. If
    // another thread releases it meanwhile, this is the end of such a call.
    isolated deinit {
        slot.cancel(keeping: rows)
    }

    /// Implements a method.
    ///
    /// Each call runs in its own task on the bus thread; calls start in the order in which they
    /// arrived. An error that the handler throws becomes the error reply.
    package func method<Input: ArgumentList, Output: ArgumentList>(
        _ method: Method<Input, Output>,
        _ handler: @escaping @BusActor (IncomingCall<Input>) async throws(DBusError) -> Output
    ) {
        methods[method.name.rawValue] = { [weak self] message in
            self?.receive(message, method.takesDescriptors, handler)
        }
    }

    private func receive<Input: ArgumentList, Output: ArgumentList>(
        _ message: Message, _ takesDescriptors: Bool,
        _ handler: @escaping @BusActor (IncomingCall<Input>) async throws(DBusError) -> Output
    ) {
        guard let connection, let sender = message.sender else { return }
        let claim = limitsCalls ? accounts?.beginCall(of: sender) : nil
        guard claim != nil || accounts == nil || !limitsCalls else {
            // Sending fails only if the connection has ended.
            try? PendingReply(to: message)
                .send(DBusError.limitsExceeded("Too many calls at a time"))
            return
        }
        let reply: PendingReply
        do throws(WireError) {
            reply =
                accounts == nil
                ? PendingReply(to: message)
                : try PendingReply(releasing: message, allowing: interface.errors)
        } catch {
            // Out of memory, or the connection has ended; the call cannot be answered.
            return
        }
        let hooks = ReplyHooks()
        // Here and not in the task, so that a message with descriptors is released immediately.
        let result =
            read(message, of: sender, takesDescriptors, claim, hooks)
            as Result<
                IncomingCall<Input>, DBusError
            >
        connection.callsInProgress += 1
        Task { @BusActor [rows] in
            await Self.answer(reply, result, hooks, handler)
            // The reply refers to its signature in the table.
            withExtendedLifetime(rows) {}
            connection.callsInProgress -= 1
            withExtendedLifetime(claim) {}
        }
    }

    /// Reads the arguments of a call, within the limits of the call and of its sender.
    private func read<Input: ArgumentList>(
        _ message: Message, of sender: BusName, _ takesDescriptors: Bool, _ claim: CallClaim?,
        _ hooks: ReplyHooks
    ) -> Result<IncomingCall<Input>, DBusError> {
        var limits = readingLimits
        if claim != nil, let left = accounts?.bytesLeft(for: sender) {
            limits.bytes = min(limits.bytes, left)
            limits.values = min(limits.values, left / ReadingLimits.bytesPerValue)
        }
        let allowed = accounts?.descriptorsLeft(for: sender) ?? .max
        limits.descriptors = takesDescriptors ? allowed : nil
        let most = limits
        do throws(WireError) {
            let input: Input = try message.read(within: &limits)
            claim?.keep(
                bytes: most.bytes - limits.bytes
                    + (most.values - limits.values) * ReadingLimits.bytesPerValue)
            let taken = limits.descriptors.map { allowed - $0 } ?? 0
            return .success(
                IncomingCall(
                    sender: sender, input: input,
                    descriptors: accounts?.claim(taken, for: sender), reply: hooks))
        } catch {
            return .failure(DBusError(error))
        }
    }

    /// Implements the getter of a property.
    package func property<Value: DBusValue>(
        _ property: Property<Value>, _ get: @escaping @BusActor () -> Value
    ) {
        getters[property.name.rawValue] = { reply in
            var writer = MessageWriter(borrowing: reply)
            do throws(WireError) {
                try get().append(to: &writer)
                return 1
            } catch {
                return -error.code
            }
        }
    }

    /// Removes the interface from the bus; calls that are in progress still get their replies.
    package func withdraw() {
        slot.cancel()
        listing = nil
    }

    private static func answer<Input: ArgumentList, Output: ArgumentList>(
        _ reply: PendingReply, _ call: Result<IncomingCall<Input>, DBusError>,
        _ hooks: ReplyHooks,
        _ handler: @BusActor (IncomingCall<Input>) async throws(DBusError) -> Output
    ) async {
        // They may hold the call, which holds them.
        defer { hooks.actions = [] }
        do throws(DBusError) {
            let output = try await handler(try call.get())
            do throws(WireError) {
                try reply.send(output)
            } catch  where error.isMessageTooLarge {
                throw DBusError(error)
            } catch {
                // The connection has ended, and no one waits for the reply.
            }
            for action in hooks.actions { action() }
        } catch {
            try? reply.send(error)  // As above.
        }
    }

    fileprivate func add(to bus: OpaquePointer, at path: ObjectPath) throws(WireError) {
        requireAllMembers()
        try check(
            sd_bus_add_object_vtable(
                bus, &slot.pointer, path.rawValue, interface.name.rawValue, rows.table,
                Unmanaged.passUnretained(self).toOpaque()), "sd_bus_add_object_vtable")
    }

    /// Puts the export on the bus as one of several private objects.
    func add(_ listing: PrivateObjects.Listing) {
        requireAllMembers()
        self.listing = listing
    }

    private func requireAllMembers() {
        for member in interface.members {
            let name = member.name.rawValue
            switch member.shape {
            case .method: precondition(methods[name] != nil, "\(interface.name).\(name) is missing")
            case .property:
                precondition(getters[name] != nil, "\(interface.name).\(name) is missing")
            case .signal: break
            }
        }
    }

    func receive(_ message: Message) -> CInt {
        guard let member = message.member, let handler = methods[member.rawValue] else { return 0 }
        handler(message)
        return 1
    }

    func get(_ property: String, into reply: OpaquePointer) -> CInt {
        getters[property]?(reply) ?? 0
    }
}

extension Connection {
    /// Puts an interface on an object.
    ///
    /// - Parameters:
    /// - implement: Implements all methods and properties.
    /// - Returns: The export; releasing it removes the interface from the bus.
    /// - Throws: ``WireError`` with `EEXIST` if the object already has this interface.
    package func export(
        _ interface: Interface, at path: ObjectPath,
        implement: @BusActor (Export) -> Void
    ) throws(WireError) -> Export {
        let export = Export(interface, on: self)
        implement(export)
        try export.add(to: bus, at: path)
        return export
    }
}

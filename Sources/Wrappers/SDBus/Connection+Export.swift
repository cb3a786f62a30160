// SPDX-License-Identifier: MIT

internal import CSDBus

/// A call that arrived: who sent it and with what.
package struct IncomingCall<Input: ArgumentList>: Sendable {
    /// The unique name of the caller.
    package let sender: BusName
    package let input: Input
    /// What counts the descriptors in ``input`` for the sender; nil where there are none, or where
    /// senders are not counted.
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

    /// Runs `action` once the reply is on its way, so that what it sends arrives after the reply.
    ///
    /// Not run when the call is answered with an error.
    @BusActor
    package func afterReply(_ action: @escaping @BusActor () -> Void) {
        reply.actions.append(action)
    }
}

/// What waits for a reply to be sent.
@BusActor
private final class ReplyHooks {
    var actions: [@BusActor () -> Void] = []
}

/// An interface on an object of ours; it stays on the bus as long as this object lives.
@BusActor
package final class Export {
    private let interface: Interface
    private unowned let connection: Connection
    private var methods: [String: (Message) -> Void] = [:]
    private var getters: [String: (OpaquePointer) -> CInt] = [:]
    private let slot = Slot()
    private let rows: VTable

    /// Counts the calls and descriptors of senders, for an interface that strangers may call.
    ///
    /// Calls beyond the limits are answered with `LimitsExceeded` before any work. Descriptors are
    /// closed before the handler runs, unless the method takes them.
    package var accounts: SenderAccounts?

    /// Whether calls count towards the limit of ``accounts``; methods that reply at once need none.
    package var limitsCalls = true

    /// How much one call may hold; what is larger is answered with `LimitsExceeded`.
    package var readingLimits = ReadingLimits.call

    init(_ interface: Interface, on connection: Connection) {
        self.interface = interface
        self.connection = connection
        rows = VTable(interface)
    }

    /// Says what a method does.
    ///
    /// Each call runs as a task of its own on the bus thread; calls start in the order in
    /// which they came. What the handler throws becomes the error reply.
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
        guard let sender = message.sender else { return }
        let reply: PendingReply
        let result: Result<IncomingCall<Input>, DBusError>
        let hooks = ReplyHooks()
        do throws(WireError) {
            reply =
                accounts == nil
                ? PendingReply(to: message)
                : try PendingReply(to: message, preparing: interface.errors)
        } catch {
            // Out of memory, or the connection has ended: there is no way to answer.
            return
        }
        let callAccounts = limitsCalls ? accounts : nil
        guard callAccounts?.beginCall(of: sender) != false else {
            // If it cannot be sent, the connection has ended.
            try? reply.send(DBusError.limitsExceeded("Too many calls at a time"))
            return
        }
        // Here and not in the task, so that a message with descriptors is released at once.
        do throws(WireError) {
            var limits = readingLimits
            let allowed = accounts?.descriptorsLeft(for: sender) ?? .max
            limits.descriptors = takesDescriptors ? allowed : nil
            let input: Input = try message.read(within: &limits)
            let taken = limits.descriptors.map { allowed - $0 } ?? 0
            result = .success(
                IncomingCall(
                    sender: sender, input: input,
                    descriptors: accounts?.claim(taken, for: sender), reply: hooks))
        } catch {
            result = .failure(DBusError(error))
        }
        connection.callsInProgress += 1
        Task { @BusActor [connection, rows] in
            await Self.answer(reply, result, hooks, handler)
            // The reply points into the table for its signature.
            withExtendedLifetime(rows) {}
            connection.callsInProgress -= 1
            callAccounts?.endCall(of: sender)
        }
    }

    /// Says how to read a property.
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

    /// Takes the interface off the bus; calls that are under way still get their replies.
    package func withdraw() {
        slot.cancel()
    }

    private static func answer<Input: ArgumentList, Output: ArgumentList>(
        _ reply: PendingReply, _ call: Result<IncomingCall<Input>, DBusError>,
        _ hooks: ReplyHooks,
        _ handler: @BusActor (IncomingCall<Input>) async throws(DBusError) -> Output
    ) async {
        do {
            let output = try await handler(try call.get())
            // A reply that cannot be sent means that the connection has ended: nobody waits.
            try? reply.send(output)
            for action in hooks.actions { action() }
        } catch {
            try? reply.send(error)  // As above.
        }
    }

    fileprivate func add(to bus: OpaquePointer, at path: ObjectPath) throws(WireError) {
        for member in interface.members {
            let name = member.name.rawValue
            switch member.shape {
            case .method: precondition(methods[name] != nil, "\(interface.name).\(name) is missing")
            case .property:
                precondition(getters[name] != nil, "\(interface.name).\(name) is missing")
            case .signal: break
            }
        }
        try check(
            sd_bus_add_object_vtable(
                bus, &slot.pointer, path.rawValue, interface.name.rawValue, rows.table,
                Unmanaged.passUnretained(self).toOpaque()), "sd_bus_add_object_vtable")
    }

    fileprivate func receive(_ message: Message) -> CInt {
        guard let member = message.member, let handler = methods[member.rawValue] else { return 0 }
        handler(message)
        return 1
    }

    fileprivate func get(_ property: String, into reply: OpaquePointer) -> CInt {
        getters[property]?(reply) ?? 0
    }
}

extension Connection {
    /// Puts an interface on an object.
    ///
    /// - Parameters:
    ///   - implement: Says what each method does and what each property holds; all of them.
    /// - Returns: The export; releasing it takes the interface off the bus.
    /// - Throws: ``WireError`` with `EEXIST` when the object has this interface already.
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

/// The C table behind an export, with the strings it points to.
@BusActor
private final class VTable {
    let table: UnsafeMutablePointer<sd_bus_vtable>
    private var strings: [UnsafeMutablePointer<CChar>] = []

    init(_ interface: Interface) {
        var strings: [UnsafeMutablePointer<CChar>] = []
        func keep(_ text: String) -> UnsafePointer<CChar> {
            let bytes = Array(text.utf8CString)
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
            copy.initialize(from: bytes, count: bytes.count)
            strings.append(copy)
            return UnsafePointer(copy)
        }
        func types(_ arguments: [MemberShape.Argument]) -> UnsafePointer<CChar> {
            keep(arguments.map(\.signature).joined())
        }
        func names(_ arguments: [MemberShape.Argument]) -> UnsafePointer<CChar> {
            keep(arguments.map { "\($0.name)\0" }.joined())
        }
        let rows = interface.members.map { member in
            let name = keep(member.name.rawValue)
            return switch member.shape {
            case .method(let input, let output):
                pp_vtable_row(
                    kind: Character("m").code, member: name, signature: types(input),
                    result: types(output), names: names(input + output))
            case .signal(let content):
                pp_vtable_row(
                    kind: Character("s").code, member: name, signature: types(content),
                    result: nil, names: names(content))
            case .property(let signature, let emitsChange):
                pp_vtable_row(
                    kind: Character(emitsChange ? "e" : "p").code, member: name,
                    signature: keep(signature), result: nil, names: nil)
            }
        }
        let table = pp_vtable_make(
            rows, rows.count,
            { message, context, _ in
                BusActor.assumeIsolated {
                    guard let message, let export = Unmanaged<Export>.borrow(context) else {
                        return 0
                    }
                    return export.receive(Message(borrowing: message))
                }
            },
            { _, _, _, property, reply, context, _ in
                BusActor.assumeIsolated {
                    guard let property, let reply, let export = Unmanaged<Export>.borrow(context)
                    else { return 0 }
                    return export.get(String(cString: property), into: reply)
                }
            })
        guard let table else { preconditionFailure("out of memory for a vtable") }
        self.table = table
        self.strings = strings
    }

    isolated deinit {
        free(table)
        for string in strings { string.deallocate() }
    }
}

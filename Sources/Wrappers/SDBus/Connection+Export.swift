// SPDX-License-Identifier: MIT

internal import CSDBus

/// A call that arrived: who sent it and with what.
package struct IncomingCall<Input: ArgumentList>: Sendable {
    /// The unique name of the caller.
    package let sender: BusName
    package let input: Input
    private let reply: ReplyHooks

    fileprivate init(sender: BusName, input: Input, reply: ReplyHooks) {
        self.sender = sender
        self.input = input
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
    private var callsOfSenders: [BusName: Int] = [:]

    /// How many calls of one sender are worked on at a time; nil for no limit.
    ///
    /// What comes beyond is answered with `LimitsExceeded` at once, before any work.
    package var mostCallsPerSender: Int?

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
        methods[method.name.rawValue] = { [weak self, rows, connection] message in
            guard let sender = message.sender else { return }
            guard self?.admit(sender) != false else {
                try? message.reply(DBusError.limitsExceeded("Too many calls at a time"))
                return
            }
            connection.callsInProgress += 1
            let limits = self?.readingLimits ?? .call
            Task { @BusActor in
                await Self.answer(message, from: sender, limits, handler)
                // The message points into the table for the signature of its reply.
                withExtendedLifetime(rows) {}
                connection.callsInProgress -= 1
                self?.dismiss(sender)
            }
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

    /// Counts a call; false when its sender has too many.
    private func admit(_ sender: BusName) -> Bool {
        guard let most = mostCallsPerSender else { return true }
        guard callsOfSenders[sender, default: 0] < most else { return false }
        callsOfSenders[sender, default: 0] += 1
        return true
    }

    private func dismiss(_ sender: BusName) {
        guard let count = callsOfSenders[sender] else { return }
        callsOfSenders[sender] = count > 1 ? count - 1 : nil
    }

    private static func answer<Input: ArgumentList, Output: ArgumentList>(
        _ message: Message, from sender: BusName, _ limits: ReadingLimits,
        _ handler: @BusActor (IncomingCall<Input>) async throws(DBusError) -> Output
    ) async {
        // A reply that cannot be sent means that the connection has ended: nobody waits.
        let input: Input
        do {
            input = try message.read(Input.self, limits: limits)
        } catch {
            try? message.reply(DBusError(error))
            return
        }
        do {
            let hooks = ReplyHooks()
            let call = IncomingCall(sender: sender, input: input, reply: hooks)
            let output = try await handler(call)
            try? message.reply(output)
            for action in hooks.actions { action() }
        } catch {
            try? message.reply(error)
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

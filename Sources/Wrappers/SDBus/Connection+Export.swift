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
    private unowned let connection: Connection
    private var methods: [String: (Message) -> Void] = [:]
    private var getters: [String: (OpaquePointer) -> CInt] = [:]
    private let slot = Slot()
    private let rows: VTable

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

    init(_ interface: Interface, on connection: Connection) {
        self.interface = interface
        self.connection = connection
        rows = VTable(interface)
    }

    // On the bus thread, because libsystemd calls this object there until the slot is cancelled.
    isolated deinit {
        slot.cancel()
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
            // Out of memory, or the connection has ended; the call cannot be answered.
            return
        }
        let callAccounts = limitsCalls ? accounts : nil
        guard callAccounts?.beginCall(of: sender) != false else {
            // Sending fails only if the connection has ended.
            try? reply.send(DBusError.limitsExceeded("Too many calls at a time"))
            return
        }
        // Here and not in the task, so that a message with descriptors is released immediately.
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
            // The reply refers to its signature in the table.
            withExtendedLifetime(rows) {}
            connection.callsInProgress -= 1
            callAccounts?.endCall(of: sender)
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
    }

    private static func answer<Input: ArgumentList, Output: ArgumentList>(
        _ reply: PendingReply, _ call: Result<IncomingCall<Input>, DBusError>,
        _ hooks: ReplyHooks,
        _ handler: @BusActor (IncomingCall<Input>) async throws(DBusError) -> Output
    ) async {
        do {
            let output = try await handler(try call.get())
            // Sending fails only if the connection has ended, and then no one waits for the reply.
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

/// The C vtable of an export, with the strings that it points to.
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

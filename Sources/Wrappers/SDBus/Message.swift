// SPDX-License-Identifier: MIT

internal import CSDBus

/// A received message, or a message under construction.
@BusActor
package final class Message {
    let pointer: OpaquePointer

    /// Takes ownership of a reference that a C call returned.
    init(consuming pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Retains a message that a C callback borrowed to us.
    init(borrowing pointer: OpaquePointer) {
        self.pointer = sd_bus_message_ref(pointer)
    }

    isolated deinit {
        sd_bus_message_unref(pointer)
    }

    /// The unique name of the sender, as the bus attests it.
    package var sender: BusName? {
        sd_bus_message_get_sender(pointer).flatMap { BusName(String(cString: $0)) }
    }

    /// The object that the message is addressed to, or that sent it.
    package var path: ObjectPath? {
        sd_bus_message_get_path(pointer).flatMap { ObjectPath(String(cString: $0)) }
    }

    /// The name of the method or signal.
    package var member: MemberName? {
        sd_bus_message_get_member(pointer).flatMap { MemberName(String(cString: $0)) }
    }

    /// The error, if the message is an error reply.
    var error: DBusError? {
        guard let error = sd_bus_message_get_error(pointer), let name = error.pointee.name else {
            return nil
        }
        // libsystemd has already validated the name.
        let known = ErrorName(String(cString: name)) ?? .failed
        let text = error.pointee.message.map { String(cString: $0) } ?? ""
        return DBusError(name: known, message: text)
    }

    /// Reads all arguments.
    ///
    /// - Throws: ``WireError`` if the types do not match, or with `EMSGSIZE` beyond the limits.
    package func read<List: ArgumentList>(
        _: List.Type = List.self, limits: ReadingLimits = .reply
    ) throws(WireError) -> List {
        var limits = limits
        return try read(within: &limits)
    }

    /// Reads all arguments, and subtracts what they use from `limits`.
    func read<List: ArgumentList>(
        _: List.Type = List.self, within limits: inout ReadingLimits
    ) throws(WireError) -> List {
        try check(sd_bus_message_rewind(pointer, 1), "sd_bus_message_rewind")
        var reader = MessageReader(borrowing: pointer, limits: limits)
        let list = try List(from: &reader)
        limits = reader.left
        return list
    }

    /// Appends arguments to a message under construction.
    func append(_ list: some ArgumentList) throws(WireError) {
        var writer = MessageWriter(borrowing: pointer)
        try list.append(to: &writer)
    }

    /// Completes the message, so that it can be read.
    func seal() throws(WireError) {
        try check(sd_bus_message_seal(pointer, 1, 0), "sd_bus_message_seal")
    }

    /// The signature of all arguments together.
    package var signature: String {
        sd_bus_message_get_signature(pointer, 1).map { String(cString: $0) } ?? ""
    }
}

extension Message {
    /// Sends the message over the connection for which it was made.
    func send() throws(WireError) {
        try check(
            sd_bus_send(sd_bus_message_get_bus(pointer), pointer, nil), "sd_bus_send")
    }

    /// Makes a reply to this call, without arguments.
    func makeReply() throws(WireError) -> Message {
        try Message.making("sd_bus_message_new_method_return") {
            sd_bus_message_new_method_return(pointer, &$0)
        }
    }

    /// Makes an error reply to this call.
    func makeError(_ name: ErrorName, text: String) throws(WireError) -> Message {
        var described = sd_bus_error()
        defer { sd_bus_error_free(&described) }
        sd_bus_error_set(&described, name.rawValue, text)
        return try Message.making("sd_bus_message_new_method_error") {
            sd_bus_message_new_method_error(pointer, &$0, &described)
        }
    }

    /// Wraps the result of one of the `sd_bus_message_new_…` calls.
    static func making(
        _ operation: StaticString, _ make: (inout OpaquePointer?) -> CInt
    ) throws(WireError) -> Message {
        var made: OpaquePointer?
        try check(make(&made), operation)
        guard let made else { throw .malformed("\(operation)") }
        return Message(consuming: made)
    }
}

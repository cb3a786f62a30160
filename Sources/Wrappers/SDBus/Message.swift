// SPDX-License-Identifier: MIT

internal import CSDBus

/// A message that was received, or that is being made.
@BusActor
package final class Message {
    let pointer: OpaquePointer

    /// Takes over a reference that a C call returned.
    init(consuming pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Keeps a message that a C callback lent.
    init(borrowing pointer: OpaquePointer) {
        self.pointer = sd_bus_message_ref(pointer)
    }

    isolated deinit {
        sd_bus_message_unref(pointer)
    }

    /// The unique name of the connection that sent it, as the bus attests.
    package var sender: BusName? {
        sd_bus_message_get_sender(pointer).flatMap { BusName(String(cString: $0)) }
    }

    /// The object it is about.
    package var path: ObjectPath? {
        sd_bus_message_get_path(pointer).flatMap { ObjectPath(String(cString: $0)) }
    }

    /// The method or signal.
    package var member: MemberName? {
        sd_bus_message_get_member(pointer).flatMap { MemberName(String(cString: $0)) }
    }

    /// The error that it is, if it is an error reply.
    var error: DBusError? {
        guard let error = sd_bus_message_get_error(pointer), let name = error.pointee.name else {
            return nil
        }
        // libsystemd has checked the name.
        let known = ErrorName(String(cString: name)) ?? .failed
        let text = error.pointee.message.map { String(cString: $0) } ?? ""
        return DBusError(name: known, message: text)
    }

    /// Reads all arguments, from the first.
    ///
    /// - Throws: ``WireError`` when the types are others, or with `EMSGSIZE` beyond the limits.
    package func read<List: ArgumentList>(
        _: List.Type = List.self, limits: ReadingLimits = .reply
    ) throws(WireError) -> List {
        try check(sd_bus_message_rewind(pointer, 1), "sd_bus_message_rewind")
        var reader = MessageReader(borrowing: pointer, limits: limits)
        return try List(from: &reader)
    }

    /// Appends arguments to a message that is being made.
    func append(_ list: some ArgumentList) throws(WireError) {
        var writer = MessageWriter(borrowing: pointer)
        try list.append(to: &writer)
    }

    /// Ends the making of a message, so that it can be read again.
    func seal() throws(WireError) {
        try check(sd_bus_message_seal(pointer, 1, 0), "sd_bus_message_seal")
    }

    /// The signature of all arguments together.
    package var signature: String {
        sd_bus_message_get_signature(pointer, 1).map { String(cString: $0) } ?? ""
    }
}

extension Message {
    /// Sends it, on the connection that it was made for.
    func send() throws(WireError) {
        try check(
            sd_bus_send(sd_bus_message_get_bus(pointer), pointer, nil), "sd_bus_send")
    }

    /// Answers a call with values.
    func reply(_ values: some ArgumentList) throws(WireError) {
        let reply = try Message.making("sd_bus_message_new_method_return") {
            sd_bus_message_new_method_return(pointer, &$0)
        }
        try reply.append(values)
        try reply.send()
    }

    /// Answers a call with an error.
    func reply(_ error: DBusError) throws(WireError) {
        var described = sd_bus_error()
        defer { sd_bus_error_free(&described) }
        sd_bus_error_set(&described, error.name.rawValue, error.message)
        let reply = try Message.making("sd_bus_message_new_method_error") {
            sd_bus_message_new_method_error(pointer, &$0, &described)
        }
        try reply.send()
    }

    /// Wraps what one of the `sd_bus_message_new_…` calls makes.
    static func making(
        _ operation: StaticString, _ make: (inout OpaquePointer?) -> CInt
    ) throws(WireError) -> Message {
        var made: OpaquePointer?
        try check(make(&made), operation)
        guard let made else { throw .malformed("\(operation)") }
        return Message(consuming: made)
    }
}

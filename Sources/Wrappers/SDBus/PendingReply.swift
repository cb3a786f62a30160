// SPDX-License-Identifier: MIT

internal import CSDBus

/// The reply to a call that is in progress.
///
/// libsystemd makes replies from the call, and closes the descriptors of a call when the call is
/// freed; no function tells whether there are any. So that calls of untrusted senders need not be
/// kept, an empty call with the same sender and serial number takes the place of the call.
///
/// - Source: sd_bus_message_seal(3), sd_bus_message_set_sender(3).
@BusActor
struct PendingReply {
    private let call: Message
    /// The errors that may be returned; nil for all.
    private let errors: [ErrorName]?

    /// Keeps the call itself, with its descriptors.
    init(to call: Message) {
        self.call = call
        errors = nil
    }

    /// Keeps what a reply needs to know of a call, so that the call can be released.
    ///
    /// - Parameter errors: The errors that may be returned; any other becomes `Failed`.
    /// - Throws: ``WireError`` if the memory is exhausted or the connection has ended.
    init(releasing call: Message, allowing errors: [ErrorName]) throws(WireError) {
        var serial: UInt64 = 0
        try check(sd_bus_message_get_cookie(call.pointer, &serial), "sd_bus_message_get_cookie")
        let substitute = try Message.making("sd_bus_message_new_method_call") {
            sd_bus_message_new_method_call(
                sd_bus_message_get_bus(call.pointer), &$0, nil, "/", nil, "Call")
        }
        try check(
            sd_bus_message_set_sender(
                substitute.pointer, sd_bus_message_get_sender(call.pointer)),
            "sd_bus_message_set_sender")
        try check(
            sd_bus_message_set_expect_reply(
                substitute.pointer, sd_bus_message_get_expect_reply(call.pointer)),
            "sd_bus_message_set_expect_reply")
        try check(sd_bus_message_seal(substitute.pointer, serial, 0), "sd_bus_message_seal")
        self.call = substitute
        self.errors = errors
    }

    /// The errors that the bus wrapper and every handler may return.
    private static let common: [ErrorName] = [
        .accessDenied, .disconnected, .failed, .invalidArgs, .limitsExceeded,
    ]

    func send(_ values: some ArgumentList) throws(WireError) {
        let reply = try call.makeReply()
        try reply.append(values)
        try reply.send()
    }

    func send(_ error: DBusError) throws(WireError) {
        var error = error.cut
        if let errors, !errors.contains(error.name), !Self.common.contains(error.name) {
            error = .failed(error.description)
        }
        try call.makeError(error.name, text: error.message).send()
    }
}

extension DBusError {
    /// The longest message that is sent, in bytes.
    ///
    /// It may contain what the caller sent; and what one caller is sent delays the replies to others.
    private static let longestMessage = 1024

    /// The error with the beginning of its message, if that is long.
    fileprivate var cut: DBusError {
        guard message.utf8.count > Self.longestMessage else { return self }
        let beginning = String(decoding: message.utf8.prefix(Self.longestMessage), as: UTF8.self)
        return DBusError(name: name, message: "\(beginning)…")
    }
}

// SPDX-License-Identifier: MIT

internal import CSDBus

/// The reply to a call that is in progress.
///
/// libsystemd closes the descriptors of a message when the message is freed, and has no function
/// that tells whether there are any. To avoid keeping calls of untrusted senders, an empty reply
/// and an empty error for each expected name are prepared at once; one of them is completed later.
@BusActor
final class PendingReply {
    private enum Form {
        case call(Message)
        case prepared(reply: Message, errors: [ErrorName: Message])
    }

    private let form: Form

    /// Keeps the call itself, with its descriptors.
    init(to call: Message) {
        form = .call(call)
    }

    /// Prepares the replies, so that the call can be released.
    ///
    /// - Parameter names: The errors that may be returned; any other becomes `Failed`.
    init(to call: Message, preparing names: [ErrorName]) throws(WireError) {
        var errors: [ErrorName: Message] = [:]
        for name in names + Self.names where errors[name] == nil {
            errors[name] = try call.makeError(name, text: nil)
        }
        form = .prepared(reply: try call.makeReply(), errors: errors)
    }

    /// The errors that the bus wrapper and every handler may return.
    private static let names: [ErrorName] = [
        .accessDenied, .disconnected, .failed, .invalidArgs, .limitsExceeded,
    ]

    func send(_ values: some ArgumentList) throws(WireError) {
        let reply =
            switch form {
            case .call(let call): try call.makeReply()
            case .prepared(let reply, _): reply
            }
        try reply.append(values)
        try reply.send()
    }

    func send(_ error: DBusError) throws(WireError) {
        let error = error.cut
        switch form {
        case .call(let call): try call.makeError(error.name, text: error.message).send()
        case .prepared(_, let errors):
            if let reply = errors[error.name] {
                try reply.append(Arguments(error.message))
                try reply.send()
            } else if let reply = errors[.failed] {
                try reply.append(Arguments(error.description))
                try reply.send()
            }
        }
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

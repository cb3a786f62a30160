// SPDX-License-Identifier: MIT

internal import CSDBus
import Glibc

/// An error reply, sent or received, or what stands for one when no reply could come.
package struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What callers switch on, for example `org.freedesktop.DBus.Error.InvalidArgs`.
    package let name: String
    /// For people; never anything a sandboxed caller should not know.
    package let message: String

    package init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    package var description: String { "\(name): \(message)" }

    /// The task that waited for the reply was cancelled.
    package static let cancelled = DBusError(
        name: "org.freedesktop.DBus.Error.NoReply", message: "The call was cancelled")

    /// The connection to the bus has ended.
    package static let disconnected = DBusError(
        name: "org.freedesktop.DBus.Error.Disconnected", message: "The connection is closed")

    package static func failed(_ message: String) -> DBusError {
        DBusError(name: "org.freedesktop.DBus.Error.Failed", message: message)
    }

    package static func accessDenied(_ message: String) -> DBusError {
        DBusError(name: "org.freedesktop.DBus.Error.AccessDenied", message: message)
    }

    package static func limitsExceeded(_ message: String) -> DBusError {
        DBusError(name: "org.freedesktop.DBus.Error.LimitsExceeded", message: message)
    }

    package static func unknownObject(_ message: String) -> DBusError {
        DBusError(name: "org.freedesktop.DBus.Error.UnknownObject", message: message)
    }

    /// What libsystemd's failure means in the vocabulary of the bus.
    init(_ error: WireError) {
        switch error.code {
        case ENOTCONN, ECONNRESET, ECONNREFUSED, ESHUTDOWN: self = .disconnected
        case EBADMSG, EINVAL, ENXIO:
            self.init(name: "org.freedesktop.DBus.Error.InvalidArgs", message: error.description)
        case EMSGSIZE: self = .limitsExceeded("The message holds too much")
        default: self = .failed(error.description)
        }
    }
}

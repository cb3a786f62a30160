// SPDX-License-Identifier: MIT

internal import CSDBus
import Glibc

/// An error reply that was sent or received, or the reason why no reply could arrive.
package struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error that callers handle.
    package let name: ErrorName
    /// A text for people, without anything that a sandboxed caller must not learn.
    package let message: String

    package init(name: ErrorName, message: String) {
        self.name = name
        self.message = message
    }

    package var description: String { "\(name): \(message)" }

    /// The task that waited for the reply was cancelled.
    package static let cancelled = DBusError(
        name: .noReply, message: "The call was cancelled")

    /// The connection to the bus has ended.
    package static let disconnected = DBusError(
        name: .disconnected, message: "The connection is closed")

    package static func failed(_ message: String) -> DBusError {
        DBusError(name: .failed, message: message)
    }

    package static func accessDenied(_ message: String) -> DBusError {
        DBusError(name: .accessDenied, message: message)
    }

    package static func limitsExceeded(_ message: String) -> DBusError {
        DBusError(name: .limitsExceeded, message: message)
    }

    package static func notSupported(_ message: String) -> DBusError {
        DBusError(name: .notSupported, message: message)
    }

    package static func unknownObject(_ message: String) -> DBusError {
        DBusError(name: .unknownObject, message: message)
    }

    /// Converts a failure of libsystemd to an error of the bus.
    init(_ error: WireError) {
        switch error.code {
        case ENOTCONN, ECONNRESET, ECONNREFUSED, ESHUTDOWN: self = .disconnected
        case EBADMSG, EINVAL, ENXIO:
            self.init(name: .invalidArgs, message: error.description)
        case EMSGSIZE: self = .limitsExceeded("The message holds too much")
        default: self = .failed(error.description)
        }
    }
}

/// The errors of the bus and its peers.
///
/// - Source: D-Bus Specification, “Message Bus Messages”; dbus-protocol.h.
extension ErrorName {
    package static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
    package static let disconnected: ErrorName = "org.freedesktop.DBus.Error.Disconnected"
    package static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
    package static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
    package static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
    package static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
    package static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
    package static let notSupported: ErrorName = "org.freedesktop.DBus.Error.NotSupported"
    package static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
    package static let unknownInterface: ErrorName =
        "org.freedesktop.DBus.Error.UnknownInterface"
    package static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
    package static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
}

extension ErrorName {
    /// Whether no program has received the call: there is none, or the bus could not start it.
    package var isAbsence: Bool {
        self == .serviceUnknown || self == .nameHasNoOwner
            || rawValue.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
            || rawValue.hasPrefix("org.freedesktop.systemd1.")
    }
}

// SPDX-License-Identifier: MIT

internal import CSDBus
import Glibc

/// What a call costs, and what it may name, judged before anything is done for it.
///
/// Valid only during the callback that lends us the message.
@BusActor
struct CallScreen {
    private let pointer: OpaquePointer

    /// The longest object path that a call may name, in bytes: several times as long as any of ours.
    private static let longestPath = 2048
    /// The longest name of an interface or a property.
    ///
    /// - Source: D-Bus Specification, “Valid Names”.
    private static let longestName = 255

    /// How many calls with a small reply an `Introspect` is worth.
    nonisolated static let introspection = 32.0

    init(_ message: OpaquePointer) {
        pointer = message
    }

    /// The error for a call with a name that is too long to exist; nil for all other calls.
    ///
    /// libsystemd repeats unknown names in its errors, whatever their length, and a long error to one
    /// caller delays the replies to all others.
    var nameError: DBusError? {
        if let path = sd_bus_message_get_path(pointer),
            strnlen(path, Self.longestPath + 1) > Self.longestPath
        {
            return .unknownObject("There is no object with a path of this length")
        }
        guard isCall(of: "org.freedesktop.DBus.Properties", nil) else { return nil }
        // libsystemd reads them again.
        defer { sd_bus_message_rewind(pointer, 1) }
        for _ in 0..<2 {
            var type: CChar = 0
            var text: UnsafePointer<CChar>?
            // Arguments of other types are an error that repeats nothing.
            guard sd_bus_message_peek_type(pointer, &type, nil) > 0,
                TypeCode(rawValue: type) == "s",
                sd_bus_message_read_basic(pointer, type, &text) > 0, let text
            else { return nil }
            if strnlen(text, Self.longestName + 1) > Self.longestName {
                return DBusError(name: .invalidArgs, message: "The name is too long")
            }
        }
        return nil
    }

    /// How many calls with a small reply a call is worth.
    ///
    /// What a flood makes us send delays what we send to others.
    var cost: Double {
        if isCall(of: "org.freedesktop.DBus.Introspectable", "Introspect") {
            return Self.introspection
        }
        if isCall(of: "org.freedesktop.DBus.Properties", "GetAll") { return 16 }
        return 1
    }

    private func isCall(of interface: String, _ member: String?) -> Bool {
        sd_bus_message_is_method_call(pointer, interface, member) > 0
    }
}

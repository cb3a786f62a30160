// SPDX-License-Identifier: MIT

internal import CSDBus
import Glibc

/// Appends arguments to a message under construction.
///
/// Valid only during the call that borrows it.
///
/// - Isolation: the bus thread.
/// - Source: sd_bus_message_append_basic(3), sd_bus_message_open_container(3).
package struct MessageWriter: ~Copyable {
    /// Less than the 64 MiB that one array may have; the daemon disconnects whoever sends more.
    static let mostBytes = 60 << 20

    private let message: OpaquePointer
    private var left = mostBytes

    init(borrowing message: OpaquePointer) {
        self.message = message
    }

    /// Counts what a value takes at most, with its padding.
    private mutating func count(bytes: Int) throws(WireError) {
        left -= bytes
        guard left >= 0 else { throw WireError(code: EMSGSIZE, operation: "write a message") }
    }

    /// Appends a value of fixed size.
    mutating func basic<Value: BitwiseCopyable>(
        _ type: TypeCode, _ value: Value
    ) throws(WireError) {
        var value = value
        try count(bytes: 16)
        try check(
            sd_bus_message_append_basic(message, type.rawValue, &value),
            "sd_bus_message_append_basic")
    }

    /// Appends a string, object path or signature.
    mutating func text(_ type: TypeCode, _ text: String) throws(WireError) {
        try count(bytes: text.utf8.count + 8)
        try check(
            sd_bus_message_append_basic(message, type.rawValue, text),
            "sd_bus_message_append_basic")
    }

    /// Opens an array (`a`), structure (`r`), dictionary entry (`e`) or variant (`v`).
    mutating func open(_ type: TypeCode, _ contents: String) throws(WireError) {
        try count(bytes: contents.utf8.count + 8)
        try check(
            sd_bus_message_open_container(message, type.rawValue, contents),
            "sd_bus_message_open_container")
    }

    /// Closes the innermost container.
    mutating func close() throws(WireError) {
        try check(sd_bus_message_close_container(message), "sd_bus_message_close_container")
    }
}

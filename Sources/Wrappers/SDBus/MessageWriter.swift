// SPDX-License-Identifier: MIT

internal import CSDBus

/// Appends arguments to a message under construction.
///
/// Valid only during the call that borrows it.
///
/// - Isolation: the bus thread.
/// - Source: sd_bus_message_append_basic(3), sd_bus_message_open_container(3).
package struct MessageWriter: ~Copyable {
    private let message: OpaquePointer

    init(borrowing message: OpaquePointer) {
        self.message = message
    }

    /// Appends a value of fixed size.
    mutating func basic<Value: BitwiseCopyable>(
        _ type: Character, _ value: Value
    ) throws(WireError) {
        var value = value
        try check(
            sd_bus_message_append_basic(message, type.code, &value), "sd_bus_message_append_basic")
    }

    /// Appends a string, object path or signature.
    mutating func text(_ type: Character, _ text: String) throws(WireError) {
        try check(
            sd_bus_message_append_basic(message, type.code, text), "sd_bus_message_append_basic")
    }

    /// Opens an array (`a`), structure (`r`), dictionary entry (`e`) or variant (`v`).
    mutating func open(_ type: Character, _ contents: String) throws(WireError) {
        try check(
            sd_bus_message_open_container(message, type.code, contents),
            "sd_bus_message_open_container")
    }

    /// Closes the innermost container.
    mutating func close() throws(WireError) {
        try check(sd_bus_message_close_container(message), "sd_bus_message_close_container")
    }
}

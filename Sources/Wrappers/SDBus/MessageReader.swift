// SPDX-License-Identifier: MIT

internal import CSDBus
internal import Files
import Glibc
internal import SystemPackage

/// The most to read from one message.
package struct ReadingLimits: Sendable {
    /// Values and containers, at any depth.
    var values: Int
    /// The total length of all strings in bytes.
    var bytes: Int
    /// The descriptors that may be taken; nil to ignore them.
    var descriptors: Int? = .max

    /// The memory that a value takes beyond the bytes of its strings, roughly.
    static let bytesPerValue = 64

    /// For calls from any sender: many times the size of a reasonable call.
    package static let call = ReadingLimits(values: 1 << 16, bytes: 1 << 20)
    /// For calls that list files, because a folder may contain many.
    package static let files = ReadingLimits(values: 1 << 19, bytes: 64 << 20)
    /// For replies to our own calls.
    package static let reply = ReadingLimits(values: 1 << 22, bytes: 128 << 20)
}

/// A cursor for the arguments of a received message.
///
/// Valid only during the call that borrows it; not copyable, so that it cannot outlive that call.
///
/// - Isolation: the bus thread.
/// - Source: sd_bus_message_read_basic(3), sd_bus_message_enter_container(3).
package struct MessageReader: ~Copyable {
    private let message: OpaquePointer
    private(set) var left: ReadingLimits

    init(borrowing message: OpaquePointer, limits: ReadingLimits) {
        self.message = message
        left = limits
    }

    /// Counts a value; throws before a message that is too large has been read completely.
    private mutating func count(bytes: Int = 0) throws(WireError) {
        left.values -= 1
        left.bytes -= bytes
        guard left.values >= 0, left.bytes >= 0 else {
            throw WireError(code: EMSGSIZE, operation: "read a message")
        }
    }

    /// Whether the innermost container has no more elements.
    var isAtEndOfContainer: Bool {
        // A negative result is an error. Stop here as well; the next read reports it.
        sd_bus_message_at_end(message, 0) != 0
    }

    /// Reads a value of fixed size.
    mutating func basic<Value: BitwiseCopyable & AdditiveArithmetic>(
        _ type: TypeCode, as _: Value.Type
    ) throws(WireError) -> Value {
        try count()
        var value = Value.zero
        let found = try check(
            sd_bus_message_read_basic(message, type.rawValue, &value), "sd_bus_message_read_basic")
        guard found > 0 else { throw .malformed("a message ended early") }
        return value
    }

    /// Reads a string, object path or signature.
    mutating func text(_ type: TypeCode) throws(WireError) -> String {
        var text: UnsafePointer<CChar>?
        let found = try check(
            sd_bus_message_read_basic(message, type.rawValue, &text), "sd_bus_message_read_basic")
        guard found > 0, let text else { throw .malformed("a message ended early") }
        try count(bytes: strlen(text))
        return String(cString: text)
    }

    /// Reads a descriptor; returns nil if descriptors are ignored.
    mutating func descriptor() throws(WireError) -> Descriptor? {
        // The number is borrowed; libsystemd closes it with the message.
        let borrowed: CInt
        do {
            borrowed = try basic("h", as: CInt.self)
        } catch {
            guard error.code == EBADMSG else { throw error }
            throw .malformed("a handle has no file descriptor that came with the message")
        }
        guard let allowed = left.descriptors else { return nil }
        guard allowed > 0 else { throw WireError(code: EMSGSIZE, operation: "read a descriptor") }
        left.descriptors = allowed - 1
        do {
            return try Descriptor.duplicating(borrowed)
        } catch {
            throw WireError(code: error.rawValue, operation: "duplicate a descriptor")
        }
    }

    /// Enters an array (`a`), structure (`r`), dictionary entry (`e`) or variant (`v`).
    mutating func enter(_ type: TypeCode, _ contents: String) throws(WireError) {
        try count()
        let entered = try check(
            sd_bus_message_enter_container(message, type.rawValue, contents),
            "sd_bus_message_enter_container")
        guard entered > 0 else { throw .malformed("a message ended early") }
    }

    /// Leaves the innermost container, which must have been read completely.
    mutating func exit() throws(WireError) {
        try check(sd_bus_message_exit_container(message), "sd_bus_message_exit_container")
    }

    /// The type of the next value: its code, and the signature of the content of a container.
    mutating func peek() throws(WireError) -> (type: TypeCode, contents: String)? {
        var code: CChar = 0
        var contents: UnsafePointer<CChar>?
        let found = try check(
            sd_bus_message_peek_type(message, &code, &contents), "sd_bus_message_peek_type")
        guard found > 0 else { return nil }
        return (TypeCode(rawValue: code), contents.map { String(cString: $0) } ?? "")
    }
}

// SPDX-License-Identifier: MIT

package import Files
internal import SystemPackage

/// A Swift type with exactly one D-Bus signature.
///
/// Reading back an appended value gives an equal value.
package protocol DBusValue: Sendable {
    /// The complete type in the notation of the D-Bus specification, for example `(sa(us))`.
    static var signature: String { get }
    init(from reader: inout MessageReader) throws(WireError)
    func append(to writer: inout MessageWriter) throws(WireError)
}

extension Bool: DBusValue {
    package static var signature: String { "b" }

    package init(from reader: inout MessageReader) throws(WireError) {
        // A D-Bus boolean is a C int in sd_bus_message_read_basic(3), not a bool.
        self = try reader.basic("b", as: CInt.self) != 0
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.basic("b", self ? CInt(1) : 0)
    }
}

extension UInt8: DBusValue {
    package static var signature: String { "y" }

    package init(from reader: inout MessageReader) throws(WireError) {
        self = try reader.basic("y", as: UInt8.self)
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.basic("y", self)
    }
}

extension Int16: DBusValue {
    package static var signature: String { "n" }

    package init(from reader: inout MessageReader) throws(WireError) {
        self = try reader.basic("n", as: Int16.self)
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.basic("n", self)
    }
}

extension UInt16: DBusValue {
    package static var signature: String { "q" }

    package init(from reader: inout MessageReader) throws(WireError) {
        self = try reader.basic("q", as: UInt16.self)
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.basic("q", self)
    }
}

extension Int32: DBusValue {
    package static var signature: String { "i" }

    package init(from reader: inout MessageReader) throws(WireError) {
        self = try reader.basic("i", as: Int32.self)
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.basic("i", self)
    }
}

extension UInt32: DBusValue {
    package static var signature: String { "u" }

    package init(from reader: inout MessageReader) throws(WireError) {
        self = try reader.basic("u", as: UInt32.self)
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.basic("u", self)
    }
}

extension Int64: DBusValue {
    package static var signature: String { "x" }

    package init(from reader: inout MessageReader) throws(WireError) {
        self = try reader.basic("x", as: Int64.self)
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.basic("x", self)
    }
}

extension UInt64: DBusValue {
    package static var signature: String { "t" }

    package init(from reader: inout MessageReader) throws(WireError) {
        self = try reader.basic("t", as: UInt64.self)
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.basic("t", self)
    }
}

extension Double: DBusValue {
    package static var signature: String { "d" }

    package init(from reader: inout MessageReader) throws(WireError) {
        self = try reader.basic("d", as: Double.self)
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.basic("d", self)
    }
}

extension String: DBusValue {
    package static var signature: String { "s" }

    package init(from reader: inout MessageReader) throws(WireError) {
        self = try reader.text("s")
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.text("s", self)
    }
}

extension ObjectPath: DBusValue {
    package static var signature: String { "o" }

    package init(from reader: inout MessageReader) throws(WireError) {
        guard let path = ObjectPath(try reader.text("o")) else {
            throw .malformed("object path")
        }
        self = path
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.text("o", rawValue)
    }
}

extension Descriptor: DBusValue {
    package static var signature: String { "h" }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        // The message duplicates the descriptor.
        try writer.basic("h", rawValue)
    }
}

extension DBusValue where Self == Descriptor {
    package init(from reader: inout MessageReader) throws(WireError) {
        guard let descriptor = try reader.descriptor() else {
            throw .malformed("a descriptor that is not taken")
        }
        self = descriptor
    }
}

extension Array: DBusValue where Element: DBusValue {
    package static var signature: String { "a\(Element.signature)" }

    package init(from reader: inout MessageReader) throws(WireError) {
        self = []
        try reader.enter("a", Element.signature)
        while !reader.isAtEndOfContainer {
            append(try Element(from: &reader))
        }
        try reader.exit()
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.open("a", Element.signature)
        for element in self { try element.append(to: &writer) }
        try writer.close()
    }
}

extension Dictionary: DBusValue where Key == String, Value: DBusValue {
    package static var signature: String { "a{s\(Value.signature)}" }

    package init(from reader: inout MessageReader) throws(WireError) {
        self = [:]
        let entry = "s\(Value.signature)"
        try reader.enter("a", "{\(entry)}")
        while !reader.isAtEndOfContainer {
            try reader.enter("e", entry)
            let key = try String(from: &reader)
            self[key] = try Value(from: &reader)
            try reader.exit()
        }
        try reader.exit()
    }

    /// Appends the entries sorted by key, so that equal values result in equal messages.
    package func append(to writer: inout MessageWriter) throws(WireError) {
        let entry = "s\(Value.signature)"
        try writer.open("a", "{\(entry)}")
        for key in Array(keys).sorted() {
            guard let value = self[key] else { continue }
            try writer.open("e", entry)
            try key.append(to: &writer)
            try value.append(to: &writer)
            try writer.close()
        }
        try writer.close()
    }
}

/// A structure of two values.
package struct Pair<First: DBusValue, Second: DBusValue>: DBusValue {
    package let first: First
    package let second: Second

    package static var signature: String { "(\(contents))" }

    private static var contents: String { First.signature + Second.signature }

    package init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    package init(from reader: inout MessageReader) throws(WireError) {
        try reader.enter("r", Self.contents)
        first = try First(from: &reader)
        second = try Second(from: &reader)
        try reader.exit()
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.open("r", Self.contents)
        try first.append(to: &writer)
        try second.append(to: &writer)
        try writer.close()
    }
}

extension Pair: Equatable where First: Equatable, Second: Equatable {}

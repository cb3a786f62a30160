// SPDX-License-Identifier: MIT

package import Files

/// A D-Bus value whose type is known only when it arrives: the content of a `v`.
///
/// Used only for the values of option dictionaries; everything else has a static type.
package indirect enum Variant: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(ObjectPath)
    case signature(String)
    /// Nil for a descriptor that was received but not taken.
    case descriptor(Descriptor?)
    case array(element: String, [Variant])
    case structure([Variant])
    case dictionary(key: String, value: String, [Entry])
    case variant(Variant)

    /// One entry of a dictionary.
    package struct Entry: Hashable, Sendable {
        package let key: Variant
        package let value: Variant

        package init(key: Variant, value: Variant) {
            self.key = key
            self.value = value
        }
    }

    /// The D-Bus type of the value inside.
    package var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .array(let element, _): "a\(element)"
        case .structure(let fields): "(\(fields.map(\.signature).joined()))"
        case .dictionary(let key, let value, _): "a{\(key)\(value)}"
        case .variant: "v"
        }
    }
}

extension Variant {
    /// Whether it contains a descriptor that was received but not taken, so that it cannot be sent on.
    package var lacksDescriptor: Bool {
        switch self {
        case .descriptor(let descriptor): descriptor == nil
        case .array(_, let elements), .structure(let elements):
            elements.contains(where: \.lacksDescriptor)
        case .dictionary(_, _, let entries):
            entries.contains { $0.key.lacksDescriptor || $0.value.lacksDescriptor }
        case .variant(let content): content.lacksDescriptor
        default: false
        }
    }
}

extension Variant {
    /// All descriptors in it that were taken.
    package var descriptors: [Descriptor] {
        switch self {
        case .descriptor(let descriptor): [descriptor].compactMap(\.self)
        case .array(_, let elements), .structure(let elements):
            elements.flatMap(\.descriptors)
        case .dictionary(_, _, let entries):
            entries.flatMap { $0.key.descriptors + $0.value.descriptors }
        case .variant(let content): content.descriptors
        default: []
        }
    }
}

extension Variant: DBusValue {
    package static var signature: String { "v" }

    package init(from reader: inout MessageReader) throws(WireError) {
        guard let (type, contents) = try reader.peek(), type == "v" else {
            throw .malformed("a variant was expected")
        }
        try reader.enter("v", contents)
        self = try Variant(contentFrom: &reader)
        try reader.exit()
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        try writer.open("v", signature)
        try appendContent(to: &writer)
        try writer.close()
    }
}

// MARK: - Content

extension Variant {
    /// Reads one complete value, whatever its type.
    ///
    /// The depth is limited, because libsystemd rejects messages whose containers nest too deeply.
    private init(contentFrom reader: inout MessageReader) throws(WireError) {
        guard let (type, contents) = try reader.peek() else {
            throw .malformed("a message ended early")
        }
        switch type {
        case "y": self = .byte(try UInt8(from: &reader))
        case "b": self = .boolean(try Bool(from: &reader))
        case "n": self = .int16(try Int16(from: &reader))
        case "q": self = .uint16(try UInt16(from: &reader))
        case "i": self = .int32(try Int32(from: &reader))
        case "u": self = .uint32(try UInt32(from: &reader))
        case "x": self = .int64(try Int64(from: &reader))
        case "t": self = .uint64(try UInt64(from: &reader))
        case "d": self = .double(try Double(from: &reader))
        case "s": self = .string(try String(from: &reader))
        case "o": self = .objectPath(try ObjectPath(from: &reader))
        case "g": self = .signature(try reader.text("g"))
        case "h": self = .descriptor(try reader.descriptor())
        case "v": self = .variant(try Variant(from: &reader))
        case "a" where contents.hasPrefix("{"):
            self = try .dictionary(contents, from: &reader)
        case "a":
            self = .array(element: contents, try Self.elements("a", contents, from: &reader))
        case "r":
            self = .structure(try Self.elements("r", contents, from: &reader))
        default:
            throw .malformed("a value of type \(type)")
        }
    }

    private static func elements(
        _ type: TypeCode, _ contents: String, from reader: inout MessageReader
    ) throws(WireError) -> [Variant] {
        try reader.enter(type, contents)
        var elements: [Variant] = []
        while !reader.isAtEndOfContainer {
            elements.append(try Variant(contentFrom: &reader))
        }
        try reader.exit()
        return elements
    }

    private static func dictionary(
        _ contents: String, from reader: inout MessageReader
    ) throws(WireError) -> Variant {
        // "{sv}": a basic type, one character, then one complete type.
        let types = contents.dropFirst().dropLast()
        let value = String(types.dropFirst())
        try reader.enter("a", contents)
        var entries: [Entry] = []
        while !reader.isAtEndOfContainer {
            try reader.enter("e", String(types))
            let key = try Variant(contentFrom: &reader)
            entries.append(Entry(key: key, value: try Variant(contentFrom: &reader)))
            try reader.exit()
        }
        try reader.exit()
        return .dictionary(key: String(types.prefix(1)), value: value, entries)
    }

    private func appendContent(to writer: inout MessageWriter) throws(WireError) {
        switch self {
        case .byte(let value): try value.append(to: &writer)
        case .boolean(let value): try value.append(to: &writer)
        case .int16(let value): try value.append(to: &writer)
        case .uint16(let value): try value.append(to: &writer)
        case .int32(let value): try value.append(to: &writer)
        case .uint32(let value): try value.append(to: &writer)
        case .int64(let value): try value.append(to: &writer)
        case .uint64(let value): try value.append(to: &writer)
        case .double(let value): try value.append(to: &writer)
        case .string(let value): try value.append(to: &writer)
        case .objectPath(let value): try value.append(to: &writer)
        case .signature(let value): try writer.text("g", value)
        case .descriptor(let value?): try value.append(to: &writer)
        case .descriptor(nil): throw .malformed("a descriptor that was not taken")
        case .variant(let value): try value.append(to: &writer)
        case .array(let element, let values):
            try writer.open("a", element)
            for value in values { try value.appendContent(to: &writer) }
            try writer.close()
        case .structure(let fields):
            try writer.open("r", fields.map(\.signature).joined())
            for field in fields { try field.appendContent(to: &writer) }
            try writer.close()
        case .dictionary(let key, let value, let entries):
            try writer.open("a", "{\(key)\(value)}")
            for entry in entries {
                try writer.open("e", key + value)
                try entry.key.appendContent(to: &writer)
                try entry.value.appendContent(to: &writer)
                try writer.close()
            }
            try writer.close()
        }
    }
}

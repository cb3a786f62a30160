// SPDX-License-Identifier: MIT

/// The value as JSON, for people and scripts: structures become arrays, and types are lost.
extension Variant: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .byte(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .int16(let value): try container.encode(value)
        case .uint16(let value): try container.encode(value)
        case .int32(let value): try container.encode(value)
        case .uint32(let value): try container.encode(value)
        case .int64(let value): try container.encode(value)
        case .uint64(let value): try container.encode(value)
        // JSON cannot represent infinity.
        case .double(let value) where value.isFinite: try container.encode(value)
        case .string(let value), .signature(let value): try container.encode(value)
        case .objectPath(let value): try container.encode(value.rawValue)
        case .array(_, let values), .structure(let values): try container.encode(values)
        case .dictionary(_, _, let entries):
            let pairs = entries.map { ($0.key.text, $0.value) }
            try container.encode(Dictionary(pairs) { $1 })
        case .variant(let value): try container.encode(value)
        case .double, .descriptor: try container.encodeNil()
        }
    }

    /// The value as the key of a JSON object.
    private var text: String {
        switch self {
        case .string(let value), .signature(let value): value
        case .objectPath(let value): value.rawValue
        case .byte(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .int16(let value): "\(value)"
        case .uint16(let value): "\(value)"
        case .int32(let value): "\(value)"
        case .uint32(let value): "\(value)"
        case .int64(let value): "\(value)"
        case .uint64(let value): "\(value)"
        case .double(let value): "\(value)"
        // Not a type that can be the key of a dictionary.
        case .descriptor, .array, .structure, .dictionary, .variant: ""
        }
    }
}

// SPDX-License-Identifier: MIT

package import Files

/// An `a{sv}`: the options of a call, or the results of a request.
package typealias Vardict = [String: Variant]

/// A Swift type that a ``Variant`` stores as exactly one D-Bus type.
package protocol VariantConvertible: Sendable {
    /// The D-Bus type inside the variant.
    static var variantSignature: String { get }
    /// Nil if the variant holds another type.
    init?(_ variant: Variant)
    var variant: Variant { get }
}

extension Bool: VariantConvertible {
    package static var variantSignature: String { "b" }

    package init?(_ variant: Variant) {
        guard case .boolean(let value) = variant else { return nil }
        self = value
    }

    package var variant: Variant { .boolean(self) }
}

extension UInt8: VariantConvertible {
    package static var variantSignature: String { "y" }

    package init?(_ variant: Variant) {
        guard case .byte(let value) = variant else { return nil }
        self = value
    }

    package var variant: Variant { .byte(self) }
}

extension Double: VariantConvertible {
    package static var variantSignature: String { "d" }

    package init?(_ variant: Variant) {
        guard case .double(let value) = variant else { return nil }
        self = value
    }

    package var variant: Variant { .double(self) }
}

extension UInt32: VariantConvertible {
    package static var variantSignature: String { "u" }

    package init?(_ variant: Variant) {
        guard case .uint32(let value) = variant else { return nil }
        self = value
    }

    package var variant: Variant { .uint32(self) }
}

extension Int64: VariantConvertible {
    package static var variantSignature: String { "x" }

    package init?(_ variant: Variant) {
        guard case .int64(let value) = variant else { return nil }
        self = value
    }

    package var variant: Variant { .int64(self) }
}

extension UInt64: VariantConvertible {
    package static var variantSignature: String { "t" }

    package init?(_ variant: Variant) {
        guard case .uint64(let value) = variant else { return nil }
        self = value
    }

    package var variant: Variant { .uint64(self) }
}

extension String: VariantConvertible {
    package static var variantSignature: String { "s" }

    package init?(_ variant: Variant) {
        guard case .string(let value) = variant else { return nil }
        self = value
    }

    package var variant: Variant { .string(self) }
}

extension Descriptor: VariantConvertible {
    package static var variantSignature: String { "h" }
    package var variant: Variant { .descriptor(self) }
}

extension VariantConvertible where Self == Descriptor {
    /// Nil also for a descriptor that was not taken.
    package init?(_ variant: Variant) {
        guard case .descriptor(let descriptor?) = variant else { return nil }
        self = descriptor
    }
}

extension Array: VariantConvertible where Element: VariantConvertible {
    package static var variantSignature: String { "a\(Element.variantSignature)" }

    package init?(_ variant: Variant) {
        guard case .array(Element.variantSignature, let values) = variant else { return nil }
        let elements = values.compactMap { Element($0) }
        guard elements.count == values.count else { return nil }
        self = elements
    }

    package var variant: Variant {
        // Not a key path, which is made anew for each array of a generic type.
        .array(element: Element.variantSignature, map { $0.variant })
    }
}

extension Dictionary: VariantConvertible where Key == String, Value == Variant {
    package static var variantSignature: String { "a{sv}" }

    package init?(_ variant: Variant) {
        guard case .dictionary("s", "v", let entries) = variant else { return nil }
        self = [:]
        for entry in entries {
            guard let key = String(entry.key), case .variant(let value) = entry.value else {
                return nil
            }
            self[key] = value
        }
    }

    /// The entries sorted by key, so that equal values result in equal messages.
    package var variant: Variant {
        .dictionary(
            key: "s", value: "v",
            sorted { $0.key < $1.key }.map {
                Variant.Entry(key: .string($0.key), value: .variant($0.value))
            })
    }
}

extension Dictionary where Key == String, Value == Variant {
    /// The value of a key, or nil if it is missing or has another type.
    package func value<T: VariantConvertible>(_ key: String, as _: T.Type = T.self) -> T? {
        self[key].flatMap { T($0) }
    }
}

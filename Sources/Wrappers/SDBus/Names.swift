// SPDX-License-Identifier: MIT

internal import CSDBus

/// A string that follows one of the naming rules of the D-Bus specification.
///
/// Instances are always valid. An invalid literal is an error in our source and traps.
///
/// - Source: D-Bus Specification, “Valid Names” and “Valid Object Paths”.
package protocol ValidatedName: Hashable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
where StringLiteralType == String {
    var rawValue: String { get }
    init?(_ rawValue: String)
}

extension ValidatedName {
    package var description: String { rawValue }

    package init(stringLiteral literal: String) {
        guard let name = Self(literal) else {
            preconditionFailure("\(literal) is not a valid \(Self.self)")
        }
        self = name
    }
}

/// A unique (`:1.42`) or well-known (`org.example.Name`) name on a bus.
package struct BusName: ValidatedName {
    package let rawValue: String

    package init?(_ rawValue: String) {
        guard sd_bus_service_name_is_valid(rawValue) > 0 else { return nil }
        self.rawValue = rawValue
    }

    /// Whether the name is unique: assigned by the bus to one connection for its lifetime.
    package var isUnique: Bool { rawValue.hasPrefix(":") }
}

/// A path such as `/org/example/object`.
package struct ObjectPath: ValidatedName {
    package let rawValue: String

    package init?(_ rawValue: String) {
        guard sd_bus_object_path_is_valid(rawValue) > 0 else { return nil }
        self.rawValue = rawValue
    }
}

/// A name such as `org.example.Interface`.
package struct InterfaceName: ValidatedName {
    package let rawValue: String

    package init?(_ rawValue: String) {
        guard sd_bus_interface_name_is_valid(rawValue) > 0 else { return nil }
        self.rawValue = rawValue
    }
}

/// The name of an error, such as `org.freedesktop.DBus.Error.Failed`.
///
/// Every name that we send or compare is a constant: those of the bus are here, those of the
/// portals in PortalInterface.
package struct ErrorName: ValidatedName {
    package let rawValue: String

    package init?(_ rawValue: String) {
        // "The same restrictions as interface names" (D-Bus Specification, "Error Names").
        guard sd_bus_interface_name_is_valid(rawValue) > 0 else { return nil }
        self.rawValue = rawValue
    }
}

/// The name of a method, signal or property.
package struct MemberName: ValidatedName {
    package let rawValue: String

    package init?(_ rawValue: String) {
        guard sd_bus_member_name_is_valid(rawValue) > 0 else { return nil }
        self.rawValue = rawValue
    }
}

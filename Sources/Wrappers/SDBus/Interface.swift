// SPDX-License-Identifier: MIT

/// A D-Bus interface, described once in Swift: both sides of a call use the description, and a test
/// compares it with the interface's XML.
package struct Interface: Sendable {
    package let name: InterfaceName
    package let members: [any Member]
    /// The errors that its calls may return, besides the errors that any call may return.
    package let errors: [ErrorName]

    package init(_ name: InterfaceName, _ members: [any Member], errors: [ErrorName] = []) {
        self.name = name
        self.members = members
        self.errors = errors
    }
}

/// A method, signal or property of an interface.
package protocol Member: Sendable {
    var name: MemberName { get }
    var shape: MemberShape { get }
}

/// The untyped form of a member, for the comparison with XML and for the vtable.
package enum MemberShape: Hashable, Sendable {
    case method(input: [Argument], output: [Argument])
    case signal([Argument])
    case property(signature: String, emitsChange: Bool)

    /// The name of an argument, with the D-Bus type of its value.
    package struct Argument: Hashable, Sendable {
        package let name: String
        package let signature: String

        package init(name: String, signature: String) {
            self.name = name
            self.signature = signature
        }
    }
}

/// The arguments of a method or signal, or the values that a method returns.
package protocol ArgumentList: Sendable {
    static var signatures: [String] { get }
    init(from reader: inout MessageReader) throws(WireError)
    func append(to writer: inout MessageWriter) throws(WireError)
}

/// A list of arguments with a static type for each.
package struct Arguments<each Value: DBusValue>: ArgumentList {
    package let values: (repeat each Value)

    package init(_ values: repeat each Value) {
        self.values = (repeat each values)
    }

    package init(from reader: inout MessageReader) throws(WireError) {
        values = (repeat try (each Value)(from: &reader))
    }

    package func append(to writer: inout MessageWriter) throws(WireError) {
        repeat try (each values).append(to: &writer)
    }

    package static var signatures: [String] {
        var signatures: [String] = []
        repeat signatures.append((each Value).signature)
        return signatures
    }
}

/// A method: its name, and the names and types of its arguments.
package struct Method<Input: ArgumentList, Output: ArgumentList>: Member {
    package let name: MemberName
    package let shape: MemberShape
    /// Whether the descriptors of a call are read; otherwise they are closed, wherever they are.
    package let takesDescriptors: Bool

    /// Describes a method.
    ///
    /// - Parameters:
    /// - takesDescriptors: Whether variants may contain descriptors. A method with descriptors in
    ///   its signature always takes them.
    package init(
        _ name: MemberName, takes input: [String] = [], returns output: [String] = [],
        takesDescriptors: Bool = false
    ) {
        self.name = name
        self.takesDescriptors = takesDescriptors || Input.signatures.contains { $0.contains("h") }
        shape = .method(
            input: namedArguments(input, Input.self), output: namedArguments(output, Output.self))
    }
}

/// A signal: its name, and the names and types of its arguments.
package struct Signal<Content: ArgumentList>: Member {
    package let name: MemberName
    package let shape: MemberShape

    package init(_ name: MemberName, carries names: [String] = []) {
        self.name = name
        shape = .signal(namedArguments(names, Content.self))
    }
}

/// A readable property.
package struct Property<Value: DBusValue>: Member {
    package let name: MemberName
    package let shape: MemberShape

    /// Describes a property.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    /// - emitsChange: Whether changes are signalled; otherwise the value is constant.
    package init(_ name: MemberName, emitsChange: Bool = false) {
        self.name = name
        shape = .property(signature: Value.signature, emitsChange: emitsChange)
    }
}

private func namedArguments<List: ArgumentList>(
    _ names: [String], _: List.Type
) -> [MemberShape.Argument] {
    precondition(names.count == List.signatures.count, "one name for each argument")
    return zip(names, List.signatures).map { MemberShape.Argument(name: $0, signature: $1) }
}

// SPDX-License-Identifier: MIT

package import Foundation
import FoundationXML
package import SDBus

/// An interface as described by its XML.
package struct InterfaceXML {
    package struct Member {
        package let shape: MemberShape
        /// The comment that precedes it.
        package let documentation: String
    }

    package let name: String
    package let documentation: String
    package private(set) var members: [String: Member] = [:]

    /// Reads the interfaces of a file.
    package static func read(_ url: URL) throws -> [InterfaceXML] {
        try read(XMLDocument(contentsOf: url))
    }

    /// Parses the introspection data of an object.
    package static func read(introspection: String) throws -> [InterfaceXML] {
        try read(XMLDocument(xmlString: introspection))
    }

    private static func read(_ document: XMLDocument) -> [InterfaceXML] {
        let node = document.rootElement()
        return (node?.children ?? []).compactMap { child in
            guard let element = child as? XMLElement, element.name == "interface" else {
                return nil
            }
            return InterfaceXML(element)
        }
    }

    private init?(_ element: XMLElement) {
        guard let name = element.attribute(forName: "name")?.stringValue else { return nil }
        self.name = name
        documentation = Self.comment(before: element)
        for child in element.children ?? [] {
            guard let child = child as? XMLElement,
                let name = child.attribute(forName: "name")?.stringValue,
                let shape = Self.shape(child)
            else { continue }
            members[name] = Member(shape: shape, documentation: Self.comment(before: child))
        }
    }

    private static func comment(before element: XMLElement) -> String {
        var previous = element.previousSibling
        while let node = previous {
            if node.kind == .comment { return node.stringValue ?? "" }
            if node.kind == .element { return "" }
            previous = node.previousSibling
        }
        return ""
    }

    private static func shape(_ element: XMLElement) -> MemberShape? {
        let arguments = element.elements(forName: "arg")
        func named(_ direction: String) -> [MemberShape.Argument] {
            arguments.filter {
                $0.attribute(forName: "direction")?.stringValue ?? "in" == direction
            }.map(argument)
        }
        switch element.name {
        case "method": return .method(input: named("in"), output: named("out"))
        case "signal": return .signal(arguments.map(argument))
        case "property":
            let emits = element.elements(forName: "annotation").first {
                $0.attribute(forName: "name")?.stringValue
                    == "org.freedesktop.DBus.Property.EmitsChangedSignal"
            }?.attribute(forName: "value")?.stringValue
            return .property(
                signature: element.attribute(forName: "type")?.stringValue ?? "",
                emitsChange: emits ?? "true" == "true")
        default: return nil
        }
    }

    private static func argument(_ element: XMLElement) -> MemberShape.Argument {
        MemberShape.Argument(
            name: element.attribute(forName: "name")?.stringValue ?? "",
            signature: element.attribute(forName: "type")?.stringValue ?? "")
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The XML in `dbus/` is the contract: the descriptors in Swift must say the same.
@Suite struct ContractTests {
    static let interfaces = [
        PhotoPickerInterface.interface, RequestInterface.interface,
        PickerBackendInterface.interface, BackendRequestInterface.interface,
        FileChooserInterface.interface, ThumbnailerInterface.interface,
        ThumbnailCacheInterface.interface,
    ]

    @Test(arguments: interfaces.map(\.name.rawValue))
    func `descriptors and XML have the same members`(name: String) throws {
        let interface = try #require(Self.interfaces.first { $0.name.rawValue == name })
        let xml = try Self.xml(name)
        let described = Dictionary(
            uniqueKeysWithValues: interface.members.map { ($0.name.rawValue, $0.shape) })
        #expect(described == xml.members.mapValues(\.shape))
    }

    @Test func `every file of the contract has descriptors`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(
            Set(files.filter { $0.hasSuffix(".xml") })
                == Set(Self.interfaces.map { "\($0.name).xml" }))
    }

    @Test(arguments: interfaces.map(\.name.rawValue))
    func `every member and every argument is documented`(name: String) throws {
        let xml = try Self.xml(name)
        #expect(xml.documentation.contains("\(name):"))
        for (member, description) in xml.members {
            #expect(description.documentation.contains("\(member):"), "\(name).\(member)")
            let arguments: [MemberShape.Argument] =
                switch description.shape {
                case .method(let input, let output): input + output
                case .signal(let arguments): arguments
                case .property: []
                }
            for argument in arguments {
                #expect(
                    description.documentation.contains("@\(argument.name):"),
                    "\(name).\(member) says nothing of \(argument.name)")
            }
        }
    }

    /// `key` (`type`, default `value`): as the option table has it.
    @Test(arguments: [PickMethod.openImage, .pickImages])
    func `the options in the XML are those of the table`(method: PickMethod) throws {
        let xml = try Self.xml(PhotoPickerInterface.interface.name.rawValue)
        let pattern = #/\* `(?<key>\w+)` \(`(?<type>[^`]+)`, default:? (?<value>[^)]+(?:\[\])?)\):/#
        func documented(_ member: String) throws -> [String: String] {
            let text = try #require(xml.members[member]).documentation
            return Dictionary(
                uniqueKeysWithValues: text.matches(of: pattern).map {
                    (String($0.key), "\($0.type) \($0.value)")
                })
        }
        var expected = try documented("OpenImage")
        if method == .pickImages { expected.merge(try documented("PickImages")) { $1 } }
        let table = PickOption.all.filter { $0.methods.contains(method) }
        #expect(
            expected
                == Dictionary(
                    uniqueKeysWithValues: table.map {
                        ($0.key, "\($0.signature) \($0.defaultText)")
                    }))
    }

    private static var folder: String { Programs.source.appending("dbus").string }

    private static func xml(_ name: String) throws -> InterfaceXML {
        let url = URL(fileURLWithPath: "\(folder)/\(name).xml")
        return try #require(try InterfaceXML.read(url).first { $0.name == name })
    }
}

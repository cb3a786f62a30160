// SPDX-License-Identifier: MIT

import Foundation
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The XML in `dbus/` is the contract; the interfaces in Swift must match it.
@Suite struct ContractTests {
    static let interfaces = [
        PhotoPickerInterface.interface, PhotoLibraryInterface.interface,
        RequestInterface.interface, PhotoSelectionInterface.interface,
        PickerBackendInterface.interface, BackendRequestInterface.interface,
        FileChooserInterface.interface, ThumbnailerInterface.interface,
        ThumbnailCacheInterface.interface,
    ]

    @Test(arguments: interfaces.map(\.name.rawValue))
    func `the Swift interfaces and the XML have the same members`(name: String) throws {
        let interface = try #require(Self.interfaces.first { $0.name.rawValue == name })
        let xml = try Self.xml(name)
        let described = Dictionary(
            uniqueKeysWithValues: interface.members.map { ($0.name.rawValue, $0.shape) })
        #expect(described == xml.members.mapValues(\.shape))
    }

    @Test func `every file of the contract has a Swift interface`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(
            Set(files.filter { $0.hasSuffix(".xml") })
                == Set(Self.interfaces.map { "\($0.name).xml" }))
    }

    /// Foundation's parser goes on after an error.
    @Test(arguments: interfaces.map(\.name.rawValue))
    func `a strict parser reads the XML`(name: String) async throws {
        let home = try TestHome()
        let child = try ChildProcess(
            "python3",
            [
                "-c", "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])",
                "\(Self.folder)/\(name).xml",
            ], environment: home.environment, scratch: home.scratch)
        #expect(try await child.exitStatus() == 0, "\(child.errorText)")
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

    @Test(arguments: interfaces.map(\.name.rawValue))
    func `every error that an interface declares is documented`(name: String) throws {
        let interface = try #require(Self.interfaces.first { $0.name.rawValue == name })
        let xml = try Self.xml(name)
        let text = xml.documentation + xml.members.values.map(\.documentation).joined()
        for error in interface.errors { #expect(text.contains("`\(error)`"), "\(error)") }
    }

    /// Each option is described according to its entry in the table, and no other option is.
    @Test(arguments: [PickMethod.openImage, .pickImages])
    func `the options in the XML are those of the table`(method: PickMethod) throws {
        let xml = try Self.xml(PhotoPickerInterface.interface.name.rawValue)
        let pattern =
            #/\* (?<text>`(?<key>\w+)` \(`[^`]+`, (?:default `[^`]+`|default: [^)]+)\):)/#
        func documented(_ member: String) throws -> [String: String] {
            let text = try #require(xml.members[member]).documentation
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return Dictionary(
                uniqueKeysWithValues: words.matches(of: pattern).map {
                    (String($0.key), String($0.text))
                })
        }
        var written = try documented("OpenImage")
        if method == .pickImages { written.merge(try documented("PickImages")) { $1 } }
        let options = PickOption.all.filter { $0.methods.contains(method) }
        for option in options {
            #expect(written[option.key] == option.documentation, "\(option.key) in the XML")
        }
        let unknown = Set(written.keys).subtracting(options.map(\.key))
        #expect(unknown.isEmpty, "not in the table: \(unknown.sorted())")
    }

    @Test func `the backend's XML names the options that do not reach it`() throws {
        let xml = try Self.xml(PickerBackendInterface.interface.name.rawValue)
        let words = xml.documentation.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let match = try #require(
            words.firstMatch(of: #/without `(?<first>\w+)` and `(?<second>\w+)`/#))
        let kept = PickOption.all.filter { $0.audience == .service }.map(\.key)
        #expect(Set(kept) == [String(match.first), String(match.second)])
    }

    private static var folder: String { Programs.source.appending("dbus").string }

    private static func xml(_ name: String) throws -> InterfaceXML {
        let url = URL(fileURLWithPath: "\(folder)/\(name).xml")
        return try #require(try InterfaceXML.read(url).first { $0.name == name })
    }
}

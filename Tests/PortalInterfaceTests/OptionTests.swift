// SPDX-License-Identifier: MIT

import Foundation
import Photos
import PortalInterface
import SDBus
import TestSupport
import Testing

@Suite struct OptionTests {
    @Test func `no options give the documented defaults`() throws {
        let one = try ParsedOptions([:], of: .openImage)
        #expect(one.token == .standard)
        #expect(one.pick.count == .one)
        #expect(one.pick.isModal)
        #expect(one.pick.mediaTypes == .images)
        #expect(!one.isDetached)
        let several = try ParsedOptions([:], of: .pickImages)
        #expect(several.pick.count == CountLimits(minimum: 1, maximum: nil))
    }

    // MARK: - Each option

    private static let keys = PickOption.all.map(\.key)

    private static func option(_ key: String) throws -> PickOption {
        try #require(PickOption.all.first { $0.key == key })
    }

    @Test func `no key occurs twice`() {
        #expect(Set(Self.keys).count == Self.keys.count)
    }

    @Test(arguments: keys)
    func `a sample value is applied to the options`(key: String) throws {
        let option = try Self.option(key)
        #expect(option.sample.signature == option.signature)
        #expect(option.sample != option.defaultValue)
        for method in option.methods {
            #expect(try Self.parsed(option, method) != ParsedOptions([:], of: method))
        }
    }

    /// An option that is validated and advertised but never forwarded fails here.
    @Test(arguments: keys)
    func `the backend gets the value of the call`(key: String) throws {
        let option = try Self.option(key)
        for method in option.methods {
            let forwarded = try Self.parsed(option, method).pick.vardict(for: method)
            switch option.audience {
            case .backend:
                #expect(forwarded[key] == option.sample, "\(key) does not reach the backend")
                let decoded = try ParsedOptions(forwarded, of: method)
                #expect(try decoded.pick == Self.parsed(option, method).pick)
            case .service: #expect(forwarded[key] == nil, "\(key) reaches the backend")
            }
        }
    }

    @Test func `another name of a type stands for it, beside others`() throws {
        let options = try ParsedOptions(
            ["media_types": ["image/jpg", "image/png"].variant], of: .openImage)
        #expect(options.pick.mediaTypes.recognizedTypes == [.jpeg, .png])
        let alone = try ParsedOptions(["media_types": ["image/JPG"].variant], of: .openImage)
        #expect(alone.pick.mediaTypes.recognizedTypes == [.jpeg])
    }

    @Test(arguments: keys)
    func `the default value and no value are equivalent`(key: String) throws {
        let option = try Self.option(key)
        #expect((option.defaultValue == nil) == (option.absence != nil))
        for method in option.methods {
            let absent = try ParsedOptions([:], of: method)
            if let value = option.defaultValue {
                #expect(try ParsedOptions([key: value], of: method) == absent)
            }
            if option.audience == .backend {
                #expect(absent.pick.vardict(for: method)[key] == nil)
                #expect(absent.pick.completeVardict(for: method)[key] == option.defaultValue)
            }
        }
    }

    @Test(arguments: keys)
    func `a value that is not allowed is refused`(key: String) throws {
        let option = try Self.option(key)
        for value in option.refused {
            #expect(value.signature == option.signature)
            let error = #expect(throws: DBusError.self, "\(key): \(value)") {
                try ParsedOptions([key: value], of: .pickImages)
            }
            #expect(error?.name == .portalInvalidArgument)
            #expect(error?.message.contains("'\(key)'") == true)
            #expect((error?.message.utf8.count ?? 0) < 1000)
        }
    }

    /// An app could not use a property that no option sets.
    @Test func `every property of the options is set by an option`() throws {
        let method = PickMethod.pickImages
        let samples = Dictionary(uniqueKeysWithValues: PickOption.all.map { ($0.key, $0.sample) })
        let sampled = try ParsedOptions(samples, of: method).pick
        let standard = try ParsedOptions([:], of: method).pick
        let before = Self.properties(standard)
        for (name, value) in Self.properties(sampled) {
            #expect(value != before[name], "no option sets \(name)")
        }
    }

    /// An option that nobody reads is validated, advertised and forwarded, and does nothing.
    @Test func `every property of the options is read by a feature`() throws {
        let folder = "\(Programs.source)/Sources/Features"
        var read: Set<Substring> = []
        for file in try #require(FileManager.default.enumerator(atPath: folder)) {
            guard let name = file as? String, name.hasSuffix(".swift") else { continue }
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            read.formUnion(text.matches(of: #/[oO]ptions\.(\w+)/#).map(\.1))
        }
        for property in Mirror(reflecting: PickOptions()).children {
            let name = try #require(property.label)
            #expect(read.contains(name[...]), "nothing in Sources/Features reads options.\(name)")
        }
    }

    /// The properties by their paths; groups of options are expanded.
    private static func properties(_ value: Any, _ prefix: String = "") -> [String: String] {
        var properties: [String: String] = [:]
        for child in Mirror(reflecting: value).children {
            let name = "\(prefix)\(child.label ?? "")"
            if child.value is ClipOptions || child.value is OutputOptions {
                properties.merge(Self.properties(child.value, "\(name).")) { $1 }
            } else {
                properties[name] = "\(child.value)"
            }
        }
        return properties
    }

    private static func parsed(
        _ option: PickOption, _ method: PickMethod
    ) throws -> ParsedOptions {
        var vardict: Vardict = [option.key: option.sample]
        // A minimum needs a maximum that allows it, and any maximum allows the default minimum.
        if option.key == "min_count" { vardict["max_count"] = UInt32.max.variant }
        return try ParsedOptions(vardict, of: method)
    }

    // MARK: - All options

    @Test func `unknown options are ignored, and those of the other method have no effect`() throws
    {
        let parsed = try ParsedOptions(
            [
                "nonsense": .int16(1), "max_count": UInt32(2).variant,
                "min_count": UInt32(3).variant, "continuous": true.variant,
            ], of: .openImage)
        #expect(parsed == (try ParsedOptions([:], of: .openImage)))
    }

    /// An app that calls the wrong method finds its other mistakes there, too.
    @Test(arguments: PickOption.all.filter { $0.methods == [.pickImages] }.map(\.key))
    func `an option of PickImages with a wrong type is an error of OpenImage`(key: String) throws {
        let error = #expect(throws: DBusError.self) {
            try ParsedOptions([key: "many".variant], of: .openImage)
        }
        #expect(error?.name == .portalInvalidArgument)
        #expect(error?.message.contains("for option '\(key)', got 'many' of type 's'") == true)
    }

    @Test(
        arguments: [
            (
                ["min_width": "800".variant],
                "type 'u' of 'min_width' for option 'filter', got '800' of type 's'"
            ),
            (
                ["favorites": UInt32(1).variant],
                "type 'b' of 'favorites' for option 'filter', got 1 of type 'u'"
            ),
            (
                ["min_duration": UInt32(3).variant, "max_duration": UInt32(2).variant],
                "a 'min_duration' of at most 'max_duration' for option 'filter', got 3 and 2"
            ),
            (
                ["newer_than": Int64(5).variant, "older_than": Int64(5).variant],
                "a 'newer_than' before 'older_than' for option 'filter', got 5 and 5"
            ),
        ] as [(Vardict, String)])
    func `an error of a filter names the rule, what was expected and what was given`(
        filter: Vardict, text: String
    ) throws {
        let error = #expect(throws: DBusError.self) {
            try ParsedOptions(["filter": filter.variant], of: .pickImages)
        }
        #expect(error?.message == "Expected \(text)")
    }

    /// Each option with each wrong type: an error that names the key and the expected type.
    @Test(arguments: PickOption.all.map(\.key))
    func `a wrong type is refused`(key: String) throws {
        let option = try #require(PickOption.all.first { $0.key == key })
        let values: [Variant] = [
            .byte(1), .boolean(true), .int32(1), .uint32(1), .int64(1), .uint64(1), .double(1),
            .string("x"), .objectPath("/x"), .array(element: "s", [.string("x")]),
            .array(element: "u", []), .structure([.uint32(1), .uint32(1)]), .variant(.uint32(1)),
            .dictionary(key: "s", value: "v", []),
        ]
        for value in values where value.signature != option.signature {
            let error = #expect(throws: DBusError.self) {
                try ParsedOptions([key: value], of: .pickImages)
            }
            #expect(error?.name == .portalInvalidArgument)
            #expect(
                error?.message.hasPrefix(
                    "Expected type '\(option.signature)' for option '\(key)', got ") == true)
            #expect(error?.message.hasSuffix(" of type '\(value.signature)'") == true)
        }
    }

    // MARK: - The sheet

    @Test func `S1.5 rows of a sheet keep the app's order, texts and number`() throws {
        let rows: [SheetActionFields] = [
            SheetActionFields("close", "Not now"), SheetActionFields("recent", "", "camera"),
            SheetActionFields("library"), SheetActionFields("library", "<b>All</b>\u{202E}"),
            SheetActionFields("files"), SheetActionFields("camera"),
        ]
        let parsed = try ParsedOptions(["actions": rows.variant], of: .openImage).pick.actions
        #expect(parsed.map(\.kind) == [.close, .recent, .library, .library, .files, .camera])
        #expect(parsed.map(\.label) == ["Not now", "", "", "<b>All</b>\u{202E}", "", ""])
        #expect(parsed[1].iconName == "camera")
    }

    @Test func `S1.7 without rows of the app there are Library, Camera and Cancel, without icons`()
        throws
    {
        for method in PickMethod.allCases {
            let parsed = try ParsedOptions(["layout": "sheet".variant], of: method).pick
            #expect(parsed.layout == .sheet)
            #expect(parsed.actions.map(\.kind) == [.library, .camera, .close])
            #expect(parsed.actions.allSatisfy { $0.label.isEmpty && $0.iconName.isEmpty })
        }
        #expect(try ParsedOptions([:], of: .openImage).pick.layout == .grid)
    }

    private static let long = String(repeating: "é", count: 2049)
    /// Rows, and the error about them.
    private static let wrongRows: [([SheetActionFields], String)] = [
        ([], "1 to 8 rows for option 'actions', got 0"),
        (
            Array(repeating: SheetActionFields("close"), count: 9),
            "1 to 8 rows for option 'actions', got 9"
        ),
        (
            [SheetActionFields("close"), SheetActionFields("Library\u{1B}")],
            """
            'library', 'camera', 'recent', 'files' or 'close' as type of a row \
            for option 'actions', got 'Library\u{FFFD}'
            """
        ),
        (
            [SheetActionFields("close", long)],
            "texts of at most 4096 bytes for option 'actions', got '\(long.prefix(63))…'"
        ),
    ]

    @Test(arguments: wrongRows)
    func `S1.5 an error of a row says what was expected and what was given`(
        rows: [SheetActionFields], text: String
    ) throws {
        let error = #expect(throws: DBusError.self) {
            try ParsedOptions(["actions": rows.variant], of: .pickImages)
        }
        #expect(error?.name == .portalInvalidArgument)
        #expect(error?.message == "Expected \(text)")
    }

    /// An array of other structures is no list of rows, whatever they begin with.
    @Test(
        arguments: [
            .array(element: "s", ["close".variant]),
            .array(element: "(ss)", [.structure(["close".variant, "".variant])]),
            .array(
                element: "(ssu)",
                [.structure(["close".variant, "".variant, UInt32(1).variant])]),
            .structure(["close".variant, "".variant, "".variant]),
        ] as [Variant])
    func `S1.5 rows of another type are refused`(value: Variant) {
        let error = #expect(throws: DBusError.self) {
            try ParsedOptions(["actions": value], of: .openImage)
        }
        #expect(error?.message.hasPrefix("Expected type 'a(sss)' for option 'actions'") == true)
    }

    @Test func `S4.14 whether the first click finishes is known to be the app's wish or not`()
        throws
    {
        #expect(try ParsedOptions([:], of: .openImage).pick.isImmediate == nil)
        for wish in [true, false] {
            let parsed = try ParsedOptions(["immediate": wish.variant], of: .openImage).pick
            #expect(parsed.isImmediate == wish)
            #expect(parsed.vardict(for: .openImage)["immediate"] == wish.variant)
        }
    }

    @Test func `formats are read as MIME types, without duplicates`() throws {
        let names = ["image/webp", "IMAGE/JPEG", "image/webp"]
        let parsed = try ParsedOptions(["formats": names.variant], of: .openImage)
        #expect(parsed.pick.output.formats == [.webP, .jpeg])
    }

    @Test func `other names of formats are read, too`() throws {
        let names = ["image/jpg", "image/x-png", "image/pjpeg"]
        let parsed = try ParsedOptions(["formats": names.variant], of: .openImage)
        #expect(parsed.pick.output.formats == [.jpeg, .png])
    }

    @Test func `invalid photo ids are dropped`() throws {
        let id = "00112233445566778899aabbccddeeff"
        let parsed = try ParsedOptions(["preselected": [id, "gone"].variant], of: .openImage)
        #expect(parsed.pick.preselected.map(\.description) == [id])
    }

    @Test func `a minimum above the maximum is refused, and the error names both`() throws {
        let error = #expect(throws: DBusError.self) {
            try ParsedOptions(
                ["max_count": UInt32(2).variant, "min_count": UInt32(3).variant],
                of: .pickImages)
        }
        #expect(error?.message == "Expected at most 2 (max_count) for option 'min_count', got 3")
    }

    @Test func `a token may have 255 characters`() throws {
        let token = String(repeating: "Z", count: 255)
        let parsed = try ParsedOptions(["handle_token": token.variant], of: .openImage)
        #expect(parsed.token.rawValue == token)
    }

    @Test(
        arguments: [
            (":1.42", "t", nil, "/org/freedesktop/portal/desktop/request/1_42/t"),
            (":1.42", "tok", 7, "/org/freedesktop/portal/desktop/request/1_42/tok/7"),
        ] as [(String, String, UInt32?, String)])
    func `handles follow the portals' rule`(
        sender: String, token: String, distinction: UInt32?, path: String
    ) throws {
        let name = try #require(BusName(sender))
        let token = try #require(HandleToken(token))
        let handle = RequestHandle.path(of: name, token: token, distinction: distinction)
        #expect(handle?.rawValue == path)
    }
}

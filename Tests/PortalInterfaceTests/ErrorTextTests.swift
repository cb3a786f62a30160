// SPDX-License-Identifier: MIT

import Files
import Photos
import PortalInterface
import SDBus
import Testing

/// What apps find of their own texts in errors, which they may log or show in a terminal.
@Suite struct ErrorTextTests {
    /// Controls a terminal, turns the direction of what follows, and is too long for a line.
    private static let text =
        "\u{1B}[2J\n\u{202E}" + "e" + String(repeating: "\u{301}", count: 100_000)

    private static let operations: [(String, Vardict)] = [
        (text, [:]),
        ("create-album", ["title": text.variant]),
        ("create-album", ["title": "a".variant, "placeholder": text.variant]),
        ("delete-album", ["album": text.variant]),
        ("delete-album", ["album": "@\(text)".variant]),
        ("remove-assets", ["album": "user-0".variant, "assets": [text].variant]),
        ("remove-assets", ["album": "user-0".variant, "assets": ["@\(text)"].variant]),
        ("revert-adjustment", ["assets": text.variant]),
    ]

    @Test(arguments: operations.indices)
    func `an error of a change repeats no text that harms a terminal`(index: Int) {
        let (name, options) = Self.operations[index]
        Self.check(#expect(throws: DBusError.self) { try ChangeSet([.init(name, options)]) })
    }

    /// They were accepted, and nobody could tell such albums from each other.
    @Test(arguments: ["create-album", "ensure-album", "rename-album"])
    func `a title that cannot be seen is refused, and the error says what is expected`(
        name: String
    ) throws {
        func error(_ title: String) throws -> DBusError? {
            #expect(throws: DBusError.self, "\(title)") {
                try ChangeSet([
                    .init(name, ["album": "user-0".variant, "title": title.variant])
                ])
            }
        }
        for title in ["", "  ", "\u{200B}", "\u{200F} \u{2800}", "\u{FEFF}"] {
            let error = try error(title)
            #expect(error?.name == .portalInvalidArgument)
            #expect(
                error?.message.contains(
                    "Expected at least one character that can be seen for option 'title', got ")
                    == true, "\(error?.message ?? "")")
        }
        let long = [String(repeating: "a", count: 257), String(repeating: "👨‍👩‍👧", count: 58)]
        for title in long {
            #expect(
                try error(title)?.message.contains(
                    "Expected at most 256 characters and 1024 bytes for option 'title'") == true)
        }
        #expect(
            try error("a\nb")?.message.contains("Expected one line without control characters")
                == true)
        _ = try ChangeSet([
            .init("create-album", ["title": String(repeating: "ä", count: 256).variant])
        ])
    }

    @Test func `an error of an adjustment repeats no text that harms a terminal`() throws {
        for key in ["format", "version", "asset"] {
            var options: Vardict = [
                "asset": "00112233445566778899aabbccddeeff".variant, "format": "x".variant,
                "version": "1".variant,
                "file": try MemoryFile.make(named: "a", holding: [1]).variant,
            ]
            options[key] = Self.text.variant
            Self.check(
                #expect(throws: DBusError.self) {
                    try ChangeSet([.init("set-adjustment", options)])
                })
        }
    }

    @Test func `an error of a query repeats no text that harms a terminal`() {
        let options = ["version": Self.text.variant, "album": Self.text.variant]
        Self.check(#expect(throws: DBusError.self) { try LibraryQuery.version(options) })
        Self.check(#expect(throws: DBusError.self) { try LibraryQuery.albumTitle(options) })
        Self.check(#expect(throws: DBusError.self) { try LibraryQuery.album(Self.text) })
        Self.check(#expect(throws: DBusError.self) { try AccessLevel(argument: Self.text) })
    }

    private static func check(
        _ error: DBusError?, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let message = error?.message ?? ""
        #expect(!message.isEmpty, sourceLocation: sourceLocation)
        #expect(message == message.printable, sourceLocation: sourceLocation)
        #expect(message.utf8.count < 1000, sourceLocation: sourceLocation)
    }
}

// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import PortalInterface
import SDBus
import TestSupport
import Testing

@testable import portal_pick

/// The flags of portal-pick, the options of the portal, the help, the completions and the man page
/// agree.
@Suite struct FlagTests {
    /// Flags of portal-pick itself, and flags for the arguments of the call.
    private static let own: Set<String> = [
        "format", "help", "latest", "parent", "single", "title", "version",
    ]

    /// Arguments that set each option, with the value that the service receives.
    private static let examples: [String: (words: [String], value: Variant)] = [
        "max": (["3"], UInt32(3).variant),
        "min": (["2"], UInt32(2).variant),
        "ordered": ([], true.variant),
        "immediate": ([], true.variant),
        "sheet": ([], "sheet".variant),
        "action": (
            ["library:My photos:folder"],
            .array(element: "(sss)", [row("library", "My photos", "folder")])
        ),
        "type": (["image/png"], ["image/png"].variant),
        "filter": (
            ["min_width=800"], (["min_width": UInt32(800).variant] as Vardict).variant
        ),
        "source": (["files"], ["files"].variant),
        "reason": (["For you"], "For you".variant),
        "accept-label": (["Send"], "Send".variant),
        "album": (["recent"], "recent".variant),
        "only-album": ([], true.variant),
        "preselect": (["00112233445566778899aabbccddeeff"], preselected.variant),
        "clip": (["required"], "required".variant),
        "clip-aspect": (["3:2"], .structure([.uint32(3), .uint32(2)])),
        "clip-size": (["640x480"], .structure([.uint32(640), .uint32(480)])),
        "clip-shape": (["circle"], "circle".variant),
        "representation": (["preview"], "preview".variant),
        "accept": (["jpeg"], ["image/jpeg"].variant),
        "max-dimension": (["800"], UInt32(800).variant),
        "max-bytes": (["9000"], UInt64(9000).variant),
        "quality": (["50"], UInt32(50).variant),
        "thumbnail-size": (["256"], UInt32(256).variant),
        "preview": ([], true.variant),
        "continuous": ([], true.variant),
        "include-location": ([], true.variant),
        "persistent": ([], true.variant),
        "writable": ([], true.variant),
    ]
    private static func row(_ fields: String...) -> Variant { .structure(fields.map(\.variant)) }
    private static let preselected = ["00112233445566778899aabbccddeeff"]

    @Test func `every option has a flag, or a reason for having none`() {
        let set = Set(PickFlag.all.map(\.key))
        let listed = Set(PickFlag.notOffered.keys)
        let keys = Set(PickOption.all.map(\.key))
        for key in keys {
            #expect(
                set.contains(key) != listed.contains(key),
                "\(key): neither a flag nor a reason, or both")
        }
        #expect(set.union(listed).subtracting(keys).isEmpty, "set or listed, but no option")
        for (key, reason) in PickFlag.notOffered { #expect(!reason.isEmpty, "\(key)") }
    }

    @Test func `every flag of the parser sets an option, or is one of portal-pick's own`() throws {
        let help = PortalPick.helpMessage(columns: 200)
        let options = try #require(help.range(of: "OPTIONS:")).upperBound
        let end = help.range(of: "SUBCOMMANDS:")?.lowerBound ?? help.endIndex
        let parsed = Set(
            help[options..<end].matches(of: #/(?m)^ +(?:-\w, )?--(?<name>[\w-]+)/#)
                .map { String($0.name) })
        let declared = Set(PickFlag.all.map(\.name)).union(Self.own)
        #expect(parsed.subtracting(declared).isEmpty, "in the help alone")
        #expect(declared.subtracting(parsed).isEmpty, "not in the help")
    }

    @Test func `the man page describes each flag, and no other`() throws {
        let page = try String(
            contentsOfFile: "\(Programs.source)/data/man/portal-pick.1", encoding: .utf8)
        let start = try #require(page.range(of: ".SH OPTIONS")).upperBound
        let end = try #require(page[start...].range(of: ".SH ")).lowerBound
        let described = Set(
            page[start..<end].matches(
                of: #/(?m)^\.(?:BI? |BR \\-\w ", " )\\-\\-(?<name>[\w-]+)/#
            ).map { String($0.name) })
        let declared = Set(PickFlag.all.map(\.name)).union(Self.own)
        #expect(described.subtracting(declared).isEmpty, "in the man page alone")
        #expect(declared.subtracting(described).isEmpty, "not in the man page")
    }

    @Test func `the man page describes each flag of preview, and no other`() throws {
        let page = try String(
            contentsOfFile: "\(Programs.source)/data/man/portal-pick.1", encoding: .utf8)
        let start = try #require(page.range(of: ".SH SHOWING FILES")).upperBound
        let end = try #require(page[start...].range(of: ".SH ")).lowerBound
        func flags(_ text: some StringProtocol, _ pattern: Regex<(Substring, Substring)>) -> Set<
            Substring
        > {
            Set(String(text).matches(of: pattern).map(\.1))
        }
        let described = flags(page[start..<end], /\\-\\-([a-z-]+)/)
        let parsed = flags(Preview.helpMessage(columns: 200), /(?m)^ +(?:-\w, )?--([a-z-]+)/)
        #expect(parsed.subtracting(["help", "version"]) == described)
    }

    @Test(arguments: [CompletionShell.bash, .zsh, .fish].map(\.rawValue))
    func `shells complete each flag`(name: String) throws {
        let shell = try #require(CompletionShell(rawValue: name))
        let script = PortalPick.completionScript(for: shell)
        for flag in PickFlag.all {
            #expect(script.contains(flag.name), "\(flag.name) in \(name)")
        }
    }

    @Test(arguments: PickFlag.all.map(\.name))
    func `a flag sets its option`(name: String) throws {
        let flag = try #require(PickFlag.all.first { $0.name == name })
        let example = try #require(Self.examples[name], "an example of --\(name)")
        let needed =
            name.hasPrefix("clip-")
            ? ["--clip", "optional"]
            : ["only-album": ["--album", "recent"], "action": ["--sheet"]][name] ?? []
        let given = try PickArguments.parse(["--\(name)"] + example.words + needed).vardict
        #expect(given[flag.key] == example.value)
        #expect(given.count == (needed.isEmpty ? 1 : 2))
        let option = try #require(PickOption.all.first { $0.key == flag.key })
        #expect(example.value.signature == option.signature)
    }

    @Test(
        arguments: [
            (["recent"], [("recent", "", "")]),
            (["close:Not now"], [("close", "Not now", "")]),
            (["files::folder", "close"], [("files", "", "folder"), ("close", "", "")]),
            (["library:All: old and new:x:y"], [("library", "All", " old and new:x:y")]),
        ] as [([String], [(String, String, String)])])
    func `S1.5 rows of the sheet are passed on in their order`(
        words: [String], rows: [(String, String, String)]
    ) throws {
        let arguments = ["--sheet"] + words.flatMap { ["--action", $0] }
        let value = try PickArguments.parse(arguments).vardict["actions"]
        #expect(value == .array(element: "(sss)", rows.map { Self.row($0.0, $0.1, $0.2) }))
    }

    @Test func `S1.14 --latest offers the newest photo and nothing else`() throws {
        let given = try PickArguments.parse(["--latest", "--clip", "required"]).vardict
        #expect(given["layout"] == "sheet".variant)
        #expect(
            given["actions"]
                == .array(
                    element: "(sss)", [Self.row("recent", "", ""), Self.row("close", "", "")]))
        #expect(given["clip_mode"] == "required".variant)
    }

    @Test func `a sheet need not finish with the first click`() throws {
        let given = try PickArguments.parse(["--sheet", "--no-immediate"]).vardict
        #expect(given == ["layout": "sheet".variant, "immediate": false.variant])
    }

    @Test func `without flags the service's defaults apply`() throws {
        #expect(try PickArguments.parse([]).vardict.isEmpty)
    }

    @Test(arguments: [
        ["--clip-aspect", "3"], ["--clip-aspect", "0:1"], ["--clip-aspect", "3:2:1"],
        ["--clip-size", "-1x2"], ["--clip-size", "ax2"], ["--clip", "some"], ["--accept", "gif"],
        ["--single", "--max", "2"], ["--max", "1", "--min", "2"], ["--quality", "high"],
        ["--clip-size", "9x9"], ["--action", "close"], ["--sheet", "--action", "Close"],
        ["--sheet", "--action", ":Label"], ["--latest", "--sheet"],
        ["--latest", "--action", "close"],
    ])
    func `wrong arguments are refused`(arguments: [String]) {
        #expect(throws: (any Error).self) { try PickArguments.parse(arguments) }
    }

    @Test func `a number below 0 is called invalid, not missing`() throws {
        let words = PortalPick.joiningNegativeNumbers(["--ordered", "--max", "-1"])
        let error = #expect(throws: (any Error).self) { try PortalPick.parseAsRoot(words) }
        let text = PortalPick.message(for: try #require(error))
        #expect(text.contains("'-1'"), "\(text)")
        #expect(!text.contains("Missing"))
    }

    @Test(arguments: [
        ["--", "--max", "-1"], ["--max=2", "-1"], ["-o", "-1"], ["--title", "-a"],
    ])
    func `words that are no values of flags stay as they are`(words: [String]) {
        #expect(PortalPick.joiningNegativeNumbers(words) == words)
    }

    @Test func `a file whose name begins with a dash is not taken for options`() {
        #expect(PortalPick.misread(in: ["-o", "out", "-dash.jpg"]) == "-dash.jpg")
        for words in [["-h"], ["--help"], ["--angle", "-1.5"], ["--", "-dash.jpg"], ["-"]] {
            #expect(PortalPick.misread(in: words) == nil, "\(words)")
        }
    }
}

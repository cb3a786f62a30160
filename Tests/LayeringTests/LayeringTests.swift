// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The table of modules in docs/ARCHITECTURE.md: imports point down, and a C library has one owner.
@Suite struct LayeringTests {
    /// A line of the table.
    private struct Module {
        /// The folder of `Sources` that contains it; empty for a module outside the floors.
        let floor: String
        let imports: Set<String>
        /// The modules of the same floor for which the last column gives a reason.
        let explained: Set<String>
    }

    /// The floors, from top to bottom.
    private static let floors = ["Programs", "Features", "Adapters", "Wrappers", "C"]

    private static let table: [String: Module] = {
        let text = try? String(
            contentsOfFile: "\(Programs.source)/docs/ARCHITECTURE.md", encoding: .utf8)
        var table: [String: Module] = [:]
        // | `Module` | floor | `A`, `B` | purpose | `A`: reason |
        let pattern =
            #/^\| `(?<name>[\w-]+)` \|(?<floor>[^|]*)\|(?<imports>[^|]*)\|[^|]*\|(?<reasons>[^|]*)\|$/#
        for line in (text ?? "").split(separator: "\n") {
            guard let match = line.firstMatch(of: pattern) else { continue }
            table[String(match.name)] = Module(
                floor: match.floor.trimmingCharacters(in: .whitespaces),
                imports: names(match.imports),
                explained: names(match.reasons.prefix { $0 != ":" }))
        }
        return table
    }()

    private static func names(_ text: Substring) -> Set<String> {
        Set(text.matches(of: #/`([\w-]+)`/#).map { String($0.1) })
    }

    private static let sources = "\(Programs.source)/Sources"

    private static func folder(of module: String) -> String {
        let floor = table[module]?.floor ?? ""
        return floor.isEmpty ? "\(sources)/\(module)" : "\(sources)/\(floor)/\(module)"
    }

    @Test func `every folder is a floor of the table, and every module is in it`() throws {
        func entries(_ path: String) throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: path))
        }
        let beside = Self.table.filter { $0.value.floor.isEmpty }.map(\.key)
        #expect(try entries(Self.sources) == Set(Self.floors + beside))
        for floor in Self.floors {
            let modules = Set(Self.table.filter { $0.value.floor == floor }.map(\.key))
            #expect(try entries("\(Self.sources)/\(floor)") == modules)
        }
    }

    @Test(arguments: table.keys.sorted())
    func `a module imports only the modules in its row`(module: String) throws {
        let imported = try Self.imports(of: module).intersection(Self.table.keys)
        #expect(imported == Self.table[module]?.imports)
    }

    @Test func `imports of the same floor have a reason`() throws {
        for (name, module) in Self.table {
            let below = try #require(
                module.floor.isEmpty
                    ? Self.floors.endIndex : Self.floors.firstIndex(of: module.floor), "\(name)")
            var beside: Set<String> = []
            for other in module.imports {
                let floor = try #require(Self.table[other]?.floor)
                guard let level = Self.floors.firstIndex(of: floor) else { continue }
                #expect(level >= below, "\(name) imports \(other)")
                if level == below { beside.insert(other) }
            }
            #expect(beside == module.explained, "\(name)")
        }
    }

    @Test func `imports have no cycle`() {
        func reaches(_ from: String, _ to: String, _ seen: Set<String> = []) -> Bool {
            (Self.table[from]?.imports ?? []).contains { next in
                next == to || (!seen.contains(next) && reaches(next, to, seen.union([next])))
            }
        }
        for module in Self.table.keys { #expect(!reaches(module, module)) }
    }

    @Test func `each C module has one owner`() {
        for module in Self.table.keys where Self.table[module]?.floor == "C" {
            let importers = Self.table.filter { $0.value.imports.contains(module) }
            // C modules may share the declarations of one that has an owner.
            let others = importers.filter { $0.value.floor != "C" }
            let owners = (others.isEmpty ? importers : others).keys
            #expect(owners.count == 1, "\(module): \(owners.sorted())")
        }
    }

    @Test func `the functions that the walk through a pick names exist`() throws {
        let section = try Self.section("One pick")
        let sources = try Self.files(below: Self.sources)
        let names = section.matches(of: #/`(?<type>[A-Z]\w+)\.(?<member>\w+)`/#)
        #expect(names.count > 20)
        for name in names {
            let member = name.member == "init" ? "init" : "func \(name.member)"
            // The type or an extension of it, and the function in the same file.
            let type = try Regex("(class|struct|enum|actor|extension) \(name.type)\\b")
            #expect(
                sources.contains { $0.1.contains(member) && $0.1.contains(type) }, "\(name.0)")
        }
    }

    @Test func `the files and members that “Where do I” names exist`() throws {
        let section = try Self.section("Where do I")
        let all =
            FileManager.default.enumerator(atPath: Self.sources)?
            .compactMap { $0 as? String } ?? []
        let paths = section.matches(
            of: #/`(?<path>[\w.+-]+(?:/[\w.+-]+)+|[\w+-]+\.(?:swift|h))`/#
        ).map { String($0.path) }.filter { !$0.hasSuffix(".EXTENSION") }
        #expect(paths.count > 20)
        for path in paths {
            let isThere =
                FileManager.default.fileExists(atPath: "\(Programs.source)/\(path)")
                || all.contains { $0 == path || $0.hasSuffix("/\(path)") }
            #expect(isThere, "\(path)")
        }
        let sources = try Self.files(below: Self.sources)
        for name in section.matches(of: #/`(?<type>[A-Z]\w+)\.(?<member>\w+)`/#)
        where !["swift", "h"].contains(name.member) {
            let type = try Regex("(class|struct|enum|actor|extension) \(name.type)\\b")
            let member = try Regex("(func|let|var|case) \(name.member)\\b")
            #expect(
                sources.contains { $0.1.contains(member) && $0.1.contains(type) }, "\(name.0)")
        }
    }

    /// A section of docs/ARCHITECTURE.md, by the beginning of its heading.
    private static func section(_ heading: String) throws -> Substring {
        let text = try String(
            contentsOfFile: "\(Programs.source)/docs/ARCHITECTURE.md", encoding: .utf8)
        let start = try #require(text.range(of: "\n## \(heading)"))
        let rest = text[start.upperBound...]
        return rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)]
    }

    @Test func `forbidden constructs do not occur`() throws {
        for (path, text) in try Self.files(below: Self.sources) {
            for word in ["@MainActor", "@unchecked Sendable", "try!", "fatalError("] {
                #expect(!text.contains(word), "\(word) in \(path)")
            }
        }
    }

    /// The dependencies of a C module, which has no import lines; from Package.swift.
    private static let linked: [String: Set<String>] = [
        "CCamera": ["CGStreamer"], "CCodecs": ["CPixbuf"], "CHEIF": ["CCodecs"],
        "CRare": ["COpenEXR", "CRSVG"],
    ]

    private static func imports(of module: String) throws -> Set<String> {
        let pattern = #/^(?:(?:@\w+|internal|package|public) )*import (?<name>\w+)/#
            .anchorsMatchLineEndings()
        var names = linked[module] ?? []
        for (_, text) in try files(below: folder(of: module)) {
            for match in text.matches(of: pattern) { names.insert(String(match.name)) }
        }
        return names
    }

    private static func files(below folder: String) throws -> [(String, String)] {
        let paths =
            FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.map {
            ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
        }
    }
}

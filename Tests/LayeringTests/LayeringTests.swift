// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The rows of docs/ARCHITECTURE.md: imports point down, and a C library has one owner.
@Suite struct LayeringTests {
    /// Each module of ours with the modules of ours that it may import.
    private static let allowed: [String: Set<String>] = {
        let text = try? String(
            contentsOfFile: "\(Programs.source)/docs/ARCHITECTURE.md", encoding: .utf8)
        var allowed: [String: Set<String>] = [:]
        // | `Module` | row | `A`, `B` | …
        let pattern = #/^\| `(?<name>[\w-]+)` \| (?<row>\d) \|(?<imports>[^|]*)\|/#
        for line in (text ?? "").split(separator: "\n") {
            guard let match = line.firstMatch(of: pattern) else { continue }
            let imports = match.imports.matches(of: #/`([\w-]+)`/#).map { String($0.1) }
            allowed[String(match.name)] = Set(imports)
        }
        return allowed
    }()

    private static let sources = "\(Programs.source)/Sources"

    @Test func `every module stands in the table`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources)
        #expect(Set(folders) == Set(Self.allowed.keys))
    }

    @Test(arguments: allowed.keys.sorted())
    func `a module imports what the table says, and nothing else of ours`(module: String) throws {
        let ours = Set(Self.allowed.keys)
        let imported = try Self.imports(of: module).intersection(ours)
        #expect(imported == Self.allowed[module])
    }

    @Test func `imports never lead back`() {
        func reaches(_ from: String, _ to: String, _ seen: Set<String> = []) -> Bool {
            (Self.allowed[from] ?? []).contains { next in
                next == to || (!seen.contains(next) && reaches(next, to, seen.union([next])))
            }
        }
        for module in Self.allowed.keys { #expect(!reaches(module, module)) }
    }

    @Test func `each C module has one owner`() {
        for module in Self.allowed.keys where module.hasPrefix("C") && module != "CShims" {
            let owners = Self.allowed.filter { $0.value.contains(module) }.keys
            #expect(owners.count == 1, "\(module): \(owners.sorted())")
        }
    }

    @Test func `what may not appear does not`() throws {
        for (path, text) in try Self.files(below: Self.sources) {
            for word in ["@MainActor", "@unchecked Sendable", "try!", "fatalError("] {
                #expect(!text.contains(word), "\(word) in \(path)")
            }
        }
    }

    /// What a module in C uses, which has no line that names it; from Package.swift.
    private static let linked: [String: Set<String>] = ["CCodecs": ["CRSVG"]]

    private static func imports(of module: String) throws -> Set<String> {
        let pattern = #/^(?:(?:@\w+|internal|package|public) )*import (?<name>\w+)/#
            .anchorsMatchLineEndings()
        var names = linked[module] ?? []
        for (_, text) in try files(below: "\(sources)/\(module)") {
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

// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The versions of the project and of its dependencies.
@Suite struct VersionTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(Programs.source)/\(path)", encoding: .utf8)
    }

    private static func version() throws -> String {
        let line = try text("Sources/Photos/ProgramVersion.swift")
            .firstMatch(of: #/static let current = "(?<version>[0-9.]+)"/#)
        return String(try #require(line).version)
    }

    @Test func `the version is written in one place of the source`() throws {
        let version = try Self.version()
        let sources = "\(Programs.source)/Sources"
        let files = try #require(FileManager.default.enumerator(atPath: sources))
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
        let places = try files.filter { try Self.text("Sources/\($0)").contains("\"\(version)\"") }
        #expect(places == ["Photos/ProgramVersion.swift"])
    }

    @Test func `the first entry of the package's changelog is about this version`() throws {
        #expect(
            try Self.text("debian/changelog").hasPrefix("photo-portal (\(try Self.version())) "))
    }

    @Test func `dependencies are pinned`() throws {
        let packages = try Self.text("Package.swift").split(separator: "\n")
            .filter { $0.contains(".package(") }
        #expect(!packages.isEmpty)
        for package in packages { #expect(package.contains("exact: \""), "\(package)") }
    }
}

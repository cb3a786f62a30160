// SPDX-License-Identifier: MIT

import Foundation
import Processes
import SystemPackage
import TestSupport
import Testing

/// `make install` and `make uninstall`.
@Suite struct InstallTests {
    private static func run(_ home: TestHome, _ arguments: [String]) async throws -> (
        status: Int32, errors: String
    ) {
        let script = try ChildProcess(
            "\(Programs.source)/scripts/install", arguments, environment: home.environment,
            scratch: home.scratch)
        return (try await script.exitStatus(within: .seconds(120)), script.errorText)
    }

    private static func entries(_ folder: String) throws -> Set<String> {
        Set(try FileManager.default.subpathsOfDirectory(atPath: folder))
    }

    @Test func `an uninstall leaves no file and no empty folder`() async throws {
        let home = try TestHome()
        let tree = home.root.appending("tree").string
        // Debian's own folders in /usr/local, and files of others.
        for folder in ["bin", "lib", "share/man", "share/doc/other"] {
            try FileManager.default.createDirectory(
                atPath: "\(tree)/usr/local/\(folder)", withIntermediateDirectories: true)
        }
        let before = try Self.entries(tree)
        let programs = ProgramFolder.sibling("").string
        #expect(try await Self.run(home, [tree, "/usr/local", programs]).status == 0)
        #expect(try Self.entries(tree).contains("usr/local/libexec/photo-portal"))
        #expect(try await Self.run(home, ["--remove", tree, "/usr/local"]).status == 0)
        #expect(try Self.entries(tree) == before)
    }

    @Test func `installing before building says what to do, and writes nothing`() async throws {
        let home = try TestHome()
        let tree = home.root.appending("tree").string
        let result = try await Self.run(home, [tree, "/usr", home.scratch.string])
        #expect(result.status == 1)
        #expect(result.errors.contains("make build"))
        #expect(!FileManager.default.fileExists(atPath: tree))
    }
}

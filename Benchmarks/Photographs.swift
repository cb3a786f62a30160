// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport

/// Pictures to measure with; they are kept in `.bench`.
enum Photographs {
    /// Photographs of 12 megapixels, the same ones each time.
    static func make(_ count: Int = 200) async throws -> [FilePath] {
        let folder = folder("photographs")
        try await run("make-photographs", [folder.string, "\(count)"])
        return names(in: folder).filter { $0.string.hasSuffix(".jpg") }
            .sorted { $0.string < $1.string }.prefix(count).map { folder.appending($0) }
    }

    /// Wallpapers of Debian's packages.
    static func wallpapers() async throws -> [FilePath] {
        try await run("wallpapers", [folder("wallpapers").string])
            .split(separator: "\n").map { FilePath(String($0)) }
    }

    /// A folder for what benchmarks keep.
    static func folder(_ name: String) -> FilePath {
        Programs.source.appending(".bench").appending(name)
    }

    /// Has one of our scripts make something; what it prints.
    @discardableResult
    private static func run(_ script: String, _ arguments: [String]) async throws -> String {
        let home = try TestHome()
        let maker = try ChildProcess(
            Programs.source.appending("scripts").appending(script).string, arguments,
            environment: home.environment, scratch: home.scratch)
        guard try await maker.exitStatus(within: .seconds(900)) == 0 else {
            throw NeverHappened(description: "\(script): \(maker.errorText)")
        }
        return maker.outputText
    }
}

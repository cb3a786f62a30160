// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport

/// Test pictures, kept in `.bench`.
enum Photographs {
    /// Photographs of 12 megapixels, identical in every run.
    static func make(_ count: Int = 200) async throws -> [FilePath] {
        let folder = folder("photographs")
        try await run("make-photographs", [folder.string, "\(count)"])
        return names(in: folder).filter { $0.string.hasSuffix(".jpg") }
            .sorted { $0.string < $1.string }.prefix(count).map { folder.appending($0) }
    }

    /// The first of these photographs, each with a picture of 1440 × 1080 behind it.
    static func makeWithPreviews(_ count: Int) async throws -> [FilePath] {
        let folder = folder("previews")
        try await run("make-photographs", ["--previews", folder.string, "\(count)"])
        return names(in: folder).filter { $0.string.hasSuffix(".jpg") }
            .sorted { $0.string < $1.string }.prefix(count).map { folder.appending($0) }
    }

    /// Wallpapers from Debian packages.
    static func wallpapers() async throws -> [FilePath] {
        try await run("wallpapers", [folder("wallpapers").string])
            .split(separator: "\n").map { FilePath(String($0)) }
    }

    /// The folder for files that benchmarks keep.
    static func folder(_ name: String) -> FilePath {
        Programs.source.appending(".bench").appending(name)
    }

    /// Runs one of our scripts and returns its output.
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

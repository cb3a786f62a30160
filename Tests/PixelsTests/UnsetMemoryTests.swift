// SPDX-License-Identifier: MIT

import Files
import SystemPackage
import TestSupport
import Testing

/// What a picture becomes must not depend on what was in the memory before.
@Suite struct UnsetMemoryTests {
    private static let fixtures = Programs.source.appending("Tests").appending("Fixtures")

    @Test(arguments: names(in: fixtures).map(\.string).sorted())
    func `no picture shows memory that nobody set`(folder: String) async throws {
        let files = names(in: Self.fixtures.appending(folder)).sorted { $0.string < $1.string }
            .map { Fixtures.path("\(folder)/\($0.string)").string }
        let first = try await sum(files, filling: 0x01)
        #expect(try await sum(files, filling: 0xA5) == first)
        // A database is no picture, and a video has no pixels here.
        #expect(first.count > 1000 || ["library", "sidecar", "video"].contains(folder))
    }

    /// OpenJPEG 2.5.0 decoded what was in its memory behind a truncated file.
    @Test func `no truncated JPEG 2000 picture shows memory that nobody set`() async throws {
        let home = try TestHome()
        var files: [String] = []
        for name in ["formats/blocks.jp2", "jp2/stream.j2k", "jp2/tiles.jp2"] {
            let bytes = try Fixtures.bytes(name)
            for count in stride(from: 60, to: bytes.count, by: 23) {
                let path = home.scratch.appending("\(files.count).jp2")
                try home.write(Array(bytes.prefix(count)), to: path)
                files.append(path.string)
            }
        }
        let first = try await sum(files, filling: 0x01)
        #expect(try await sum(files, filling: 0xA5) == first)
        #expect(first.count > 1000)
    }

    /// The checksum and the number of all bytes that a decoder would answer.
    ///
    /// - Parameter byte: glibc fills what it allocates with the complement of this byte.
    private func sum(
        _ files: [String], filling byte: Int
    ) async throws -> (checksum: Substring, count: Int) {
        let home = try TestHome()
        var environment = home.environment
        environment["MALLOC_PERTURB_"] = "\(byte)"
        let child = try ChildProcess(
            "bash",
            ["-c", #"set -o pipefail; "$0" "$@" | cksum"#, Programs.path("pixel-probe")] + files,
            environment: environment, scratch: home.scratch)
        let status = try await child.exitStatus(within: .seconds(120))
        try #require(status == 0, "\(child.errorText)")
        let words = child.outputText.split { $0.isWhitespace }
        try #require(words.count == 2)
        return (words[0], try #require(Int(words[1])))
    }
}

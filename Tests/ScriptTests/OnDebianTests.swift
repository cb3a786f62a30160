// SPDX-License-Identifier: MIT

import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

/// scripts/on-debian, when it cannot do its work.
@Suite(
    .enabled(if: getuid() == 0 && MountNamespace.isAvailable, "only root may mount a system"))
struct OnDebianTests {
    private let home: TestHome
    private var systems: FilePath {
        home.cache.appending("photo-portal").appending("debian").appending("trixie")
    }

    init() throws {
        home = try TestHome()
    }

    /// Runs the script and returns how it ended.
    private func run(
        _ words: [String], environment: [String: String] = [:], before: String = "true"
    ) async throws -> (status: Int32, output: String, errors: String) {
        let script = Programs.source.appending("scripts").appending("on-debian")
        let child = try ChildProcess(
            "unshare",
            ["--mount", "sh", "-ec", "\(before)\nexec \"$@\"", "sh", script.string] + words,
            environment: home.environment.merging(environment) { $1 }, scratch: home.scratch)
        let status = try await child.exitStatus(within: .seconds(120))
        return (status, child.outputText, child.errorText)
    }

    /// Its last message is one sentence about this, and it leaves nothing incomplete behind.
    private func expectFailure(
        _ result: (status: Int32, output: String, errors: String), _ words: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(result.status == 125, sourceLocation: sourceLocation)
        let last = result.errors.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix("on-debian: "), "\(result.errors)", sourceLocation: sourceLocation)
        #expect(last.contains(words), "\(result.errors)", sourceLocation: sourceLocation)
        let left = names(in: systems).map(\.string).filter { $0.contains(".") }
        #expect(left == [], sourceLocation: sourceLocation)
    }

    @Test(arguments: ["11", "sid", ""])
    func `an unknown suite is refused`(suite: String) async throws {
        expectFailure(try await run([suite, "true"]), "is unknown")
    }

    @Test func `a suite without a command is refused`() async throws {
        expectFailure(try await run(["13"]), "COMMAND")
    }

    @Test(arguments: ["apt-get", "mmdebstrap"])
    func `a missing program is reported`(missing: String) async throws {
        let programs = home.scratch.appending("bin")
        try Directory.make(programs)
        let present = ["bash", "sh", "realpath", "dirname", "id", "apt-get", "mmdebstrap"]
        let links = present.filter { $0 != missing }
            .map { "ln -s $(command -v \($0)) \(programs)/" }.joined(separator: "\n")
        expectFailure(
            try await run(["--bare", "13", "true"], before: "\(links)\nexport PATH=\(programs)"),
            "\(missing) is missing")
    }

    @Test func `a user who is not root gets an error`() async throws {
        let script = Programs.source.appending("scripts").appending("on-debian").string
        let child = try ChildProcess(
            "setpriv", ["--reuid", "65534", "--clear-groups", script, "13", "true"],
            environment: home.environment, scratch: home.scratch)
        #expect(try await child.exitStatus() != 0)
        #expect(child.errorText.contains("root") || child.errorText.contains("Permission denied"))
    }

    @Test func `an archive that cannot be reached leaves nothing behind`() async throws {
        let result = try await run(
            ["--bare", "13", "true"],
            environment: ["PHOTO_PORTAL_MIRROR": "http://127.0.0.1:9/debian/"])
        expectFailure(result, "could not be created from http://127.0.0.1:9")
    }

    @Test func `a full disk is reported`() async throws {
        let result = try await run(
            ["--bare", "13", "true"],
            environment: ["PHOTO_PORTAL_MIRROR": "http://127.0.0.1:9/debian/"],
            before: "mount -t tmpfs -o size=1m none \(home.cache)")
        expectFailure(result, "there is no space")
    }

    @Test func `the remains of an interrupted run are removed`() async throws {
        for name in ["minimal.part", "run.dead"] {
            try home.write([1], to: systems.appending(name).appending("usr").appending("file"))
        }
        let result = try await run(
            ["--bare", "13", "true"],
            environment: ["PHOTO_PORTAL_MIRROR": "http://127.0.0.1:9/debian/"])
        expectFailure(result, "could not be created")
    }
}

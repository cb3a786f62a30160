// SPDX-License-Identifier: MIT

import Foundation
import Processes
import Synchronization
import SystemPackage
import TestSupport

/// A Debian system that runs systemd in a container, with our programs installed: see scripts/bed.
final class Bed: Sendable {
    /// The implementations of the session bus.
    enum Bus: String, CaseIterable, Sendable {
        case daemon = "dbus-daemon"
        case broker = "dbus-broker"
    }

    /// The result of a command in the bed.
    struct Result: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The users of the system.
    enum User: String, Sendable {
        case person, root
    }

    private let home: TestHome
    private let script: ChildProcess
    private let counter = Mutex(0)

    /// The folder in which scripts/bed looks for commands.
    private var folder: FilePath { home.scratch }
    private var requests: FilePath { folder.appending("requests") }

    /// Boots a system whose session has started.
    static func boot(_ bus: Bus = .daemon, display: Bool = true) async throws -> Bed {
        let bed = try Bed(bus, display: display, suite: BedSupport.suite.get())
        try await eventually("session in the bed", within: .seconds(300)) {
            try bed.checkScript()
            return (try? bed.folder.appending("ready").stat()) != nil
        }
        return bed
    }

    /// The control groups and the folder that exist as long as the bed.
    ///
    /// Known once the session has started; read before the bed shuts down or afterwards.
    var resources: [FilePath] {
        text("ready").split(separator: "\n").map { FilePath(String($0)) }
    }

    private init(_ bus: Bus, display: Bool, suite: String) throws {
        home = try TestHome()
        let requests = home.scratch.appending("requests")
        guard mkfifo(requests.string, 0o600) == 0 else { throw Errno(rawValue: errno) }
        let options =
            ["--serve", "--bus", bus.rawValue, "--tree", try InstalledTree.shared.get().string]
            + (display ? [] : ["--no-display"])
        script = try ChildProcess(
            "\(Programs.source)/scripts/bed", options + [suite, home.scratch.string],
            environment: ProcessInfo.processInfo.environment, scratch: home.scratch,
            deathSignal: "TERM")
    }

    /// Shuts the system down.
    ///
    /// - Returns: The exit status of scripts/bed.
    @discardableResult
    func shutDown() async throws -> Int32 {
        try request("stop")
        return try await script.exitStatus(within: .seconds(60))
    }

    /// Runs a shell script in the bed.
    func run(
        _ commands: String, as user: User = .person, within limit: Duration = .seconds(120)
    ) async throws -> Result {
        let name = counter.withLock { count in
            count += 1
            return "\(count)"
        }
        try home.write(Array(commands.utf8), to: folder.appending(name))
        try request("\(name) \(user)")
        let status = try await eventually("end of: \(commands)", within: limit) {
            try checkScript()
            return Int32(text("\(name).status").trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return Result(status: status, output: text("\(name).out"), errors: text("\(name).err"))
    }

    /// Runs a shell script that ends at the first command that fails, and returns what it prints.
    func output(
        _ commands: String, as user: User = .person, within limit: Duration = .seconds(120)
    ) async throws -> String {
        let result = try await run("set -e\n" + commands, as: user, within: limit)
        guard result.status == 0 else {
            throw NeverHappened(
                description: "status \(result.status) of: \(commands)\n"
                    + "\(result.output)\(result.errors)")
        }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func request(_ line: String) throws {
        let pipe = try FileDescriptor.open(requests, .writeOnly, options: .nonBlocking)
        try pipe.closeAfter { _ = try pipe.writeAll("\(line)\n".utf8) }
    }

    private func text(_ name: String) -> String {
        (try? String(contentsOfFile: folder.appending(name).string, encoding: .utf8)) ?? ""
    }

    private func checkScript() throws {
        guard kill(script.processID, 0) == 0, !hasEnded else {
            throw NeverHappened(description: "the bed ended: \(script.errorText)")
        }
    }

    private var hasEnded: Bool {
        let state = try? String(
            contentsOfFile: "/proc/\(script.processID)/stat", encoding: .utf8)
        return state?.split(separator: ")").last?.hasPrefix(" Z") ?? true
    }
}

/// Our programs and their data, installed below a folder.
enum InstalledTree {
    /// The folder to use as the root of a file system; removed when the test process ends.
    static let shared = Swift.Result { () throws -> FilePath in
        let home = try TestHome()
        kept.note(home)
        atexit { InstalledTree.kept.all.forEach { removeTree($0.root) } }
        let tree = home.root.appending("tree")
        _ = try ProgramOutput.capture(
            "\(Programs.source)/scripts/install",
            [tree.string, "/usr", ProgramFolder.sibling("").string], timeout: .seconds(120))
        return tree
    }

    private static let kept = Recorder<TestHome>()
}

/// Whether this machine can boot a bed.
enum BedSupport {
    /// The suite of Debian that this machine runs, for which the programs are built; or the reason why
    /// there is no bed.
    static let suite = Swift.Result { () throws -> String in
        let result = find()
        if case .failure(let reason) = result, environmentVariable("PHOTO_PORTAL_CI") != nil {
            preconditionFailure("No system can be booted: \(reason)")
        }
        return try result.get()
    }

    static var isAvailable: Bool { (try? suite.get()) != nil }

    static let skipReason =
        "no system with systemd can be booted here: it takes Debian, root and mmdebstrap"

    private static func find() -> Swift.Result<String, NeverHappened> {
        func fail(_ reason: String) -> Swift.Result<String, NeverHappened> {
            .failure(NeverHappened(description: reason))
        }
        guard getuid() == 0 else { return fail("only root may") }
        let release = try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)
        guard
            let suite = release?.split(separator: "\n").lazy
                .first(where: { $0.hasPrefix("VERSION_CODENAME=") })?.dropFirst(17),
            ["bookworm", "trixie"].contains(suite)
        else { return fail("scripts/on-debian does not know this system") }
        // The first time this creates the system.
        do {
            _ = try ProgramOutput.capture(
                "\(Programs.source)/scripts/bed", [String(suite), "true"], timeout: .seconds(1200))
        } catch {
            return fail("scripts/bed \(suite) true: \(error)")
        }
        return .success(String(suite))
    }
}

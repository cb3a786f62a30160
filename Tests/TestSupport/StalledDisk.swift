// SPDX-License-Identifier: MIT

import Files
import Glibc
import Processes
package import SystemPackage

/// A FUSE file system whose calls can be made to hang; see Tests/stalled-disk.
package final class StalledDisk: Sendable {
    /// A kind of call.
    package enum Call: String, Sendable, CaseIterable {
        case getattr, readdir, open, read, flush
    }

    /// Skips a test, with a reason, if FUSE is missing; in CI that is a failure.
    package static let isAvailable: Bool = {
        let isFound = access("/dev/fuse", R_OK | W_OK) == 0
        precondition(isFound || environmentVariable("PHOTO_PORTAL_CI") == nil, "FUSE is missing")
        return isFound
    }()

    package static let skipReason = "/dev/fuse is missing"

    private let process: ChildProcess
    private let path: FilePath
    private let content: FilePath

    /// Removed after the disk is unmounted.
    private let home: TestHome

    private init(
        _ process: ChildProcess, _ path: FilePath, _ content: FilePath, _ home: TestHome
    ) {
        self.home = home
        self.process = process
        self.path = path
        self.content = content
    }

    deinit {
        process.signal(SIGKILL)
        process.waitForEnd()
        unmount()
        for _ in 0..<500 where isMounted { usleep(10_000) }
    }

    /// Unmounts the disk, whose process has ended.
    ///
    /// FUSE’s own helper does so, too, but sometimes not if other mounts change at the same moment.
    private func unmount() {
        // Fails if the disk is not mounted any more.
        _ = try? ProgramOutput.capture(
            "fusermount3", ["-u", "-z", "-q", path.string], timeout: .seconds(20))
    }

    /// Mounts a folder.
    ///
    /// - Parameters:
    ///   - path: Where it appears.
    ///   - fill: Creates the files in the folder that it is given.
    package static func mount(
        at path: FilePath, of home: TestHome, fill: (FilePath) throws -> Void
    ) async throws -> StalledDisk {
        let content = home.scratch.appending("disk")
        try Directory.make(content)
        try fill(content)
        try Directory.make(path)
        let process = try ChildProcess(
            Programs.path("stalled-disk"), [content.string, path.string, "\(content).stalled"],
            environment: home.environment, scratch: home.scratch)
        let disk = StalledDisk(process, path, content, home)
        try await eventually("the disk: \(process.errorText)") { FileSystem.isFUSE(path) }
        return disk
    }

    /// Makes the Pictures folder a folder of such a disk.
    package static func mountPictures(of home: TestHome) async throws -> StalledDisk {
        let place = home.scratch.appending("mounted")
        let disk = try await mount(at: place, of: home) { content in
            try Directory.make(content.appending("Photos"))
        }
        removeTree(home.pictures)
        guard symlink(place.appending("Photos").string, home.pictures.string) == 0 else {
            throw Errno(rawValue: errno)
        }
        return disk
    }

    /// Without its process, nothing in the file system can be reached.
    private var isMounted: Bool { FileSystem.isFUSE(path) || access(path.string, R_OK) != 0 }

    /// From now on, calls of these kinds do not answer, and calls of all other kinds do.
    package func stall(_ calls: Call...) throws {
        try say(calls.map(\.rawValue).joined(separator: " "))
    }

    /// Whether a call has waited since the calls that do not answer were named last.
    package var hasWaiter: Bool { access(waiting.string, F_OK) == 0 }

    private var waiting: FilePath { FilePath("\(content).stalled.waiting") }

    /// Answers all calls, those that have waited included, and without errors.
    package func answer() throws { try stall() }

    /// From now on, closing a file that was written fails, because there is no room for it.
    package func fill() throws { try say("full") }

    /// From now on, each read of up to 128 KiB takes 20 milliseconds.
    package func slowDown() throws { try say("slow") }

    /// From now on, no folder can be listed, because of an error of the disk.
    package func damage() throws { try say("broken") }

    /// From now on, nobody may read the folders in it.
    package func deny() throws { try say("denied") }

    /// From now on, each name in a folder is listed twice, as by a damaged file system.
    package func listTwice() throws { try say("double") }

    /// From now on, no folder can be removed, as on a network drive that keeps removed files while they are open.
    package func keepFolders() throws { try say("keeping") }

    /// From now on, files that are opened cannot be read from an offset on, which is that of a page.
    package func fail(from offset: Int) throws { try say("failing \(offset)") }

    private func say(_ words: String) throws {
        unlink(waiting.string)
        try Array(words.utf8).withUnsafeBytes {
            try AtomicFile.write($0, to: FilePath("\(content).stalled"))
        }
    }

    /// Ends the disk, from any thread; calls in progress fail.
    package func kill() {
        process.signal(SIGKILL)
    }

    /// Unmounts the disk; calls in progress fail.
    package func end() async throws {
        try await process.stop(SIGKILL)
        unmount()
        try await eventually("the end of the disk") { !isMounted }
    }
}

// SPDX-License-Identifier: MIT

import Files
import Glibc
import Processes
import Synchronization
import SystemPackage

/// ExifTool, which knows the metadata of a photo independently of us.
///
/// One process works for all tests, because it takes longer to start than to read a photo.
package final class ExifTool: Sendable {
    private static let shared = Mutex<ExifTool?>(nil)

    private let home: TestHome
    private let process: ChildProcess
    private let commands: Descriptor
    private let output: Descriptor
    /// How many commands it was given.
    private let count = Mutex(0)

    /// Runs it with these arguments, of one line each.
    ///
    /// - Returns: What it printed.
    /// - Throws: `Errno`: `.ioError` if it complained about a file; `.timedOut`.
    @discardableResult
    package static func run(_ arguments: [String]) throws -> [UInt8] {
        let tool = try shared.withLock { shared in
            // It ends with the thread that has started it, which may be one of a pool.
            if let shared, !shared.process.hasEnded { return shared }
            let started = try ExifTool()
            shared = started
            return started
        }
        return try tool.run(arguments)
    }

    private init() throws {
        home = try TestHome()
        let (input, output) = (home.scratch.appending("input"), home.scratch.appending("output"))
        for path in [input, output] {
            guard mkfifo(path.string, 0o600) == 0 else { throw Errno(rawValue: errno) }
        }
        // Open for both directions, so that neither waits for the other's end.
        let options: FileDescriptor.OpenOptions = .closeOnExec
        commands = Descriptor(
            owning: try FileDescriptor.open(input, .readWrite, options: options))
        self.output = Descriptor(
            owning: try FileDescriptor.open(output, .readWrite, options: options))
        process = try ChildProcess(
            "sh", ["-c", "exec exiftool -stay_open True -@ - > \(output)"],
            environment: home.environment, scratch: home.scratch, input: input)
        atexit { ExifTool.removeFolder() }
    }

    private static func removeFolder() {
        shared.withLock { tool in
            if let tool { removeTree(tool.home.root) }
        }
    }

    private func run(_ arguments: [String]) throws -> [UInt8] {
        try count.withLock { count in
            count += 1
            let words = arguments + ["-echo3", "{status ${status}}", "-execute\(count)"]
            guard !words.contains(where: { $0.contains("\n") || $0.hasPrefix("#") }) else {
                throw Errno.invalidArgument
            }
            let text = Array(words.map { $0 + "\n" }.joined().utf8)
            try commands.fileDescriptor.writeAll(text)
            let end = "}\n{ready\(count)}\n"
            let bytes = try read(until: Array(end.utf8))
            // Everything before the status, which is a digit.
            let status = Array("{status 0\(end)".utf8)
            guard bytes.suffix(status.count).elementsEqual(status) else { throw Errno.ioError }
            return bytes.dropLast(status.count)
        }
    }

    private func read(until end: [UInt8]) throws -> [UInt8] {
        let deadline = ContinuousClock.now + .seconds(60)
        var bytes: [UInt8] = []
        while !bytes.suffix(end.count).elementsEqual(end) {
            try output.waitUntilReadable(until: deadline)
            bytes += try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = try output.fileDescriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
        return bytes
    }
}

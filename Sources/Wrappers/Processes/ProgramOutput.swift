// SPDX-License-Identifier: MIT

internal import CProcesses
import Files
import Glibc
package import SystemPackage

/// Runs small programs for their output.
package enum ProgramOutput {
    /// Runs a program of the system in our environment and returns what it prints.
    ///
    /// - Parameters:
    ///   - program: Its name, looked up in `PATH`.
    ///   - limit: The most bytes that it may print.
    ///   - timeout: How long it may take.
    /// - Returns: Its standard output.
    /// - Throws: `Errno`: of posix_spawn(3); `.timedOut`; `.messageTooLong` if it prints more;
    ///   `.ioError` if its exit status is not 0.
    /// - Isolation: any thread; blocks until the program has ended.
    package static func capture(
        _ program: String, _ arguments: [String], limit: Int = 64 << 10, timeout: Duration
    ) throws(Errno) -> [UInt8] {
        var ends: [CInt] = [-1, -1]
        guard pp_pipe(&ends) == 0 else { throw Errno(rawValue: errno) }
        let output = Descriptor(owning: FileDescriptor(rawValue: ends[0]))
        var input: Descriptor? = Descriptor(owning: FileDescriptor(rawValue: ends[1]))
        var child: pid_t = 0
        let error = withCStrings([program] + arguments) { argv in
            pp_spawn_printing(&child, program, argv, ends[1])
        }
        guard error == 0 else { throw Errno(rawValue: error) }
        // Closes our copy, so that the pipe ends when the program does.
        withExtendedLifetime(input) {}
        input = nil
        let deadline = ContinuousClock.now + timeout
        let result = Result { () throws(Errno) in
            let bytes = try collect(output, limit: limit, until: deadline)
            // It may have closed its output without ending.
            try waitForEnd(of: child, until: deadline)
            return bytes
        }
        guard case .success(let bytes) = result else {
            ChildProcesses.kill(child)
            return try result.get()
        }
        guard ChildProcesses.wait(for: child) else { throw .ioError }
        return bytes
    }

    private static func waitForEnd(
        of child: pid_t, until deadline: ContinuousClock.Instant
    ) throws(Errno) {
        let number = pp_open_process(child)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        let process = Descriptor(owning: FileDescriptor(rawValue: number))
        try process.waitUntilReadable(until: deadline)
    }

    private static func collect(
        _ output: Descriptor, limit: Int, until deadline: ContinuousClock.Instant
    ) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            try output.waitUntilReadable(until: deadline)
            let count = Glibc.read(output.rawValue, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Errno(rawValue: errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw .messageTooLong }
        }
    }
}

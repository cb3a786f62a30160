// SPDX-License-Identifier: MIT

import Glibc
internal import SystemPackage

/// The standard error stream, for programs that have no log.
package enum StandardError {
    /// Writes a line.
    ///
    /// A closed stream is not an error.
    package static func print(_ line: String) {
        // Nobody is left to tell.
        _ = try? FileDescriptor.standardError.writeAll("\(line)\n".utf8)
    }

    /// Discards whatever this process prints from now on; works in a sandbox.
    package static func discard() {
        close(STDERR_FILENO)
        // Opens the lowest free number; a worker's output goes nowhere.
        dup(STDOUT_FILENO)
    }
}

// SPDX-License-Identifier: MIT

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
}

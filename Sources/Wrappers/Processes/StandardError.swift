// SPDX-License-Identifier: MIT

internal import SystemPackage

/// The standard error stream, where programs without a log report.
package enum StandardError {
    /// Writes a line; a stream that is closed is not an error.
    package static func print(_ line: String) {
        _ = try? FileDescriptor.standardError.writeAll("\(line)\n".utf8)
    }
}

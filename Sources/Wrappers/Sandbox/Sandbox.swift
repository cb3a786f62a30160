// SPDX-License-Identifier: MIT

internal import CSandbox

/// The sandbox of a process that reads what strangers have made: no files, no other process, limited
/// memory, and no network unless that is its work.
package enum Sandbox {
    /// The step that failed.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The limits of a process.
    package struct Limits: Sendable {
        /// The most memory of its own, and the largest memory file, in bytes.
        package let memory: Int
        /// The most address space in bytes: more than that, because it includes the codecs'
        /// libraries and memory that threads only reserve.
        package let addressSpace: Int

        package init(memory: Int, addressSpace: Int) {
            self.memory = memory
            self.addressSpace = addressSpace
        }
    }

    private static let openFiles = 16

    /// Gives up everything but the open descriptors, for ever.
    ///
    /// - Parameter allowsNetwork: Whether the process may still connect to other machines by TCP; it can
    ///   look up no names.
    /// - Throws: ``Failure``; the process may then be partly restricted, and should end.
    package static func enter(
        _ limits: Limits, allowsNetwork: Bool = false
    ) throws(Failure) {
        var limits = pp_sandbox_limits(
            address_space: limits.addressSpace, data: limits.memory, file_size: limits.memory,
            open_files: openFiles, allows_network: allowsNetwork ? 1 : 0)
        if let problem = pp_sandbox_enter(&limits) {
            throw Failure(description: String(cString: problem))
        }
    }
}

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

    /// What a process may still do besides.
    package enum Exception: Sendable {
        /// It may connect to other machines by TCP; it can look up no names.
        case network
        /// It may open the video devices that there are now, and goes on as a client of PipeWire.
        case cameras

        /// The most descriptors; PipeWire sends some for each buffer.
        fileprivate var openFiles: Int {
            switch self {
            case .network: Sandbox.openFiles
            case .cameras: 256
            }
        }
    }

    private static let openFiles = 16

    /// Gives up everything but the open descriptors, for ever.
    ///
    /// - Parameter exception: What the process may do nevertheless.
    /// - Throws: ``Failure``; the process may then be partly restricted, and should end.
    package static func enter(
        _ limits: Limits, except exception: Exception? = nil
    ) throws(Failure) {
        var limits = pp_sandbox_limits(
            address_space: limits.addressSpace, data: limits.memory, file_size: limits.memory,
            open_files: exception?.openFiles ?? openFiles,
            allows_network: exception == .network ? 1 : 0,
            allows_cameras: exception == .cameras ? 1 : 0)
        if let problem = pp_sandbox_enter(&limits) {
            throw Failure(description: String(cString: problem))
        }
    }
    /// Gives up all files but those of the system, which can be read, and the video devices.
    ///
    /// For a program that must load libraries and start threads before it enters the sandbox: the threads
    /// that it starts afterwards keep these limits. A kernel that cannot do it is not an error.
    ///
    /// - Throws: ``Failure``.
    package static func restrictFiles() throws(Failure) {
        if let problem = pp_sandbox_restrict_files() {
            throw Failure(description: String(cString: problem))
        }
    }
}

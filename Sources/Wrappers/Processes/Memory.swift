// SPDX-License-Identifier: MIT

internal import CProcesses

/// The memory of this process.
package enum ProcessMemory {
    /// Gives memory that the allocator holds but nobody uses back to the system.
    ///
    /// Worth calling once a large piece of work is over, for example a scan; never in a loop.
    ///
    /// - Source: malloc_trim(3).
    package static func trim() {
        pp_trim_memory()
    }
}

// SPDX-License-Identifier: MIT

internal import CProcesses

/// The memory of this process.
package enum ProcessMemory {
    /// Returns unused memory of the allocator to the system.
    ///
    /// Call it after a large piece of work such as a scan, never in a loop.
    ///
    /// - Source: malloc_trim(3).
    package static func trim() {
        pp_trim_memory()
    }
}

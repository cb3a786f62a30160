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

    /// Makes the allocator return every large block to the system as soon as it is freed.
    ///
    /// Otherwise glibc begins to keep large blocks after the first one that is freed, up to twice
    /// its size for each heap, and threads have heaps whose end ``trim()`` does not return. A peer
    /// that sends a few large messages would leave us as large as they were.
    ///
    /// - Source: mallopt(3), `M_MMAP_THRESHOLD`.
    package static func returnLargeBlocks() {
        pp_map_large_blocks(256 << 10)
    }
}

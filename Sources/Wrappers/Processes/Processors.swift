// SPDX-License-Identifier: MIT

internal import CProcesses

/// The processors of this machine.
package enum Processors {
    /// The number of processors that this process may use, 1 or more.
    ///
    /// - Source: sched_getaffinity(2).
    package static var availableCount: Int {
        max(Int(pp_count_processors()), 1)
    }
}

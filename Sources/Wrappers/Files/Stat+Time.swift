// SPDX-License-Identifier: MIT

import Glibc
package import SystemPackage

/// The clock that the times of files come from.
package enum FileClock {
    /// Now, in nanoseconds since 1970.
    package static var now: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
    }

    /// Now, in whole seconds since 1970.
    package static var nowInSeconds: Int64 { now / 1_000_000_000 }
}

extension timespec {
    /// The nearest time that 64 bits hold: file systems know times before 1677 and after 2262.
    fileprivate var nanoseconds: Int64 {
        let (whole, isTooLarge) = Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        guard !isTooLarge else { return tv_sec < 0 ? .min : .max }
        let (sum, isBeyond) = whole.addingReportingOverflow(Int64(tv_nsec))
        return isBeyond ? .max : sum
    }
}

extension Stat {
    /// When the file was last changed, in whole seconds since 1970 as in `st_mtime`.
    package var modifiedSeconds: Int64 { Int64(st_mtim.tv_sec) }

    /// When the file was last changed, in nanoseconds since 1970.
    package var modifiedNanoseconds: Int64 { st_mtim.nanoseconds }

    /// When the file or its status was last changed, in nanoseconds since 1970.
    package var changedNanoseconds: Int64 { st_ctim.nanoseconds }
}

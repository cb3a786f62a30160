// SPDX-License-Identifier: MIT

import Glibc

/// The number of descriptors that this process may have open.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard limit.
    ///
    /// The soft limit is usually 1024, for the sake of programs that call select(2). libsystemd ends
    /// the connection to the bus if a message with descriptors exceeds it.
    ///
    /// - Returns: The new limit; nil if it cannot be raised.
    @discardableResult
    package static func raise() -> UInt? {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        limit.rlim_cur = limit.rlim_max
        guard setrlimit(resource, &limit) == 0 else { return nil }
        return UInt(limit.rlim_cur)
    }
}

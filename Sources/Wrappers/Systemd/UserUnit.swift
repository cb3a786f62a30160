// SPDX-License-Identifier: MIT

internal import CSystemd
import Glibc

/// The systemd unit that a process of a person's session belongs to.
package enum UserUnit {
    /// The name of the unit; nil if the process belongs to none.
    ///
    /// - Source: sd_pid_get_user_unit(3).
    package static func name(ofProcess processID: Int32) -> String? {
        var name: UnsafeMutablePointer<CChar>?
        guard sd_pid_get_user_unit(processID, &name) >= 0, let name else { return nil }
        defer { free(name) }
        return String(cString: name)
    }
}

// SPDX-License-Identifier: MIT

package import Files
import Glibc
package import SystemPackage

extension Descriptor {
    /// Waits until there is something to read or the other end is closed.
    ///
    /// - Throws: `Errno`: `.timedOut`, or one of poll(2).
    package func waitUntilReadable(until deadline: ContinuousClock.Instant) throws(Errno) {
        var request = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
        while true {
            let left = (deadline - .now).milliseconds
            let ready = poll(&request, 1, CInt(clamping: max(left, 0)))
            if ready > 0 { return }
            if ready == 0 { throw .timedOut }
            guard errno == EINTR else { throw Errno(rawValue: errno) }
        }
    }

    /// Whether the process behind this pidfd has ended.
    ///
    /// - Source: pidfd_open(2): readable when the process has terminated.
    package var hasProcessEnded: Bool {
        var request = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) != 0
    }
}

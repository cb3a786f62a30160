// SPDX-License-Identifier: MIT

internal import CProcesses
package import Files
import Glibc
package import SystemPackage

extension Descriptor {
    /// Waits until there is data to read or the other end is closed.
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

    /// Opens a pidfd.
    ///
    /// - Throws: `Errno` of pidfd_open(2), `.noSuchProcess` if the process has ended.
    package static func openProcess(_ processID: Int32) throws(Errno) -> Descriptor {
        let number = pp_open_process(processID)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        return Descriptor(owning: FileDescriptor(rawValue: number))
    }

    /// Whether the process behind this pidfd has ended.
    ///
    /// - Source: pidfd_open(2): readable when the process has terminated.
    package var hasProcessEnded: Bool {
        var request = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) != 0
    }
}

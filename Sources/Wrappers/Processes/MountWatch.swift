// SPDX-License-Identifier: MIT

internal import Files
internal import Glibc
package import SystemPackage

/// Tells when file systems are mounted or unmounted, which inotify(7) does not.
///
/// - Source: proc_pid_mounts(5): poll(2) tells changes as priority events and errors.
package final class MountWatch: Sendable {
    /// Has an element after one or more changes; for one reader.
    package let changes: AsyncStream<Void>

    /// Closed to end the thread.
    private let end: Descriptor

    /// Begins to watch, on a thread of its own.
    ///
    /// - Throws: `Errno`, for example because there is no procfs.
    package init() throws(Errno) {
        let table = try Descriptor.openForReading("/proc/self/mountinfo")
        let (ended, end) = try withErrno {
            let pipe = try FileDescriptor.pipe()
            return (Descriptor(owning: pipe.readEnd), Descriptor(owning: pipe.writeEnd))
        }
        self.end = end
        let (changes, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        DedicatedThread.start(named: "mounts") {
            var waits = [
                pollfd(fd: table.rawValue, events: Int16(POLLPRI), revents: 0),
                pollfd(fd: ended.rawValue, events: Int16(POLLIN), revents: 0),
            ]
            while waits[1].revents == 0 {
                let count = poll(&waits, nfds_t(waits.count), -1)
                guard count > 0 || errno == EINTR else { break }
                if count > 0, waits[0].revents != 0 { continuation.yield() }
            }
            continuation.finish()
        }
    }
}

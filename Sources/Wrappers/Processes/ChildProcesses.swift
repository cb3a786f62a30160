// SPDX-License-Identifier: MIT

internal import CProcesses
import Files
import Glibc
import Synchronization
import SystemPackage

/// Waits for processes that were killed.
///
/// A process that is in a call to a disk which does not answer ends only when the disk does, even
/// after SIGKILL.
enum ChildProcesses {
    private static let abandoned = Mutex(0)

    /// The processes that were killed and have not ended.
    static var abandonedCount: Int { abandoned.withLock { $0 } }

    /// Ends a child at once, and waits for that as long as it takes a process that is not stuck.
    ///
    /// - Returns: Whether it had already ended by itself and without an error.
    @discardableResult
    static func kill(_ child: pid_t) -> Bool {
        Glibc.kill(child, SIGKILL)
        guard hasEnded(child, within: .milliseconds(500)) else {
            abandon(child)
            return false
        }
        return wait(for: child)
    }

    /// Removes a child from the system's table once it has ended.
    ///
    /// - Returns: Whether its exit status was 0.
    @discardableResult
    static func wait(for child: pid_t) -> Bool {
        var status: CInt = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return pp_exited_normally(status) != 0
    }

    /// Waits until a child has ended; true if that cannot be determined.
    private static func hasEnded(_ child: pid_t, within limit: Duration) -> Bool {
        let number = pp_open_process(child)
        guard number >= 0 else { return true }
        let process = Descriptor(owning: FileDescriptor(rawValue: number))
        do {
            try process.waitUntilReadable(until: .now + limit)
            return true
        } catch {
            return error != .timedOut
        }
    }

    /// Leaves a killed child to a thread that waits for it.
    private static func abandon(_ child: pid_t) {
        abandoned.withLock { $0 += 1 }
        DedicatedThread.start(named: "reaper") {
            wait(for: child)
            abandoned.withLock { $0 -= 1 }
        }
    }
}

// SPDX-License-Identifier: MIT

internal import CProcesses
import Files
import Glibc
import SystemPackage

/// Waits for processes that were killed.
///
/// A process that is in a call to a disk which does not answer ends only when the disk does, even
/// after SIGKILL.
enum ChildProcesses {
    /// Ends a child at once, and waits for that as long as it takes a process that is not stuck.
    ///
    /// - Parameter whenGone: Called once the child has ended, however late.
    /// - Returns: Whether it had already ended by itself and without an error.
    @discardableResult
    static func kill(
        _ child: pid_t, whenGone: @escaping @Sendable () -> Void = {}
    ) -> Bool {
        Glibc.kill(child, SIGKILL)
        guard hasEnded(child, within: .milliseconds(500)) else {
            // A thread waits for it, so whoever starts processes has to limit how many can be stuck.
            DedicatedThread.start(named: "reaper") {
                wait(for: child)
                whenGone()
            }
            return false
        }
        defer { whenGone() }
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
}

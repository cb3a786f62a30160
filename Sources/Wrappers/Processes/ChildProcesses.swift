// SPDX-License-Identifier: MIT

internal import CProcesses
import Files
import Glibc
import SystemPackage

/// Waits for processes that were killed.
///
/// A process that is waiting for a disk ends only when the disk answers, even after SIGKILL.
enum ChildProcesses {
    /// Kills a child and waits for it, for as long as a process takes that is not stuck.
    ///
    /// - Parameter whenGone: Called once the child has ended, however late.
    /// - Returns: Whether it had already ended by itself and without an error.
    @discardableResult
    static func kill(
        _ child: pid_t, whenGone: @escaping @Sendable () -> Void = {}
    ) -> Bool {
        Glibc.kill(child, SIGKILL)
        guard hasEnded(child, within: .milliseconds(500)) else {
            // Each stuck process costs a thread, so callers must limit how many they start.
            DedicatedThread.start(named: "reaper") {
                wait(for: child)
                whenGone()
            }
            return false
        }
        defer { whenGone() }
        return wait(for: child)
    }

    /// Reaps a child that has ended.
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

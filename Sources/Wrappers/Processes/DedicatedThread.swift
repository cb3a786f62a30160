// SPDX-License-Identifier: MIT

internal import CProcesses
import Glibc

/// Threads for work that blocks: event loops in C, or waiting for other processes.
package enum DedicatedThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a thread, which ends when `body` returns.
    ///
    /// Traps if the system cannot start a thread.
    ///
    /// - Parameters:
    ///   - name: The name in a debugger, truncated to 15 bytes.
    ///   - body: The work of the thread.
    package static func start(named name: String, _ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(body)).toOpaque()
        let error = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        precondition(error == 0, "the system has no more threads")
        pp_name_thread(thread, String(decoding: name.utf8.prefix(15), as: UTF8.self))
        pthread_detach(thread)
    }
}

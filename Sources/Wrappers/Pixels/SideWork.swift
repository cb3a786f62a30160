// SPDX-License-Identifier: MIT

import Glibc

/// Work on a thread of its own, while the caller goes on.
///
/// The thread has always ended when this is released. Where there can be none, the work is done at once:
/// a decoder may be at its limit, so nothing traps here.
///
/// - Isolation: used by one thread.
final class SideWork {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Nil if it has ended.
    private var thread: pthread_t?

    /// Begins the work.
    init(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(body))
        let error = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        if error == 0 {
            self.thread = thread
        } else {
            context.takeRetainedValue().run()
        }
    }

    deinit { finish() }

    /// Waits for the work to end.
    func finish() {
        guard let thread else { return }
        pthread_join(thread, nil)
        self.thread = nil
    }
}

// SPDX-License-Identifier: MIT

internal import CGtk
import Glibc
import Processes
import Synchronization

/// A thread that runs GLib's default main context and, between its events, Swift jobs.
///
/// - Source: g_main_loop_run(), g_source_attach().
final class MainContextThread: SerialExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
        var isScheduled = false
    }

    private let queue = Mutex(Queue())
    private let thread = Atomic<UInt>(0)

    /// Starts the thread, which lives as long as the process.
    init(name: String) {
        DedicatedThread.start(named: name) { self.run() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustSchedule = queue.withLock { queue in
            queue.jobs.append(job)
            defer { queue.isScheduled = true }
            return !queue.isScheduled
        }
        guard mustSchedule else { return }
        // The priority of input events: GTK draws at a lower one, after the jobs.
        g_idle_add_full(
            G_PRIORITY_DEFAULT,
            { context in
                guard let context else { return 0 }
                Unmanaged<MainContextThread>.fromOpaque(context).takeUnretainedValue().runJobs()
                return 0
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    /// Resumes a task when no event waits to be handled.
    func resumeAfterEvents(_ continuation: CheckedContinuation<Void, Never>) {
        // Before GTK draws: a window that is always being drawn would never get there.
        g_idle_add_full(
            G_PRIORITY_DEFAULT + 1,
            { context in
                guard let context else { return 0 }
                Unmanaged<Resumption>.fromOpaque(context).takeRetainedValue().continuation.resume()
                return 0
            }, Unmanaged.passRetained(Resumption(continuation)).toOpaque(), nil)
    }

    private final class Resumption {
        let continuation: CheckedContinuation<Void, Never>

        init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
    }

    func isIsolatingCurrentContext() -> Bool? {
        thread.load(ordering: .relaxed) == UInt(pthread_self())
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the UI thread")
    }

    private func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        g_main_loop_run(g_main_loop_new(nil, 0))
    }

    /// Runs the jobs enqueued so far.
    ///
    /// Jobs that they enqueue wait for the next iteration.
    private func runJobs() {
        let jobs = queue.withLock { queue in
            defer { queue = Queue() }
            return queue.jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}

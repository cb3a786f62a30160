// SPDX-License-Identifier: MIT

internal import CSDBus
import Glibc
import Processes
import Synchronization

/// A thread that runs one `sd_event` loop and, between its events, Swift jobs.
///
/// A job that is enqueued from another thread wakes the loop through an eventfd, whose source
/// has a higher priority than those of the buses: a flood of messages does not starve replies.
///
/// - Source: sd-event(3), sd_event_set_watchdog(3), eventfd(2).
final class EventLoopThread: SerialExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
        var isAwake = false
    }

    /// The loop. Only code on this thread may touch it.
    // Sound: written once before the thread starts; the executor confines every use.
    nonisolated(unsafe) let event: OpaquePointer
    private let wakeUp: CInt
    private let queue = Mutex(Queue())
    private let thread = Atomic<UInt>(0)

    /// Starts the thread; it lives as long as the process.
    ///
    /// - Parameter name: What a debugger shows; cut at 15 bytes.
    init(name: String) {
        var event: OpaquePointer?
        let made = sd_event_new(&event)
        wakeUp = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard made >= 0, let event, wakeUp >= 0 else {
            preconditionFailure("a process without descriptors or memory cannot start")
        }
        self.event = event
        var source: OpaquePointer?
        let installed = sd_event_add_io(
            event, &source, wakeUp, UInt32(EPOLLIN.rawValue),
            { _, _, _, context in
                Unmanaged<EventLoopThread>.borrow(context)?.runJobs()
                return 0
            }, Unmanaged.passRetained(self).toOpaque())
        precondition(installed >= 0, "sd_event_add_io on a fresh eventfd")
        sd_event_source_set_priority(source, Int64(SD_EVENT_PRIORITY_IMPORTANT))
        DedicatedThread.start(named: name) { self.run() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustWake = queue.withLock { queue in
            queue.jobs.append(job)
            defer { queue.isAwake = true }
            return !queue.isAwake
        }
        if mustWake { eventfd_write(wakeUp, 1) }
    }

    func isIsolatingCurrentContext() -> Bool? {
        thread.load(ordering: .relaxed) == UInt(pthread_self())
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the event loop's thread")
    }

    private func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        // Where the service manager asks for it, each turn of the loop is a sign of life.
        sd_event_set_watchdog(event, 1)
        sd_event_loop(event)
    }

    /// Runs what was enqueued so far; what those jobs enqueue waits for the next turn.
    private func runJobs() {
        var count: eventfd_t = 0
        eventfd_read(wakeUp, &count)
        let jobs = queue.withLock { queue in
            defer { queue = Queue() }
            return queue.jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}

extension Unmanaged {
    /// The object behind the context pointer of a C callback, which owns no reference.
    static func borrow(_ context: UnsafeMutableRawPointer?) -> Instance? {
        context.map { fromOpaque($0).takeUnretainedValue() }
    }
}

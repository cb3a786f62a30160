// SPDX-License-Identifier: MIT

internal import CSDBus
import Glibc
import Processes
import Synchronization
import SystemPackage

/// A thread that runs an `sd_event` loop and, between its events, Swift jobs.
///
/// A job that another thread enqueues wakes the loop through an eventfd, whose source has a higher
/// priority than those of the buses, so that a flood of messages cannot delay replies.
///
/// - Source: sd-event(3), sd_event_set_watchdog(3), eventfd(2).
final class EventLoopThread: SerialExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
        var isAwake = false
    }

    /// The loop. Only code on this thread may touch it.
    // Sound: written once before the thread starts, and used only by the executor's jobs.
    nonisolated(unsafe) let event: OpaquePointer
    private let wakeUp: CInt
    private let queue = Mutex(Queue())
    private let thread = Atomic<UInt>(0)

    /// Starts the thread; it lives as long as the process.
    ///
    /// - Parameter name: The name for debuggers, truncated to 15 bytes.
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
        // If the service manager runs a watchdog, each iteration of the loop notifies it.
        sd_event_set_watchdog(event, 1)
        let result = sd_event_loop(event)
        // Nobody ends the loop. Without it the program can do nothing, and would do that for ever;
        // the service manager starts it again.
        StandardError.print("The event loop has ended: \(Errno(rawValue: -result))")
        _exit(EXIT_FAILURE)
    }

    /// How often new jobs are run before the loop has its turn, which notifies the watchdog.
    private static let rounds = 16

    /// Runs the jobs that are enqueued now, and those that they enqueue, for a limited number of
    /// rounds.
    private func runJobs() {
        var count: eventfd_t = 0
        eventfd_read(wakeUp, &count)
        for _ in 0..<Self.rounds {
            let jobs = queue.withLock { queue in
                defer { queue.jobs = [] }
                queue.isAwake = !queue.jobs.isEmpty
                return queue.jobs
            }
            guard !jobs.isEmpty else { return }
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
        eventfd_write(wakeUp, 1)
    }
}

extension Unmanaged {
    /// The object behind the context pointer of a C callback, which holds no reference to it.
    static func borrow(_ context: UnsafeMutableRawPointer?) -> Instance? {
        context.map { fromOpaque($0).takeUnretainedValue() }
    }
}

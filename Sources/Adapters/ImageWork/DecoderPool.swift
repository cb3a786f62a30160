// SPDX-License-Identifier: MIT

import Dispatch
package import Files
package import Photos
import Processes
import Synchronization
package import SystemPackage

/// Decoder processes, and the queue of work for them.
///
/// Each worker is a thread that talks to one process. It takes the most urgent job, waits at most
/// ``timeout`` for the reply, and replaces a process that has died or hangs. A worker without work
/// ends its process after a while. A process that has done a lot of work is replaced, so that
/// neither memory that its libraries leak nor damage caused by a hostile file lasts.
package final class DecoderPool: Sendable {
    /// How urgent a job is.
    package enum Priority: Int, CaseIterable, Sendable {
        /// The person is looking at the place where the result will appear.
        case visible = 0
        case background = 1
    }

    /// How much work a process may do before it is replaced.
    package struct Lifetime: Sendable {
        package let jobs: Int
        /// The most bytes of files.
        package let bytes: Int64

        package init(jobs: Int = 1000, bytes: Int64 = 8 << 30) {
            self.jobs = jobs
            self.bytes = bytes
        }
    }

    private let program: FilePath
    private let maximumWorkers: Int
    private let timeout: Duration
    private let idleTime: DispatchTimeInterval
    private let lifetime: Lifetime
    private let queue = Mutex(DecoderQueue())
    private let available = DispatchSemaphore(value: 0)
    private let ticketNumbers = Atomic<UInt64>(0)

    /// The factor by which the timeout grows for a job that encodes a picture several times.
    private static let patience = 6
    /// The time limit for the start of a process, which loads libraries.
    private static let startTimeout = Duration.seconds(20)

    /// Makes a pool; processes start with the first jobs.
    ///
    /// - Parameters:
    ///   - program: The decoder.
    ///   - workers: The most processes at a time.
    ///   - timeout: The time limit for one job; six times as long for making a derived file.
    ///   - idleTime: A process ends after this many seconds without work.
    ///   - lifetime: How much work a process may do before it is replaced.
    package init(
        program: FilePath, workers: Int, timeout: Duration = .seconds(5), idleTime: Int = 10,
        lifetime: Lifetime = Lifetime()
    ) {
        self.program = program
        maximumWorkers = max(workers, 1)
        self.timeout = timeout
        self.idleTime = .seconds(idleTime)
        self.lifetime = lifetime
    }

    /// Has a decoder do a job.
    ///
    /// Cancelling the task removes a waiting job from the queue. A job that is in progress is
    /// finished and its result discarded.
    ///
    /// - Parameters:
    ///   - priority: Visible jobs come before background jobs of any client.
    ///   - client: Clients with equally urgent jobs take turns.
    /// - Throws: ``DecodeError``, `.cancelled` if the task or the pool was cancelled.
    package func run<Job: DecoderJob>(
        _ job: Job, on file: Descriptor, priority: Priority, client: String = ""
    ) async throws(DecodeError) -> Job.Reply {
        try await run(job, on: file, urgency: Urgency(priority), client: client)
    }

    /// Has a decoder do a job that may become more urgent while it waits.
    package func run<Job: DecoderJob>(
        _ job: Job, on file: Descriptor, urgency: Urgency, client: String = ""
    ) async throws(DecodeError) -> Job.Reply {
        let number = ticketNumbers.wrappingAdd(1, ordering: .relaxed).newValue
        let result: Result<Job.Reply, DecodeError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ticket = DecoderTicket(job, file, urgency, client, continuation)
                guard !Task.isCancelled, enqueue(ticket, number) else {
                    return ticket.fail(.cancelled)
                }
                // The task was cancelled before the job was in the queue, so the handler found
                // nothing to remove.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
        return try result.get()
    }

    /// Gives jobs the visible priority: those that are waiting, and those that will be added.
    package func hurry(_ urgency: Urgency) {
        queue.withLock { queue in
            if urgency.raise() { queue.move(urgency) }
        }
    }

    /// The media types that the decoders on this machine support; empty if no decoder can be
    /// started.
    package func supportedTypes() async -> [MediaType] {
        do {
            let file = try MemoryFile.make(named: "empty", holding: [0])
            return try await run(.supportedTypes, on: file, priority: .visible).types
        } catch {
            // Nothing can be decoded without a decoder, and every job reports the reason.
            return []
        }
    }

    /// Ends all processes; waiting jobs fail with `.cancelled`.
    package func close() {
        let (tickets, workers) = queue.withLock { ($0.close(), $0.startedWorkers) }
        for ticket in tickets { ticket.fail(.cancelled) }
        for _ in 0..<workers { available.signal() }
    }

    /// The number of jobs that wait for a worker.
    package var waitingCount: Int { queue.withLock { $0.tickets.count } }

    // MARK: - Queue

    private func enqueue(_ ticket: DecoderTicket, _ number: UInt64) -> Bool {
        let mustStart: Bool? = queue.withLock { queue in
            guard queue.add(ticket, number) else { return nil }
            // An idle worker may already have been signalled for another waiting job.
            guard queue.tickets.count > queue.idleWorkers,
                queue.startedWorkers < maximumWorkers
            else { return false }
            queue.startedWorkers += 1
            return true
        }
        guard let mustStart else { return false }
        available.signal()
        if mustStart { startWorker() }
        return true
    }

    private func cancel(_ number: UInt64) {
        queue.withLock { $0.remove(number) }?.fail(.cancelled)
    }

    // MARK: - Workers

    private func startWorker() {
        DedicatedThread.start(named: "decoder") { [self] in
            var process: DecoderProcess?
            while let ticket = waitForWork() {
                work(on: ticket, with: &process)
            }
            process?.end()
        }
    }

    /// Waits for a job; nil when the worker should end.
    private func waitForWork() -> DecoderTicket? {
        queue.withLock { $0.idleWorkers += 1 }
        while true {
            let isSignalled = available.wait(timeout: .now() + idleTime) == .success
            // One critical section, so that no job relies on an idle worker that is already busy or
            // gone.
            let next: Next = queue.withLock { queue in
                if let ticket = queue.popFirst() {
                    queue.idleWorkers -= 1
                    return .work(ticket)
                }
                // A job may have arrived between the timeout and this lock; its signal is then
                // still pending.
                guard queue.isClosed || (!isSignalled && queue.tickets.isEmpty) else {
                    return .wait
                }
                queue.idleWorkers -= 1
                queue.startedWorkers -= 1
                return .leave
            }
            switch next {
            case .work(let ticket): return ticket
            case .wait: continue
            case .leave: return nil
            }
        }
    }

    private enum Next {
        case work(DecoderTicket)
        case wait
        case leave
    }

    /// Does a job.
    ///
    /// If the process dies, the job is tried once more in a new process, because the death may have
    /// another cause, such as a lack of memory.
    private func work(on ticket: DecoderTicket, with idle: inout DecoderProcess?) {
        let timeout = ticket.isLong ? timeout * Self.patience : timeout
        for attempt in 1...2 {
            if idle == nil { idle = DecoderProcess.start(program, within: Self.startTimeout) }
            // A process that never began says nothing about the file.
            guard var process = idle.take() else { return ticket.fail(.unavailable) }
            switch process.answer(ticket, within: timeout) {
            case .reply(let resumption):
                if process.isUsable(lifetime) { idle = consume process } else { process.end() }
                return ticket.finish(resumption)
            case .garbage:
                process.end()
                return ticket.fail(.garbage)
            case .timedOut:
                process.end()
                return ticket.fail(.timedOut)
            case .lost:
                process.end()
                if attempt == 2 { ticket.fail(.crashed) }
            }
        }
    }
}

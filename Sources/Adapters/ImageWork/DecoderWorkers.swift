// SPDX-License-Identifier: MIT

import Dispatch
import Files
import Processes
import Synchronization
import SystemPackage

/// The decoder processes of one program, and the queue of work for them.
///
/// Each worker is a thread that talks to one process at a time. It takes the most urgent job, waits at
/// most ``timeout`` for the reply, and replaces a process that has died or hangs. A worker without work
/// ends its processes after a while. A process that has done a lot of work is replaced, so that
/// neither memory that its libraries leak nor damage caused by a hostile file lasts.
final class DecoderWorkers: Sendable {
    private let template: DecoderTemplate
    private let maximumWorkers: Int
    private let timeout: Duration
    private let idleTime: DispatchTimeInterval
    private let lifetime: DecoderPool.Lifetime
    private let queue = Mutex(DecoderQueue())
    private let available = DispatchSemaphore(value: 0)
    private let ticketNumbers = Atomic<UInt64>(0)
    private let stuck = StuckDecoders()

    /// The factor by which the timeout grows for a job that encodes a picture several times.
    private static let patience = 6
    /// The shortest time limit for the start of a process.
    private static let startTimeout = Duration.seconds(20)

    /// See ``DecoderPool/init(program:videos:workers:timeout:idleTime:lifetime:collection:)``.
    init(
        program: FilePath, workers: Int, timeout: Duration, idleTime: Int,
        lifetime: DecoderPool.Lifetime
    ) {
        template = DecoderTemplate(program, timeout: max(timeout, Self.startTimeout))
        maximumWorkers = max(workers, 1)
        self.timeout = timeout
        self.idleTime = .seconds(idleTime)
        self.lifetime = lifetime
    }

    /// Has a process do a job.
    ///
    /// - Parameters:
    ///   - place: The process that it needs.
    func run<Job: DecoderJob>(
        _ job: Job, on file: Descriptor, urgency: Urgency, client: String,
        place: DecoderTicket.Place
    ) async throws(DecodeError) -> Job.Reply {
        let results = await run(job, onEach: [(file, place)], urgency: urgency, client: client)
        guard let result = results.first else { throw .cancelled }
        return try result.get()
    }

    /// Has processes do the same job on several files, and resumes the caller once.
    ///
    /// - Parameters:
    ///   - files: With the processes that they need.
    /// - Returns: A result for each file.
    func run<Job: DecoderJob>(
        _ job: Job, onEach files: [(file: Descriptor, place: DecoderTicket.Place)],
        urgency: Urgency, client: String
    ) async -> [Result<Job.Reply, DecodeError>] {
        guard !files.isEmpty else { return [] }
        let count = UInt64(files.count)
        let first = ticketNumbers.wrappingAdd(count, ordering: .relaxed).oldValue
        let numbers = (0..<count).map { first &+ $0 }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let results = DecoderResults(files.count, continuation)
                for (index, (file, place)) in files.enumerated() {
                    let ticket = DecoderTicket(job, file, urgency, client, place) {
                        results.note($0, at: index)
                    }
                    guard !Task.isCancelled, enqueue(ticket, numbers[index]) else {
                        ticket.fail(.cancelled)
                        continue
                    }
                    // The task was cancelled before the job was in the queue, so the handler found
                    // nothing to remove.
                    if Task.isCancelled { cancel(numbers[index]) }
                }
            }
        } onCancel: {
            for number in numbers { cancel(number) }
        }
    }

    /// Gives the waiting jobs of a group their place according to its priority, which has risen.
    func move(_ urgency: Urgency) {
        queue.withLock { $0.move(urgency) }
    }

    /// Ends all processes; waiting jobs fail with `.cancelled`.
    func close() {
        let (tickets, workers) = queue.withLock { ($0.close(), $0.startedWorkers) }
        for ticket in tickets { ticket.fail(.cancelled) }
        for _ in 0..<workers { available.signal() }
    }

    var waitingCount: Int { queue.withLock { $0.tickets.count } }

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
            var idle = IdleProcesses()
            while let ticket = waitForWork() {
                work(on: ticket, with: &idle)
            }
            idle.end()
            if queue.withLock({ $0.startedWorkers == 0 }) { template.end() }
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
    private func work(on ticket: DecoderTicket, with idle: inout IdleProcesses) {
        let timeout = ticket.isLong ? timeout * Self.patience : timeout
        for attempt in 1...2 {
            guard !stuck.isDiskGivenUp(of: ticket.file) else { return ticket.fail(.stalled) }
            // A process that never began says nothing about the file.
            guard var process = take(for: ticket, from: &idle) ?? template.start() else {
                return ticket.fail(.unavailable)
            }
            switch process.answer(ticket, within: timeout) {
            case .reply(let resumption):
                keep(process, for: ticket, in: &idle)
                return ticket.finish(resumption)
            case .garbage:
                process.end()
                return ticket.fail(.garbage)
            case .timedOut(let hasWorked):
                stuck.end(process, of: ticket.file)
                return ticket.fail(hasWorked ? .timedOut : .stalled)
            case .lost:
                process.end()
                if attempt == 2 { ticket.fail(.crashed) }
            }
        }
    }

    private func take(
        for ticket: DecoderTicket, from idle: inout IdleProcesses
    ) -> DecoderProcess? {
        switch ticket.place {
        case .origin(let origin): idle.take(origin)
        case .reserved(let place): place.take()
        }
    }

    private func keep(
        _ process: consuming DecoderProcess, for ticket: DecoderTicket,
        in idle: inout IdleProcesses
    ) {
        guard process.isUsable(lifetime) else { return process.end() }
        switch ticket.place {
        case .origin(let origin): idle.keep(process, origin)
        case .reserved(let place): place.keep(process)
        }
    }
}

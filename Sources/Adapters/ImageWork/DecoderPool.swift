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

    /// A job that is waiting or in progress.
    private final class Ticket: Sendable {
        /// Gives the caller the result.
        typealias Resumption = @Sendable () -> Void

        /// The job as a packet.
        let packet: [UInt8]
        let isLong: Bool
        let file: Descriptor
        let urgency: Urgency
        let client: String
        private let resumption: @Sendable (WorkerProcess.Packet) -> Resumption?
        private let failure: @Sendable (DecodeError) -> Resumption
        private let isFinished = Atomic(false)

        init<Job: DecoderJob>(
            _ job: Job, _ file: Descriptor, _ urgency: Urgency, _ client: String,
            _ continuation: CheckedContinuation<Result<Job.Reply, DecodeError>, Never>
        ) {
            packet = DecoderProtocol.encode(job)
            isLong = Job.isLong
            self.file = file
            self.urgency = urgency
            self.client = client
            resumption = { packet in
                do throws(PacketError) {
                    let result = try DecoderProtocol.decodeReply(
                        Job.Reply.self, packet.bytes, packet.descriptors)
                    return { continuation.resume(returning: result) }
                } catch {
                    // Whatever is wrong with the packet, the process cannot be trusted.
                    return nil
                }
            }
            failure = { error in { continuation.resume(returning: .failure(error)) } }
        }

        /// A closure that gives the caller the reply in a packet; nil if the packet is not a reply.
        func resumption(with packet: WorkerProcess.Packet) -> Resumption? {
            resumption(packet)
        }

        func resumption(failing error: DecodeError) -> Resumption {
            failure(error)
        }

        /// Resumes the caller; does nothing after the first time.
        func finish(_ resume: Resumption) {
            if !isFinished.exchange(true, ordering: .acquiringAndReleasing) { resume() }
        }

        func fail(_ error: DecodeError) {
            finish(failure(error))
        }
    }

    /// A process, and how much work it has done.
    private struct Worker: ~Copyable {
        let process: WorkerProcess
        var jobs = 0
        var bytes: Int64 = 0

        init(_ process: consuming WorkerProcess) {
            self.process = process
        }

        consuming func end() {
            process.end()
        }
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

    private struct Queue {
        var waiting: [FairQueue<String, UInt64>] = Priority.allCases.map { _ in FairQueue() }
        var tickets: [UInt64: Ticket] = [:]
        var isClosed = false
        var startedWorkers = 0
        var idleWorkers = 0

        /// Adds a job to the queue of its current priority.
        mutating func wait(for ticket: Ticket, _ number: UInt64) {
            waiting[ticket.urgency.priority.rawValue].append(number, of: ticket.client)
        }

        /// Removes and returns the most urgent job; skips cancelled jobs, which are no longer in
        /// `tickets`.
        mutating func popFirst() -> Ticket? {
            for priority in waiting.indices {
                while let number = waiting[priority].popFirst() {
                    if let ticket = tickets.removeValue(forKey: number) { return ticket }
                }
            }
            return nil
        }
    }

    private let program: FilePath
    private let maximumWorkers: Int
    private let timeout: Duration
    private let idleTime: DispatchTimeInterval
    private let lifetime: Lifetime
    private let queue = Mutex(Queue())
    private let available = DispatchSemaphore(value: 0)
    private let ticketNumbers = Atomic<UInt64>(0)

    /// The factor by which the timeout grows for a job that encodes a picture several times.
    private static let patience = 6

    /// Makes a pool; processes start with the first jobs.
    ///
    /// - Parameters:
    ///   - program: The decoder.
    ///   - workers: The most processes at a time.
    /// - timeout: The time limit for one job; six times as long for making a derived file.
    /// - idleTime: A process ends after this many seconds without work.
    /// - lifetime: How much work a process may do before it is replaced.
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
    /// - priority: Visible jobs come before background jobs of any client.
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
                let ticket = Ticket(job, file, urgency, client, continuation)
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
            guard urgency.raise() else { return }
            for (number, ticket) in queue.tickets where ticket.urgency === urgency {
                // The copy in the old queue is skipped, because it has no ticket.
                queue.wait(for: ticket, number)
            }
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
        let (tickets, workers) = queue.withLock { queue in
            queue.isClosed = true
            defer { queue.tickets = [:] }
            return (queue.tickets.values.map { $0 }, queue.startedWorkers)
        }
        for ticket in tickets { ticket.fail(.cancelled) }
        for _ in 0..<workers { available.signal() }
    }

    /// The number of jobs that wait for a worker.
    package var waitingCount: Int { queue.withLock { $0.tickets.count } }

    // MARK: - Queue

    private func enqueue(_ ticket: Ticket, _ number: UInt64) -> Bool {
        let mustStart: Bool? = queue.withLock { queue in
            guard !queue.isClosed else { return nil }
            queue.tickets[number] = ticket
            queue.wait(for: ticket, number)
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
        let ticket = queue.withLock { $0.tickets.removeValue(forKey: number) }
        ticket?.fail(.cancelled)
    }

    // MARK: - Workers

    private func startWorker() {
        DedicatedThread.start(named: "decoder") { [self] in
            var worker: Worker?
            while let ticket = waitForWork() {
                work(on: ticket, with: &worker)
            }
            worker?.end()
        }
    }

    /// Waits for a job; nil when the worker should end.
    private func waitForWork() -> Ticket? {
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
        case work(Ticket)
        case wait
        case leave
    }

    /// Does a job.
    ///
    /// If the process dies, the job is tried once more in a new process, because the death may have
    /// another cause, such as a lack of memory.
    private func work(on ticket: Ticket, with worker: inout Worker?) {
        for attempt in 1...2 {
            switch attemptWork(on: ticket, with: &worker) {
            case .done(let resumption): return ticket.finish(resumption)
            case .died where attempt == 1: continue
            case .died: return ticket.fail(.crashed)
            }
        }
    }

    private enum Attempt {
        case done(Ticket.Resumption)
        case died
    }

    private func attemptWork(on ticket: Ticket, with idle: inout Worker?) -> Attempt {
        if idle == nil {
            do {
                idle = Worker(try WorkerProcess(path: program))
            } catch {
                return .done(ticket.resumption(failing: .unavailable))
            }
        }
        guard let worker = idle.take() else {
            return .done(ticket.resumption(failing: .unavailable))
        }
        do {
            try worker.process.send(
                ticket.packet, descriptors: [ticket.file])
            let reception = try worker.process.receive(
                capacity: DecoderProtocol.packetSize,
                timeout: ticket.isLong ? timeout * Self.patience : timeout)
            switch reception {
            case .packet(let packet):
                guard let resumption = ticket.resumption(with: packet) else {
                    worker.end()
                    return .done(ticket.resumption(failing: .garbage))
                }
                idle = retired(worker, after: ticket)
                return .done(resumption)
            case .timedOut:
                worker.end()
                return .done(ticket.resumption(failing: .timedOut))
            case .ended:
                worker.end()
                return .died
            }
        } catch {
            worker.end()
            return .died
        }
    }

    /// Returns the worker after one more job; nil if that was its last one.
    private func retired(_ worker: consuming Worker, after ticket: Ticket) -> Worker? {
        var worker = worker
        // A file of unknown size still counts as a job.
        let size = (try? ticket.file.information().size) ?? 0
        worker.jobs += 1
        worker.bytes = worker.bytes.addingReportingOverflow(max(size, 0)).partialValue
        guard worker.jobs < lifetime.jobs, (0..<lifetime.bytes).contains(worker.bytes) else {
            worker.end()
            return nil
        }
        return worker
    }
}

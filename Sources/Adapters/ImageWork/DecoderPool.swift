// SPDX-License-Identifier: MIT

import Dispatch
package import Files
package import Photos
import Processes
import Synchronization
package import SystemPackage

/// Decoder processes, and the queue of work for them.
///
/// Each worker is a thread of ours that talks to one process: it takes the most urgent job,
/// waits for the reply for at most ``timeout``, and replaces a process that died or hangs. A worker
/// without work lets its process go after a while, and one that did much work is replaced, so that
/// neither what its libraries leave behind nor what a file made of it lasts.
package final class DecoderPool: Sendable {
    /// How urgent a job is.
    package enum Priority: Int, CaseIterable, Sendable {
        /// Somebody looks at the place where it will appear.
        case visible = 0
        case background = 1
    }

    /// A job that waits or is worked on.
    private final class Ticket: Sendable {
        /// Hands its result to the caller.
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
                    // Every such packet means the same: the process cannot be trusted.
                    return nil
                }
            }
            failure = { error in { continuation.resume(returning: .failure(error)) } }
        }

        /// How the caller gets the reply in a packet; nil if the packet is not a reply.
        func resumption(with packet: WorkerProcess.Packet) -> Resumption? {
            resumption(packet)
        }

        func resumption(failing error: DecodeError) -> Resumption {
            failure(error)
        }

        /// Resumes the caller, the first time.
        func finish(_ resume: Resumption) {
            if !isFinished.exchange(true, ordering: .acquiringAndReleasing) { resume() }
        }

        func fail(_ error: DecodeError) {
            finish(failure(error))
        }
    }

    /// A process, and how much it has done.
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

    /// After how much work a process is replaced.
    package struct Lifetime: Sendable {
        package let jobs: Int
        /// Of the files that it was given.
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

        /// Puts a job into the line that it belongs into now.
        mutating func wait(for ticket: Ticket, _ number: UInt64) {
            waiting[ticket.urgency.priority.rawValue].append(number, of: ticket.client)
        }

        /// The most urgent job; those that were cancelled are gone from `tickets`.
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

    /// How much longer a job may take that encodes a picture several times.
    private static let patience = 6

    /// Makes a pool; processes start with the first jobs.
    ///
    /// - Parameters:
    ///   - program: The decoder.
    ///   - workers: The most processes at a time.
    ///   - timeout: How long one job may take; making a file for delivery, six times as long.
    ///   - idleTime: After this many seconds without work a process ends.
    ///   - lifetime: After how much work a process is replaced.
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
    /// Cancelling the task takes the job out of the queue. A job that a decoder already works on is
    /// finished and its result dropped.
    ///
    /// - Parameters:
    ///   - priority: Visible jobs come before background jobs, whoever the client is.
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
                // Cancelled before it was in the queue: the handler found nothing to remove.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
        return try result.get()
    }

    /// Makes jobs visible ones: those that wait, and those that come.
    package func hurry(_ urgency: Urgency) {
        queue.withLock { queue in
            guard urgency.raise() else { return }
            for (number, ticket) in queue.tickets where ticket.urgency === urgency {
                // In its old line it will not be found any more.
                queue.wait(for: ticket, number)
            }
        }
    }

    /// The types that decoders on this machine can decode; none if no decoder can be started.
    package func supportedTypes() async -> [MediaType] {
        do {
            let file = try MemoryFile.make(named: "empty", holding: [0])
            return try await run(.supportedTypes, on: file, priority: .visible).types
        } catch {
            // Without a decoder nothing can be decoded, and every job says why.
            return []
        }
    }

    /// Ends all processes; jobs that wait fail as cancelled.
    package func close() {
        let (tickets, workers) = queue.withLock { queue in
            queue.isClosed = true
            defer { queue.tickets = [:] }
            return (queue.tickets.values.map { $0 }, queue.startedWorkers)
        }
        for ticket in tickets { ticket.fail(.cancelled) }
        for _ in 0..<workers { available.signal() }
    }

    /// How many jobs wait for a worker.
    package var waitingCount: Int { queue.withLock { $0.tickets.count } }

    // MARK: - Queue

    private func enqueue(_ ticket: Ticket, _ number: UInt64) -> Bool {
        let mustStart: Bool? = queue.withLock { queue in
            guard !queue.isClosed else { return nil }
            queue.tickets[number] = ticket
            queue.wait(for: ticket, number)
            // An idle one may have been signalled already, for a job that waits beside this.
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
            // In one go: a job that counts on an idle worker must not count on one that is busy
            // or gone.
            let next: Next = queue.withLock { queue in
                if let ticket = queue.popFirst() {
                    queue.idleWorkers -= 1
                    return .work(ticket)
                }
                // A job may have come between the time-out and this lock; then its signal waits.
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
    /// A process that dies by itself gets one successor: it may have been killed for want of
    /// memory, or by hand.
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

    /// The worker after one more job; nil when that was its last one.
    private func retired(_ worker: consuming Worker, after ticket: Ticket) -> Worker? {
        var worker = worker
        // A file whose size is unknown counts as a job all the same.
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

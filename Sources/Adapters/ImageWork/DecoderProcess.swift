// SPDX-License-Identifier: MIT

import Files
import Processes
import SystemPackage

/// A decoder process, and how much work it has done.
///
/// It has one owner, and is used by one thread at a time.
struct DecoderProcess: ~Copyable, Sendable {
    /// The reaction of a process to a job.
    enum Answer {
        case reply(DecoderTicket.Resumption)
        /// The packet is not a reply to the job, or the reply cannot be true.
        case garbage
        /// The process ended, or sent a packet that nobody asked for. Another process may do the
        /// job.
        case lost
        /// There was no reply in time.
        ///
        /// - Parameter hasWorked: Whether the process worked all the time that it may, rather than wait for
        ///   something or for a processor.
        case timedOut(hasWorked: Bool)
    }

    /// A process that has worked, or been ready to, for less than this part of the time has waited
    /// for something.
    private static let leastWork = 8
    /// How many times its limit a process may take at most, however busy the machine is.
    private static let mostPatience = 64

    private let process: WorkerProcess
    private var jobs = 0
    private var bytes: Int64 = 0

    /// Takes a process that has greeted us.
    init(_ process: consuming WorkerProcess) {
        self.process = process
    }

    /// Has the process do a job, and waits for the reply.
    ///
    /// On a busy machine the process gets a part of a processor only. So it may take longer, until it
    /// has worked for as long as it would have in time.
    mutating func answer(_ ticket: DecoderTicket, within timeout: Duration) -> Answer {
        let number = UInt64.random(in: .min ... .max)
        let before = process.processorTime
        let start = ContinuousClock.now
        do throws(Errno) {
            try process.send(
                DecoderProtocol.numbered(ticket.packet, number), descriptors: [ticket.file])
            var patience = timeout
            var last: (time: ContinuousClock.Instant, readiness: Duration)?
            while true {
                let reception = try process.receive(
                    capacity: DecoderProtocol.packetSize, timeout: patience)
                switch reception {
                case .timedOut:
                    let work = process.processorTime - before
                    // Nine tenths, because the clocks do not tick at the same moment.
                    guard work < timeout * 9 / 10 else { return .timedOut(hasWorked: true) }
                    patience = max(timeout - work, timeout / 10)
                    let now = ContinuousClock.now
                    let elapsed = start.duration(to: now)
                    guard elapsed < timeout * Self.mostPatience else {
                        return .timedOut(hasWorked: false)
                    }
                    guard work < elapsed / Self.leastWork else { continue }
                    // What it waits for tells the next moment: a processor, or a disk.
                    let readiness = work + process.processorWait
                    if let last {
                        let growth = readiness - last.readiness
                        // A thread that has ended, which takes its share away, has worked.
                        let hasWaited =
                            growth >= .zero
                            && growth < last.time.duration(to: now) / Self.leastWork
                        guard !hasWaited else { return .timedOut(hasWorked: false) }
                    }
                    last = (now, readiness)
                    patience = timeout / 10
                case .ended: return .lost
                case .packet(let packet): return answer(packet, to: ticket, number)
                }
            }
        } catch {
            return .lost
        }
    }

    private mutating func answer(
        _ packet: WorkerProcess.Packet, to ticket: DecoderTicket, _ number: UInt64
    ) -> Answer {
        // A reply to an earlier job, or to one that the process only guessed.
        guard let bytes = DecoderProtocol.content(of: packet.bytes, number) else { return .lost }
        guard let resumption = ticket.resumption(with: bytes, packet.descriptors) else {
            return .garbage
        }
        count(ticket.file)
        return .reply(resumption)
    }

    private mutating func count(_ file: Descriptor) {
        // A file of unknown size still counts as a job.
        let size = file.knownFacts?.byteCount ?? 0
        jobs += 1
        bytes = bytes.addingReportingOverflow(max(size, 0)).partialValue
    }

    /// Whether the process may do another job.
    func isUsable(_ lifetime: DecoderPool.Lifetime) -> Bool {
        jobs < lifetime.jobs && (0..<lifetime.bytes).contains(bytes)
    }

    /// Ends the process; see ``Processes/WorkerProcess/end(whenGone:)``.
    consuming func end(whenGone: @escaping @Sendable () -> Void = {}) {
        process.end(whenGone: whenGone)
    }

    /// Ends the process without waiting for it.
    consuming func endElsewhere() {
        process.endElsewhere()
    }
}

/// The idle processes of one worker.
struct IdleProcesses: ~Copyable {
    private var collection: DecoderProcess?
    private var elsewhere: DecoderProcess?

    mutating func take(_ origin: FileOrigin) -> DecoderProcess? {
        switch origin {
        case .collection: collection.take()
        case .elsewhere: elsewhere.take()
        }
    }

    mutating func keep(_ process: consuming DecoderProcess, _ origin: FileOrigin) {
        switch origin {
        case .collection: collection = consume process
        case .elsewhere: elsewhere = consume process
        }
    }

    mutating func end() {
        collection.take()?.end()
        elsewhere.take()?.end()
    }
}

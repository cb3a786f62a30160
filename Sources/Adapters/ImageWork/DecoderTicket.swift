// SPDX-License-Identifier: MIT

import Files
import Synchronization

/// A job that is waiting or in progress, and its caller.
final class DecoderTicket: Sendable {
    /// The process that a job needs.
    enum Place: Sendable {
        /// Any that has seen only files of the same origin.
        case origin(FileOrigin)
        /// The one in this place, or a new one, which is then kept there.
        case reserved(ReservedProcess)
    }

    /// Gives the caller the result.
    typealias Resumption = @Sendable () -> Void

    /// The job as a packet.
    let packet: [UInt8]
    let isLong: Bool
    let file: Descriptor
    let urgency: Urgency
    let client: String
    let place: Place
    private let resumption: @Sendable ([UInt8], [Descriptor]) -> Resumption?
    private let failure: @Sendable (DecodeError) -> Resumption
    private let isFinished = Atomic(false)

    /// - Parameter completion: Called once, by any thread.
    init<Job: DecoderJob>(
        _ job: Job, _ file: Descriptor, _ urgency: Urgency, _ client: String,
        _ place: Place,
        _ completion: @escaping @Sendable (Result<Job.Reply, DecodeError>) -> Void
    ) {
        packet = DecoderProtocol.encode(job)
        isLong = Job.isLong
        self.file = file
        self.urgency = urgency
        self.client = client
        self.place = place
        resumption = { bytes, descriptors in
            do throws(PacketError) {
                let result = try DecoderProtocol.decodeReply(
                    Job.Reply.self, bytes, descriptors)
                if case .success(let reply) = result, !job.accepts(reply, of: file) { return nil }
                return { completion(result) }
            } catch {
                // Whatever is wrong with the packet, the process cannot be trusted.
                return nil
            }
        }
        failure = { error in { completion(.failure(error)) } }
    }

    /// A closure that gives the caller the reply in a packet; nil if the packet is not a reply to
    /// this job, or the reply cannot be true.
    func resumption(with bytes: [UInt8], _ descriptors: [Descriptor]) -> Resumption? {
        resumption(bytes, descriptors)
    }

    /// Reports the result; does nothing after the first time.
    func finish(_ resume: Resumption) {
        if !isFinished.exchange(true, ordering: .acquiringAndReleasing) { resume() }
    }

    func fail(_ error: DecodeError) {
        finish(failure(error))
    }
}

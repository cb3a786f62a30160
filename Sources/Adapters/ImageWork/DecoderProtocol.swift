// SPDX-License-Identifier: MIT

package import Files
import Photos

/// The packets for jobs and replies.
///
/// Both ends always come from the same build.
package enum DecoderProtocol {
    /// The largest packet in bytes, in either direction.
    package static let packetSize = 65_536

    /// The first packet of a decoder, which says that it is in its sandbox and of our version.
    package static let greeting = Array("photo-portal-decoder \(ProgramVersion.current)".utf8)

    /// The first byte of a reply.
    private enum ReplyCode: UInt8 {
        case done = 1
        case failed = 2
    }

    // MARK: - Numbers

    /// Returns a packet with a job or reply and the job's number in front.
    ///
    /// The number is random, so that a packet that was sent too early or too often is not taken for
    /// the reply to another job.
    package static func numbered(_ content: [UInt8], _ number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) } + content
    }

    /// Returns the reply in a packet; nil if it has another number.
    static func content(of packet: [UInt8], _ number: UInt64) -> [UInt8]? {
        let (own, content) = split(packet) ?? (0, [])
        return own == number && !content.isEmpty ? content : nil
    }

    /// Returns the number and the content of a packet; nil if it is too short.
    package static func split(_ packet: [UInt8]) -> (number: UInt64, content: [UInt8])? {
        ByteReader(packet, order: .littleEndian).uint64(at: 0).map { number in
            (number, Array(packet.dropFirst(8)))
        }
    }

    // MARK: - For callers

    /// Returns a job as a packet.
    package static func encode(_ job: some DecoderJob) -> [UInt8] {
        var writer = PacketWriter()
        writer.write(type(of: job).code.rawValue)
        job.write(to: &writer)
        return writer.bytes
    }

    /// Reads the reply to a job.
    ///
    /// - Throws: ``PacketError`` if the packet is not a reply to such a job, or is incomplete.
    package static func decodeReply<Reply: DecoderReply>(
        _ type: Reply.Type, _ packet: [UInt8], _ descriptors: [Descriptor]
    ) throws(PacketError) -> Result<Reply, DecodeError> {
        var reader = PacketReader(packet, descriptors)
        let result: Result<Reply, DecodeError>
        switch ReplyCode(rawValue: try reader.uint8()) {
        case .done: result = .success(try Reply(from: &reader))
        case .failed:
            guard let error = DecodeError(rawValue: try reader.uint8()) else {
                throw PacketError(.value)
            }
            result = .failure(error)
        case nil: throw PacketError(.kind)
        }
        guard reader.isAtEnd else { throw PacketError(.tooLong) }
        return result
    }

    // MARK: - For decoders

    /// Reads a job of one kind.
    package static func decodeJob<Job: DecoderJob>(
        _ type: Job.Type, _ packet: [UInt8]
    ) throws(PacketError) -> Job {
        var reader = PacketReader(packet)
        guard try reader.uint8() == Job.code.rawValue else { throw PacketError(.kind) }
        let job = try Job(from: &reader)
        guard reader.isAtEnd else { throw PacketError(.tooLong) }
        return job
    }

    /// Returns a reply as a packet, and the descriptors that go with it.
    package static func encode(
        _ result: Result<some DecoderReply, DecodeError>
    ) -> ([UInt8], [Descriptor]) {
        var writer = PacketWriter()
        switch result {
        case .success(let reply):
            writer.write(ReplyCode.done.rawValue)
            reply.write(to: &writer)
        case .failure(let error):
            writer.write(ReplyCode.failed.rawValue)
            writer.write(error.rawValue)
        }
        return (writer.bytes, writer.descriptors)
    }

    /// Does the job in a packet and returns the packet with the reply.
    package static func answer(
        _ packet: [UInt8], on file: Descriptor?, by performer: some JobPerformer
    ) -> ([UInt8], [Descriptor]) {
        func answer<Job: DecoderJob>(
            _ perform: (Job, Descriptor) throws -> Job.Reply
        ) -> ([UInt8], [Descriptor]) {
            let result: Result<Job.Reply, DecodeError>
            do {
                guard let file else { throw PacketError(.missing) }
                let reply = try perform(try decodeJob(Job.self, packet), file)
                result = performer.takeReadFailure() ? .failure(.unreadable) : .success(reply)
            } catch is PacketError {
                result = .failure(.garbage)
            } catch {
                let failure = performer.failure(of: error)
                result = .failure(performer.takeReadFailure() ? .unreadable : failure)
            }
            return encode(result)
        }
        switch packet.first.flatMap(JobCode.init(rawValue:)) {
        case .probe: return answer { (job: ProbeJob, file) in try performer.perform(job, on: file) }
        case .sidecar:
            return answer { (job: SidecarJob, file) in try performer.perform(job, on: file) }
        case .pixels:
            return answer { (job: PixelsJob, file) in try performer.perform(job, on: file) }
        case .frame:
            return answer { (job: FrameJob, file) in try performer.perform(job, on: file) }
        case .thumbnail:
            return answer { (job: ThumbnailJob, file) in try performer.perform(job, on: file) }
        case .readThumbnail:
            return answer { (job: ReadThumbnailJob, file) in try performer.perform(job, on: file) }
        case .failureMark:
            return answer { (job: FailureMarkJob, file) in try performer.perform(job, on: file) }
        case .supportedTypes:
            return answer { (job: SupportedTypesJob, file) in try performer.perform(job, on: file) }
        case .derive:
            return answer { (job: DeriveJob, file) in try performer.perform(job, on: file) }
        case .readClaim:
            return answer { (job: ReadClaimJob, file) in try performer.perform(job, on: file) }
        case .adoptThumbnail:
            return answer { (job: AdoptThumbnailJob, file) in try performer.perform(job, on: file) }
        case nil: return encode(Result<CacheEntry, DecodeError>.failure(.garbage))
        }
    }
}

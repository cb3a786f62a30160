// SPDX-License-Identifier: MIT

package import Files
import Photos

/// Decodes the frame of a video or an animation that is shown at a time, upright and to fit a square.
///
/// Only a process of `photo-portal-video` does it, and only for the first file that it gets such a job
/// for, which it keeps open to go on with the next frame; see ``FramePlayer``.
package struct FrameJob: DecoderJob {
    package typealias Reply = MovingFrame

    package static let code = JobCode.frame

    /// In microseconds from the first frame, 0…``latestTime``.
    package let time: Int64
    /// The longest side of the result in pixels.
    package let side: Int

    /// No video is longer than a hundred years.
    package static let latestTime: Int64 = 1 << 52

    package func write(to writer: inout PacketWriter) {
        writer.write(UInt64(bitPattern: time))
        writer.write(UInt32(clamping: side))
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        let time = try reader.int64()
        guard (0...Self.latestTime).contains(time) else { throw PacketError(.value) }
        self.init(at: time, side: try reader.side())
    }

    init(at time: Int64, side: Int) {
        self.time = time
        self.side = side
    }

    package func accepts(_ reply: MovingFrame, of file: Descriptor) -> Bool {
        reply.picture.size.fits(in: side) && reply.start <= time
            && (time < reply.end || reply.isLast)
    }
}

extension DecoderJob where Self == FrameJob {
    package static func frame(at time: Int64, side: Int) -> Self { FrameJob(at: time, side: side) }
}

/// A frame of a video or an animation.
package struct MovingFrame: Sendable {
    package let picture: RawPicture
    /// When it is shown, in microseconds from the first frame, 0 or more.
    package let start: Int64
    /// When the next one takes its place; later than the start.
    package let end: Int64
    /// Whether it is the last one; the video ends with it.
    package let isLast: Bool
    /// How often the whole is to be shown; nil for ever.
    package let rounds: Int?

    package init(picture: RawPicture, start: Int64, end: Int64, isLast: Bool, rounds: Int?) {
        self.picture = picture
        self.start = start
        self.end = end
        self.isLast = isLast
        self.rounds = rounds
    }
}

extension MovingFrame: DecoderReply {
    package func write(to writer: inout PacketWriter) {
        picture.write(to: &writer)
        writer.write(UInt64(bitPattern: start))
        writer.write(UInt64(bitPattern: end))
        writer.write(isLast)
        writer.write(UInt32(clamping: rounds ?? 0))
    }

    package init(from reader: inout PacketReader) throws(PacketError) {
        let picture = try RawPicture(from: &reader)
        let start = try reader.int64()
        let end = try reader.int64()
        // The last one may last a little longer.
        guard 0 <= start, start < end, end <= FrameJob.latestTime * 2 else {
            throw PacketError(.value)
        }
        let isLast = try reader.bool()
        let rounds = Int(try reader.uint32())
        self.init(
            picture: picture, start: start, end: end, isLast: isLast,
            rounds: rounds > 0 ? rounds : nil)
    }
}

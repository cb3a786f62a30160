// SPDX-License-Identifier: MIT

internal import CVideo
package import Files
import Photos
package import Pixels

/// The frames of a video, a GIF, an animated PNG, or a sequence of pictures.
package final class VideoPlayer: MovingPicture {
    private let video: VideoFile
    private let player: OpaquePointer
    private let orientation: Orientation
    package let rounds: Int?

    /// Reads the header, and prepares to play.
    ///
    /// - Parameter file: An open file; its position changes.
    /// - Throws: ``Pixels/PixelError``: `.unsupported` if nothing in it moves, or it has no decoder.
    package init(_ file: Descriptor) throws(PixelError) {
        video = try VideoFile(moving: file)
        orientation = video.facts.orientation
        rounds = try AnimationRounds.count(in: file)
        player = try video.makePlayer()
    }

    deinit {
        // The video it belongs to is closed later.
        pp_video_player_free(player)
    }

    package func frame(at time: Int64, fitting side: Int) throws(PixelError) -> MovingBitmap {
        var frame = pp_video_frame()
        var times = pp_video_times()
        try VideoFile.check(
            pp_video_show(player, max(time, 0), UInt32(clamping: side), &frame, &times))
        defer { pp_video_release(&frame) }
        return MovingBitmap(
            bitmap: Bitmap(copying: frame).upright(from: orientation), start: times.start,
            end: times.end, isLast: times.is_last != 0)
    }
}

/// Opens a file of any kind that moves.
package enum MovingPictures {
    /// - Parameter file: An open file; its position changes.
    /// - Throws: ``Pixels/PixelError``: `.unsupported` if nothing in it moves, or it has no decoder; an error
    ///   of the file if it cannot be read.
    package static func open(_ file: Descriptor) throws -> any MovingPicture {
        // The decoder of videos shows no WebP that moves.
        if MediaType.sniffed(from: try FileBytes(file).start) == .webp {
            return try WebPPlayer(file)
        }
        return try VideoPlayer(file)
    }
}

extension Bitmap {
    /// Copies a frame.
    init(copying frame: pp_video_frame) {
        let size = PixelSize(width: Int(frame.width), height: Int(frame.height))
        let format: Format = frame.channels == 4 ? .rgba : .rgb
        self.init(
            size: size, format: format,
            bytes: Array(
                UnsafeBufferPointer(
                    start: frame.pixels, count: size.width * size.height * format.bytesPerPixel)))
    }
}

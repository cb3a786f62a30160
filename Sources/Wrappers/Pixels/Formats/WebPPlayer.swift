// SPDX-License-Identifier: MIT

internal import CCodecs
package import Files
import Photos

/// The frames of an animated WebP, by libwebp.
package final class WebPPlayer: MovingPicture {
    private let player: OpaquePointer
    package let rounds: Int?

    /// Reads the whole file.
    ///
    /// - Throws: ``PixelError``, `.unsupported` if it is not animated.
    package init(_ file: Descriptor) throws(PixelError) {
        var player: OpaquePointer?
        try check(pp_webp_play(file.rawValue, &player))
        guard let player else { throw .damaged }
        self.player = player
        let count = Int(pp_webp_rounds(player))
        rounds = count > 0 ? count : nil
    }

    deinit {
        pp_webp_player_free(player)
    }

    package func frame(at time: Int64, fitting side: Int) throws(PixelError) -> MovingBitmap {
        var frame = pp_moving_frame()
        try check(pp_webp_show(player, max(time, 0) / 1000, &frame))
        let size = PixelSize(width: Int(frame.width), height: Int(frame.height))
        let bytes = Array(
            UnsafeBufferPointer(start: frame.pixels, count: size.width * size.height * 4))
        return MovingBitmap(
            bitmap: Bitmap(size: size, format: .rgba, bytes: bytes).scaled(
                to: size.fitted(in: side)),
            start: frame.start * 1000, end: frame.end * 1000, isLast: frame.is_last != 0)
    }
}

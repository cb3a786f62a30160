// SPDX-License-Identifier: MIT

/// A frame of a video or an animation, and when it is shown.
package struct MovingBitmap: Sendable {
    /// Upright.
    package let bitmap: Bitmap
    /// In microseconds from the first frame.
    package let start: Int64
    /// Later than the start.
    package let end: Int64
    package let isLast: Bool

    package init(bitmap: Bitmap, start: Int64, end: Int64, isLast: Bool) {
        self.bitmap = bitmap
        self.start = start
        self.end = end
        self.isLast = isLast
    }
}

/// The frames of an open video or animation, one after another.
///
/// - Isolation: one thread at a time.
package protocol MovingPicture: AnyObject {
    /// How often the whole is to be shown; nil for ever.
    var rounds: Int? { get }

    /// Decodes the frame that is shown at a time, or the last one if it ends before.
    ///
    /// What follows the frame before is found soon; to go back, or far ahead, may take longer.
    ///
    /// - Parameters:
    ///   - time: In microseconds from the first frame, 0 or more.
    ///   - side: The longest allowed side in pixels; the frame is never enlarged.
    /// - Isolation: blocks until the frame is decoded.
    func frame(at time: Int64, fitting side: Int) throws(PixelError) -> MovingBitmap
}

// SPDX-License-Identifier: MIT

import Files

/// A decoder process that plays one video or animation.
///
/// It starts with the first frame, sees no other file, and ends together with this object; one that is
/// at work ends when that is done, or its time is over. A process that dies is replaced once for each frame.
package final class FramePlayer: Sendable {
    private let file: Descriptor
    private let workers: DecoderWorkers
    private let process = ReservedProcess()

    init(_ file: Descriptor, _ workers: DecoderWorkers) {
        self.file = file
        self.workers = workers
    }

    /// Decodes the frame that is shown at a time; the last one if the video ends before.
    ///
    /// Times that rise slowly are quick. Ask for one frame at a time.
    ///
    /// - Parameters:
    ///   - time: In microseconds from the first frame.
    ///   - side: The longest side of the frame in pixels, 1…``RawPicture/maximumSide``.
    /// - Throws: ``DecodeError``, `.cancelled` if the task was cancelled while it waited.
    package func frame(at time: Int64, fitting side: Int) async throws(DecodeError) -> MovingFrame {
        let time = min(max(time, 0), FrameJob.latestTime)
        return try await workers.run(
            FrameJob(at: time, side: side), on: file, urgency: Urgency(.visible), client: "",
            place: .reserved(process))
    }
}

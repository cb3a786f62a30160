// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Photos
import SystemPackage

extension ThumbnailLoader {
    /// Makes a thumbnail of a file, or of a frame when the file is a video.
    func decode<Job: DecoderJob>(
        _ job: Job, _ source: ThumbnailSource, _ size: ThumbnailSize, _ urgency: Urgency,
        _ client: String
    ) async throws(DecodeError) -> Job.Reply {
        do throws(DecodeError) {
            return try await decoders.run(job, on: source.file, urgency: urgency, client: client)
        } catch {
            // A file that cannot be read any more counts as no video, so the decoder's error is
            // reported.
            guard error == .unsupported, let head = try? source.file.read(upTo: 4096),
                let type = MediaType.sniffed(from: head), type.isVideo
            else { throw error }
            let frame = try await videos.frame(of: source.path, type, side: size.pixels)
            return try await decoders.run(job, on: frame, urgency: urgency, client: client)
        }
    }
}

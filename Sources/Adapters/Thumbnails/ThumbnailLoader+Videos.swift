// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Photos
import SystemPackage

extension ThumbnailLoader {
    /// Makes a thumbnail of a file, or of a frame when the file is a video.
    func decode(
        _ job: DecoderJob, _ source: ThumbnailSource, _ size: ThumbnailSize, _ urgency: Urgency,
        _ client: String
    ) async -> DecoderReply {
        let reply = await decoders.run(job, on: source.file, urgency: urgency, client: client)
        // A file that cannot be read any more is no video, and the decoder's reply stands.
        guard case .failed(.unsupported) = reply, let head = try? source.file.read(upTo: 4096),
            let type = MediaType.sniffed(from: head), type.isVideo
        else { return reply }
        do {
            let frame = try await videos.frame(of: source.path, type, side: size.pixels)
            return await decoders.run(job, on: frame, urgency: urgency, client: client)
        } catch {
            return .failed(error)
        }
    }
}

// SPDX-License-Identifier: MIT

import ImageWork
import Photos
import Platform
import SystemPackage

extension ThumbnailLoader {
    /// Makes a thumbnail of a file, or of a frame of it when it is a video.
    func make(
        _ job: DecoderJob, of file: Descriptor, at path: FilePath, _ size: ThumbnailSize,
        priority: DecoderPool.Priority, client: String = ""
    ) async -> DecoderReply {
        let reply = await decoders.run(job, on: file, priority: priority, client: client)
        guard case .failed(.unsupported) = reply, let head = try? file.read(upTo: 4096),
            let type = MediaType.sniffed(from: head), type.isVideo
        else { return reply }
        do {
            let frame = try await videos.frame(of: path, type, side: size.pixels)
            return await decoders.run(job, on: frame, priority: priority, client: client)
        } catch {
            return .failed(error)
        }
    }
}

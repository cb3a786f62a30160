// SPDX-License-Identifier: MIT

import DecoderProgram
import Glibc
import HEIFFormats
import Sandbox
import Videos

/// Decodes frames of untrusted videos in a process that can do nothing else.
@main
enum Main {
    /// Enough for the frames that a video of four thousand columns refers to.
    private static let limits = Sandbox.Limits(memory: 768 << 20, addressSpace: 2 << 30)

    static func main() {
        exit(
            DecoderProgram.run("photo-portal-video", limits, VideoDecoder()) {
                // Sequences of pictures are HEIF or AVIF.
                HEIFFormats.install()
                VideoFile.prepare()
            })
    }
}

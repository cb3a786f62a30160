// SPDX-License-Identifier: MIT

import DecoderProgram
import Glibc
import HEIFFormats
import Pixels
import Sandbox

/// Decodes untrusted pictures in HEIF, AVIF and JPEG XL.
@main
enum Main {
    /// Those of photo-portal-decoder.
    private static let limits = Sandbox.Limits(memory: 512 << 20, addressSpace: 1 << 30)

    static func main() {
        exit(
            DecoderProgram.run("photo-portal-heif", limits, PictureDecoder()) {
                HEIFFormats.install()
                PictureFormats.prepare()
            })
    }
}

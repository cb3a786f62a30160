// SPDX-License-Identifier: MIT

import DecoderProgram
import Glibc
import Pixels
import RareFormats
import Sandbox

/// Decodes untrusted pictures whose formats need large libraries, or fonts.
@main
enum Main {
    /// Those of photo-portal-decoder; LibRaw's threads reserve more addresses.
    private static let limits = Sandbox.Limits(memory: 512 << 20, addressSpace: 2 << 30)

    static func main() {
        exit(
            DecoderProgram.run("photo-portal-rare", limits, PictureDecoder()) {
                PictureFormats.prepare()
                RareFormats.chooseFonts()
                RareFormats.install()
            } prepareWorker: {
                RareFormats.openFonts()
            })
    }
}

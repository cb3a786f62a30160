// SPDX-License-Identifier: MIT

import DecoderProgram
import Glibc
import Pixels
import Sandbox

/// Decodes untrusted pictures in a process that can do nothing else.
@main
enum Main {
    /// Enough for the largest picture that is decoded as a whole, but too little to harm the
    /// system.
    private static let limits = Sandbox.Limits(memory: 512 << 20, addressSpace: 1 << 30)

    static func main() {
        exit(
            DecoderProgram.run("photo-portal-decoder", limits, PictureDecoder()) {
                PictureFormats.prepare()
            })
    }
}

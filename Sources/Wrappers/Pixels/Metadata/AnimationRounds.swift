// SPDX-License-Identifier: MIT

package import Files
import Photos

/// How often an animation is shown.
package enum AnimationRounds {
    /// The number in a GIF or PNG file; nil for ever, which is also what HEIF sequences mean.
    ///
    /// A video is shown once.
    ///
    /// - Throws: ``PixelError/unreadable``, and `.unsupported` if nothing in the file moves.
    package static func count(in file: Descriptor) throws(PixelError) -> Int? {
        let bytes = try FileBytes(file)
        guard let type = MediaType.sniffed(from: bytes.start) else { throw .unsupported }
        switch type {
        case .gif: return GIFBlocks(Block(bytes)).rounds
        case .png: return PNGChunks(bytes).rounds
        default: return type.isVideo ? 1 : nil
        }
    }
}

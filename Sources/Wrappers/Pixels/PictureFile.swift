// SPDX-License-Identifier: MIT

package import Files
package import Photos

/// Decoding files into bitmaps.
package enum PictureFile {
    /// Decodes a picture to fit a square, upright and in sRGB.
    ///
    /// The aspect ratio is kept and the picture is never enlarged. A file that ends early gives a
    /// picture whose lower part is grey or transparent, if anything of it could be read. Of
    /// pictures that move it is the first one.
    ///
    /// - Parameters:
    ///   - file: An open file; its position is neither used nor changed.
    ///   - side: The longest allowed side, 1 or more, in pixels.
    /// - Returns: The picture, and what the header says of the file.
    /// - Throws: ``PixelError``: `.unsupported` for other types than ``Codecs/supportedTypes``,
    ///   `.tooLarge` beyond ``Photos/PixelLimits``, `.damaged` when nothing can be shown,
    ///   `.unreadable`.
    /// - Isolation: any thread; blocks for one decode.
    package static func decode(
        _ file: Descriptor, fitting side: Int, _ fidelity: Fidelity = .exact
    ) throws(PixelError) -> (Bitmap, ImageFacts) {
        let facts = try ImageFacts(reading: FileBytes(file))
        if let size = facts.storedSize, !PixelLimits.allow(size) { throw .tooLarge }
        let bitmap = try Codecs.decode(file, facts, fitting: side, fidelity)
        return (bitmap.upright(from: facts.orientation), facts)
    }
}

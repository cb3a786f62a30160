// SPDX-License-Identifier: MIT

package import Photos
package import Platform

/// Decoding files into bitmaps.
package enum Picture {
    /// The types that ``decode(_:fitting:)`` reads.
    package static let supportedTypes: [MediaType] = [.jpeg, .png]

    /// Decodes a picture to fit a square, upright.
    ///
    /// The aspect ratio is kept and the picture is never enlarged. A file that ends early gives a
    /// picture whose lower part is grey, if anything of it could be read.
    ///
    /// - Parameters:
    ///   - file: An open file; its position is neither used nor changed.
    ///   - side: The longest allowed side, 1 or more, in pixels.
    /// - Returns: The picture, and what the header says of the file.
    /// - Throws: ``PixelError``: `.unsupported` for other types, `.tooLarge` beyond
    ///   ``Photos/PixelLimits``, `.damaged` when nothing can be shown, `.unreadable`.
    /// - Isolation: any thread; blocks for one decode.
    package static func decode(
        _ file: Descriptor, fitting side: Int
    ) throws(PixelError) -> (Bitmap, ImageFacts) {
        let facts = try ImageFacts(reading: FileBytes(file))
        let bitmap =
            switch facts.mediaType {
            case .jpeg: try scaled(try JPEGRows(file, atLeast: side), to: side)
            case .png: try scaled(try PNGRows(file), to: side)
            default: throw PixelError.unsupported
            }
        return (bitmap.upright(from: facts.orientation), facts)
    }

    /// Averages rows down to the wanted size as they are decoded.
    private static func scaled(
        _ rows: consuming some RowDecoder & ~Copyable, to side: Int
    ) throws(PixelError) -> Bitmap {
        var rows = rows
        let target = rows.size.fitted(in: side)
        var scaler = AreaScaler(from: rows.size, to: target, format: rows.format)
        let row = UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: rows.size.width * rows.format.bytesPerPixel)
        defer { row.deallocate() }
        guard let start = row.baseAddress else { throw .damaged }
        var isFirst = true
        while true {
            do throws(PixelError) {
                guard try rows.read(into: start) else { break }
            } catch {
                // What came before the damage is worth showing.
                if isFirst { throw error }
                break
            }
            scaler.feed(UnsafeBufferPointer(row))
            isFirst = false
        }
        return scaler.finish()
    }
}

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

    /// Decodes all rows, averaged down to the wanted size as they come.
    private static func scaled(
        _ rows: consuming some RowDecoder & ~Copyable, to side: Int
    ) throws(PixelError) -> Bitmap {
        var rows = rows
        let size = rows.size
        let format = rows.format
        let target = size.fitted(in: side)
        guard target != size else {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(size.width * size.height * format.bytesPerPixel)
            try readAll(&rows) { bytes.append(contentsOf: $0) }
            let missing = size.width * size.height * format.bytesPerPixel - bytes.count
            bytes.append(contentsOf: repeatElement(0, count: missing))
            return Bitmap(size: size, format: format, bytes: bytes)
        }
        var scaler = AreaScaler(from: size, to: target, format: format)
        try readAll(&rows) { scaler.feed($0) }
        return scaler.finish()
    }

    /// Lends each row in turn, as far as the file is sound.
    ///
    /// - Throws: ``PixelError`` when not even the first row could be read.
    private static func readAll(
        _ rows: inout some RowDecoder & ~Copyable, _ take: (UnsafeBufferPointer<UInt8>) -> Void
    ) throws(PixelError) {
        let row = UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: rows.size.width * rows.format.bytesPerPixel)
        defer { row.deallocate() }
        guard let start = row.baseAddress else { throw .damaged }
        var count = 0
        while true {
            do throws(PixelError) {
                guard try rows.read(into: start) else { return }
            } catch {
                // What came before the damage is worth showing.
                guard count > 0 else { throw error }
                return
            }
            take(UnsafeBufferPointer(row))
            count += 1
        }
    }
}

// SPDX-License-Identifier: MIT

internal import CCodecs
import Files
import Photos

/// A file to decode, and the wanted size.
struct DecodeRequest {
    /// The file; its position is neither used nor changed.
    let file: Descriptor
    /// The same file, for our own readers.
    let bytes: FileBytes
    /// The facts from its header.
    let facts: ImageFacts
    /// The longest side of the result in pixels.
    let side: Int
    let fidelity: Fidelity

    /// The descriptor for C calls.
    var number: CInt { file.rawValue }

    /// The size to request from a codec that can scale.
    func target() throws(PixelError) -> (width: UInt32, height: UInt32) {
        guard let size = facts.storedSize else { throw .damaged }
        let target = size.fitted(in: side)
        return (UInt32(clamping: target.width), UInt32(clamping: target.height))
    }

    /// Has a codec decode the whole picture, then scales it.
    func whole(_ decode: (inout pp_picture) -> pp_status) throws(PixelError) -> Bitmap {
        try scaled(try WholePicture(decode))
    }

    /// Decodes all rows without scaling or converting them; those that are missing are zero.
    private static func all(_ rows: consuming some RowDecoder & ~Copyable) throws(PixelError)
        -> Bitmap
    {
        var rows = rows
        let size = rows.size
        let format = rows.format
        let stride = size.width * format.bytesPerPixel
        var failure: PixelError?
        let total = stride * size.height
        try PixelError.expectMemory(for: total)
        let bytes = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            guard let start = output.baseAddress else { return }
            do throws(PixelError) {
                // Rows are decoded into their place.
                while count < total, try rows.read(into: start + count) { count += stride }
            } catch {
                // The rows before the damage are worth showing.
                if count == 0 { failure = error }
            }
            (start + count).initialize(repeating: 0, count: total - count)
            count = total
        }
        if let failure { throw failure }
        return Bitmap(size: size, format: format, bytes: bytes)
    }

    /// Decodes all rows and converts them to sRGB, without scaling them.
    static func converted(_ rows: consuming some RowDecoder & ~Copyable) throws(PixelError)
        -> Bitmap
    {
        let rows = rows
        let colour = rows.colour
        return try all(rows).converted(from: colour)
    }

    /// Decodes all rows, scales them down as they arrive, and converts the result to sRGB.
    func scaled(_ rows: consuming some RowDecoder & ~Copyable) throws(PixelError) -> Bitmap {
        var rows = rows
        let size = rows.size
        let format = rows.format
        let colour = rows.colour
        let target = resultSize(from: size)
        guard target != size else { return try Self.all(rows).converted(from: colour) }
        var scaler = AreaScaler(from: size, to: target, format: format)
        try Self.readAll(&rows) { scaler.feed($0) }
        return scaler.finish().converted(from: colour)
    }

    /// The size of the result, calculated from the picture itself, not from a preview or a picture
    /// at 1/8, whose sides are rounded.
    private func resultSize(from decoded: PixelSize) -> PixelSize {
        guard let size = facts.storedSize,
            abs(size.aspectRatio / decoded.aspectRatio - 1) <= JPEGPicture.shapeTolerance
        else { return decoded.fitted(in: side) }
        let target = size.fitted(in: side)
        return PixelSize(
            width: min(target.width, decoded.width), height: min(target.height, decoded.height))
    }

    /// Passes each row to a closure, as far as the file is intact.
    ///
    /// - Throws: ``PixelError`` if not even the first row can be read.
    private static func readAll(
        _ rows: inout some RowDecoder & ~Copyable, _ take: (UnsafeBufferPointer<UInt8>) -> Void
    ) throws(PixelError) {
        let row = UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: rows.size.width * rows.format.bytesPerPixel)
        defer { row.deallocate() }
        guard let start = row.baseAddress else { throw .damaged }
        var count = 0
        // Not one more than the receiver has room for, whatever follows in the file.
        while count < rows.size.height {
            do throws(PixelError) {
                guard try rows.read(into: start) else { return }
            } catch {
                // The rows before the damage are worth showing.
                guard count > 0 else { throw error }
                return
            }
            take(UnsafeBufferPointer(row))
            count += 1
        }
    }
}

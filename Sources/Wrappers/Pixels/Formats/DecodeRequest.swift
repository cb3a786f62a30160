// SPDX-License-Identifier: MIT

internal import CCodecs
import Files
import Photos

/// What a format is asked to decode.
struct DecodeRequest {
    /// The file; its position is neither used nor changed.
    let file: Descriptor
    /// The same file, for readers of our own.
    let bytes: FileBytes
    /// What its header says.
    let facts: ImageFacts
    /// The longest side of the result in pixels.
    let side: Int
    let fidelity: Fidelity

    /// The file as C calls take it.
    var number: CInt { file.rawValue }

    /// The size to ask a codec for that scales by itself.
    func target() throws(PixelError) -> (width: UInt32, height: UInt32) {
        guard let size = facts.storedSize else { throw .damaged }
        let target = size.fitted(in: side)
        return (UInt32(clamping: target.width), UInt32(clamping: target.height))
    }

    /// Has a codec decode the whole picture, and scales it.
    func whole(_ decode: (inout pp_picture) -> pp_status) throws(PixelError) -> Bitmap {
        try scaled(try WholePicture(decode))
    }

    /// Decodes all rows, averaged down to the wanted size as they come, and in sRGB.
    func scaled(_ rows: consuming some RowDecoder & ~Copyable) throws(PixelError) -> Bitmap {
        var rows = rows
        let size = rows.size
        let format = rows.format
        let colour = rows.colour
        let target = resultSize(from: size)
        guard target != size else {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(size.width * size.height * format.bytesPerPixel)
            try Self.readAll(&rows) { bytes.append(contentsOf: $0) }
            let missing = size.width * size.height * format.bytesPerPixel - bytes.count
            bytes.append(contentsOf: repeatElement(0, count: missing))
            return Bitmap(size: size, format: format, bytes: bytes).converted(from: colour)
        }
        var scaler = AreaScaler(from: size, to: target, format: format)
        try Self.readAll(&rows) { scaler.feed($0) }
        return scaler.finish().converted(from: colour)
    }

    /// The size of the result: that of the picture itself, not of a preview or an eighth of it
    /// whose sides were rounded.
    private func resultSize(from decoded: PixelSize) -> PixelSize {
        guard let size = facts.storedSize,
            abs(size.aspectRatio / decoded.aspectRatio - 1) <= JPEGPicture.shapeTolerance
        else { return decoded.fitted(in: side) }
        let target = size.fitted(in: side)
        return PixelSize(
            width: min(target.width, decoded.width), height: min(target.height, decoded.height))
    }

    /// Lends each row in turn, as far as the file is sound.
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

// SPDX-License-Identifier: MIT

internal import CCodecs
import Files
package import Photos

/// The formats that this build reads on this machine, and the codec of each.
package enum Codecs {
    /// Loads what the codecs' libraries would load at first use.
    ///
    /// For a process that will not be able to open files any more.
    package static func prepare() {
        pp_codecs_prepare()
    }

    /// The types that ``PictureFile/decode(_:fitting:_:)`` reads.
    ///
    /// A library may be there without the codec below it, as for HEIC.
    package static var supportedTypes: [MediaType] {
        MediaType.recognized.filter { supports($0) }
    }

    private static func supports(_ type: MediaType) -> Bool {
        switch type {
        case .jpeg, .png, .gif, .webp, .jpegXL, .tiff, .svg: true
        case .heic, .heif: pp_heif_decodes_hevc() != 0
        case .avif: pp_heif_decodes_av1() != 0
        case .canonRaw2, .canonRaw3, .adobeDNG, .nikonRaw, .sonyRaw, .pentaxRaw, .olympusRaw,
            .panasonicRaw, .fujiRaw:
            true
        case .bmp: pp_pixbuf_decodes("bmp") != 0
        case .icon: pp_pixbuf_decodes("ico") != 0
        default: false
        }
    }

    /// Decodes a picture as it is stored, at a size from which `side` can be made.
    ///
    /// - Parameter facts: What the header says, of the same file.
    static func decode(
        _ file: Descriptor, _ facts: ImageFacts, fitting side: Int, _ fidelity: Fidelity
    ) throws(PixelError) -> Bitmap {
        let number = file.rawValue
        func whole(_ decode: (inout pp_picture) -> pp_status) throws(PixelError) -> Bitmap {
            try scaled(try WholePicture(decode), facts, to: side)
        }
        switch facts.mediaType {
        case .jpeg:
            if fidelity == .fast, let preview = JPEGPicture.preview(file, fitting: side),
                let bitmap = try? scaled(preview, facts, to: side)
            {
                return bitmap
            }
            return try scaled(try JPEGRows(file, atLeast: side, fidelity), facts, to: side)
        case .png:
            return try scaled(try PNGRows(file), facts, to: side)
        case .webp:
            let target = try target(facts, fitting: side)
            return try whole { pp_webp_decode(number, target.width, target.height, &$0) }
        case .heic, .heif, .avif:
            // No embedded thumbnail is large enough for an exact picture.
            let enough = fidelity == .fast ? UInt32(clamping: side) : .max
            return try whole { pp_heif_decode(number, enough, &$0) }
        case .jpegXL:
            return try whole { pp_jxl_decode(number, &$0) }
        case .gif:
            return try whole { pp_gif_decode(number, &$0) }
        case .tiff:
            return try whole { pp_tiff_decode(number, &$0) }
        case .canonRaw2, .adobeDNG, .nikonRaw, .sonyRaw, .pentaxRaw, .olympusRaw, .panasonicRaw:
            return try preview(RawFile(tiff: FileBytes(file)), of: file, facts, to: side)
        case .canonRaw3:
            return try preview(RawFile(canon: FileBytes(file)), of: file, facts, to: side)
        case .fujiRaw:
            return try preview(RawFile(fujifilm: FileBytes(file)), of: file, facts, to: side)
        case .bmp:
            return try whole { pp_pixbuf_decode(number, "bmp", &$0) }
        case .icon:
            return try whole { pp_pixbuf_decode(number, "ico", &$0) }
        case .svg:
            let target = try target(facts, fitting: side)
            return try whole { pp_svg_decode(number, target.width, target.height, &$0) }
        default: throw .unsupported
        }
    }

    /// Whether the colours of a file in one of our output formats are not those of sRGB.
    static func hasOtherColours(_ file: Descriptor, _ type: MediaType) -> Bool {
        let colour: ColourDescription?
        switch type {
        case .jpeg:
            if JPEGRows.isCMYK(file) { return true }
            colour = JPEGRows.colour(of: file)
        case .png: colour = (try? PNGRows(file))?.colour
        case .webp:
            colour = (try? WholePicture { pp_webp_decode(file.rawValue, 1, 1, &$0) })?.colour
        default: colour = nil
        }
        return colour.map { !$0.isStandard } ?? false
    }

    /// The size to ask a codec for that scales by itself.
    private static func target(
        _ facts: ImageFacts, fitting side: Int
    ) throws(PixelError) -> (width: UInt32, height: UInt32) {
        guard let size = facts.storedSize else { throw .damaged }
        let target = size.fitted(in: side)
        return (UInt32(clamping: target.width), UInt32(clamping: target.height))
    }

    /// The preview that a camera put into its raw file, which is turned like the raw data.
    private static func preview(
        _ raw: RawFile, of file: Descriptor, _ facts: ImageFacts, to side: Int
    ) throws(PixelError) -> Bitmap {
        guard let range = raw.preview(fitting: side) else { throw .unsupported }
        return try scaled(
            try JPEGRows(file, in: range, atLeast: side, .exact), facts, to: side)
    }

    /// Decodes all rows, averaged down to the wanted size as they come, and in sRGB.
    private static func scaled(
        _ rows: consuming some RowDecoder & ~Copyable, _ facts: ImageFacts, to side: Int
    ) throws(PixelError) -> Bitmap {
        var rows = rows
        let size = rows.size
        let format = rows.format
        let colour = rows.colour
        let target = self.size(of: facts, fitting: side, from: size)
        guard target != size else {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(size.width * size.height * format.bytesPerPixel)
            try readAll(&rows) { bytes.append(contentsOf: $0) }
            let missing = size.width * size.height * format.bytesPerPixel - bytes.count
            bytes.append(contentsOf: repeatElement(0, count: missing))
            return Bitmap(size: size, format: format, bytes: bytes).converted(from: colour)
        }
        var scaler = AreaScaler(from: size, to: target, format: format)
        try readAll(&rows) { scaler.feed($0) }
        return scaler.finish().converted(from: colour)
    }

    /// The size of the result: that of the picture itself, not of a preview or an eighth of it
    /// whose sides were rounded.
    private static func size(
        of facts: ImageFacts, fitting side: Int, from decoded: PixelSize
    ) -> PixelSize {
        guard let size = facts.storedSize,
            abs(size.aspectRatio / decoded.aspectRatio - 1) <= JPEGPicture.shapeTolerance
        else { return decoded.fitted(in: side) }
        let target = size.fitted(in: side)
        return PixelSize(
            width: min(target.width, decoded.width), height: min(target.height, decoded.height))
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

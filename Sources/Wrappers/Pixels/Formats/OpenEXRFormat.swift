// SPDX-License-Identifier: MIT

import Photos

/// OpenEXR, by its own library in `photo-portal-rare`.
enum OpenEXRFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.openEXR]

    static func decodes(_ type: MediaType) -> Bool { ExtraCodec.openEXR.isInstalled }

    /// - Source: OpenEXR, “OpenEXR File Layout”: the header of the first part, a list of attributes.
    static func header(of file: FileBytes) -> PictureHeader {
        var rest = Block(file).dropFirst(8)
        var header = PictureHeader(size: nil)
        for _ in 0..<maximumAttributes {
            guard let name = text(at: rest, upTo: maximumName), !name.isEmpty,
                let type = text(at: rest.dropFirst(name.utf8.count + 1), upTo: maximumName)
            else { break }
            let value = rest.dropFirst(name.utf8.count + type.utf8.count + 2)
            guard let count = value.uint32(at: 0, .littleEndian).map(Int.init) else { break }
            let content = value.dropFirst(4).prefix(count)
            switch name {
            case "displayWindow": header.size = size(content)
            case "capDate":
                let date = content.bytes(count: maximumDate)
                header.taken = CaptureDate(
                    exif: String(decoding: date, as: UTF8.self), offset: nil)
            default: break
            }
            rest = value.dropFirst(4 + count)
        }
        return header
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.extra(.openEXR)
    }

    private static let maximumAttributes = 500
    private static let maximumName = 255
    private static let maximumDate = 19

    /// The text before a zero byte; nil if it does not end.
    private static func text(at block: Block, upTo count: Int) -> String? {
        let bytes = block.bytes(count: count + 1)
        guard let end = bytes.firstIndex(of: 0) else { return nil }
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        // Replaced bytes would change the length.
        return text.utf8.count == end - bytes.startIndex ? text : nil
    }

    /// The size of a rectangle whose last row and column count.
    private static func size(_ box: Block) -> PixelSize? {
        let fields = box.reader(count: 16, .littleEndian)
        let sides = [0, 4, 8, 12].compactMap { offset in
            fields.uint32(at: offset).map { Int(Int32(bitPattern: $0)) }
        }
        guard sides.count == 4, sides[2] >= sides[0], sides[3] >= sides[1] else { return nil }
        return PixelSize(width: sides[2] - sides[0] + 1, height: sides[3] - sides[1] + 1)
    }
}

// SPDX-License-Identifier: MIT

internal import CDeflate
import Photos

/// Takes the place where a photo was taken out of its file; everything else keeps its place.
///
/// EXIF data and XMP packets are found by how they begin, wherever a format or a program put them:
/// also in the previews and second pictures that cameras append.
///
/// - Source: for XMP, XMP Specification Part 3, 1.1.1 “External scanning”.
struct LocationRemoval {
    private var editor: MetadataEditor
    private var isChanged = false

    /// The whole file without the location; nil when there is none in it.
    ///
    /// - Parameters:
    ///   - type: The type of the file.
    ///   - exif: EXIF data that was found in it by its codec.
    static func apply(
        to file: [UInt8], _ type: MediaType, exif: ArraySlice<UInt8>?
    ) -> [UInt8]? {
        var removal = LocationRemoval(editor: MetadataEditor(file))
        removal.removeEXIF(type, exif)
        removal.removeXMP()
        if type == .jpegXL { removal.removeCompressedBoxes() }
        if type == .png { removal.finishPNG() }
        return removal.isChanged ? removal.editor.bytes : nil
    }

    private init(editor: MetadataEditor) {
        self.editor = editor
    }

    /// More blocks than files have.
    private static let maximumBlocks = 1000

    private mutating func removeEXIF(_ type: MediaType, _ known: ArraySlice<UInt8>?) {
        // The file itself is a TIFF structure, or it begins like none.
        removeGPS(at: 0)
        for order in ["II*\0", "MM\0*"] {
            let beginning = Array("Exif\0\0\(order)".utf8)
            var position = 0
            for _ in 0..<Self.maximumBlocks {
                guard let found = editor.find(beginning, from: position) else { break }
                removeGPS(at: found + 6)
                position = found + beginning.count
            }
        }
        if type == .canonRaw3 { removeCanonGPS() }
        // PNG, WebP, HEIF and JPEG XL have it without a name.
        if let known, known.count > 8, let found = editor.find(Array(known.prefix(512)), from: 0) {
            removeGPS(at: found)
        }
    }

    /// Canon's boxes hold each of EXIF's directories in a structure of its own.
    ///
    /// - Source: ExifTool, `Canon::uuid`: `CMT4`.
    private mutating func removeCanonGPS() {
        for order in ["II*\0", "MM\0*"] {
            let beginning = Array("CMT4\(order)".utf8)
            var position = 0
            for _ in 0..<Self.maximumBlocks {
                guard let found = editor.find(beginning, from: position) else { break }
                if editor.removeGPSDirectory(at: found + 4) { isChanged = true }
                position = found + beginning.count
            }
        }
    }

    private mutating func removeGPS(at base: Int) {
        if editor.removeGPS(at: base) { isChanged = true }
    }

    private mutating func removeXMP() {
        var position = 0
        for _ in 0..<Self.maximumBlocks {
            guard let start = editor.find(Array("<rdf:RDF".utf8), from: position) else { return }
            let end =
                editor.find(Array("</rdf:RDF>".utf8), from: start) ?? editor.bytes.count
            if editor.removeXMPLocation(in: start..<end) { isChanged = true }
            position = max(end, start + 1)
        }
    }

    /// Makes free space of JPEG XL's metadata that is compressed: it cannot be looked through.
    ///
    /// - Source: ISO/IEC 18181-2, 9.8 (`brob`); ISO/IEC 14496-12, 8.1.2 (`free`).
    private mutating func removeCompressedBoxes() {
        for name in ["brobExif", "brobxml "] {
            guard let found = editor.find(Array(name.utf8), from: 0) else { continue }
            editor.replace(at: found, with: Array("free".utf8))
            isChanged = true
        }
    }

    // MARK: - PNG

    /// Mends the checksums, and takes out metadata that cannot be looked through: compressed, or
    /// written in digits.
    ///
    /// - Source: Portable Network Graphics (Second Edition), 5.3 and 11.3.4; for the keywords,
    ///   ImageMagick and ExifTool.
    private mutating func finishPNG() {
        let file = editor.bytes
        let reader = ByteReader(file, order: .bigEndian)
        var result = Array(file.prefix(8))
        var offset = 8
        while let length = reader.uint32(at: offset).map(Int.init),
            let body = reader.slice(at: offset + 4, count: length + 4)
        {
            let end = min(offset + length + 12, file.count)
            if Self.mayHideLocation(body) {
                isChanged = true
            } else if ["eXIf", "iTXt", "tEXt"].contains(
                String(decoding: body.prefix(4), as: UTF8.self))
            {
                let bytes = Array(body)
                let sum = UInt32(libdeflate_crc32(0, bytes, bytes.count))
                result += file[offset..<offset + 4] + bytes
                result += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
            } else {
                result += file[offset..<end]
            }
            offset = end
        }
        result += file[min(offset, file.count)...]
        editor = MetadataEditor(result)
    }

    private static func mayHideLocation(_ chunk: ArraySlice<UInt8>) -> Bool {
        let content = chunk.dropFirst(4)
        switch String(decoding: chunk.prefix(4), as: UTF8.self) {
        case "tEXt", "zTXt":
            return ["exif", "APP1", "xmp"].contains {
                content.starts(with: "Raw profile type \($0)\0".utf8)
            }
        case "iTXt":
            let keyword = Array("XML:com.adobe.xmp\0".utf8)
            return content.starts(with: keyword) && content.dropFirst(keyword.count).first == 1
        default: return false
        }
    }
}

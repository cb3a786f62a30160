// SPDX-License-Identifier: MIT

import Photos

/// Removes the location of a photo from its file; everything else keeps its position.
///
/// EXIF data and XMP packets are recognized by their first bytes, wherever a format or a program
/// put them, including the previews and second pictures that cameras append.
///
/// - Source: for XMP, XMP Specification Part 3, 1.1.1 “External scanning”.
struct LocationRemoval {
    private let bytes: ArraySlice<UInt8>
    private let file: Block
    private var patch = Patch()
    private var isChanged = false

    /// The most blocks of metadata to examine; real files have fewer.
    private static let maximumBlocks = 1000

    /// Returns the whole file without the location; nil if it contains none.
    ///
    /// - Parameters:
    ///   - type: The type of the file.
    /// - exif: The EXIF data that the reader of the format found.
    static func apply(
        to file: [UInt8], _ type: MediaType, exif: ArraySlice<UInt8>?
    ) -> [UInt8]? {
        var removal = LocationRemoval(file[...])
        removal.removeEXIF(exif)
        removal.removeXMP()
        switch type {
        case .canonRaw3: removal.removeCanonGPS()
        case .jpegXL: removal.removeCompressedBoxes()
        default: break
        }
        var result = file
        removal.patch.apply(to: &result)
        if type == .png, let rebuilt = PNGRebuilding.withoutHiddenLocation(result) {
            return rebuilt
        }
        guard removal.isChanged else { return nil }
        return type == .png ? PNGRebuilding.withChecksums(result) : result
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        file = Block(bytes)
    }

    // MARK: - EXIF

    private mutating func removeEXIF(_ known: ArraySlice<UInt8>?) {
        // For files that are TIFF structures; no other file starts like one.
        removeGPS(from: file)
        for order in ["II*\0", "MM\0*"] {
            let beginning = Array("Exif\0\0\(order)".utf8)
            var position = 0
            for _ in 0..<Self.maximumBlocks {
                guard let found = bytes.firstIndex(of: beginning, from: position) else { break }
                removeGPS(from: structure(namedAt: found))
                position = found + beginning.count
            }
        }
        // PNG, WebP, HEIF and JPEG XL store it without a name.
        if let known, known.count > 8,
            let found = bytes.firstIndex(of: Array(known.prefix(512)), from: 0)
        {
            removeGPS(from: file.dropFirst(found).prefix(known.count))
        }
    }

    /// EXIF data that follows the name “Exif”; it ends with its JPEG segment, if it is in one.
    private func structure(namedAt position: Int) -> Block {
        let name = JPEGSegments.Segment.exifName
        let rest = file.dropFirst(position + name.count)
        // Marker and length.
        let head = file.reader(at: position - 4, count: 4, .bigEndian)
        guard head.uint16(at: 0) == 0xFFE1, let length = head.uint16(at: 2).map(Int.init) else {
            return rest
        }
        return rest.prefix(length - 2 - name.count)
    }

    private mutating func removeGPS(from structure: Block) {
        if patch.removeGPS(from: structure) { isChanged = true }
    }

    /// Canon's boxes each contain one EXIF directory in a TIFF structure of its own.
    ///
    /// - Source: ExifTool, `Canon::uuid`: `CMT4`.
    private mutating func removeCanonGPS() {
        for directory in CanonBoxes.metadata(in: file) where directory.name == "CMT4" {
            if patch.removeGPSDirectory(from: directory.content) { isChanged = true }
        }
    }

    // MARK: - XMP

    private mutating func removeXMP() {
        var position = 0
        for _ in 0..<Self.maximumBlocks {
            guard let start = bytes.firstIndex(of: Array("<rdf:RDF".utf8), from: position) else {
                return
            }
            let end =
                bytes.firstIndex(of: Array("</rdf:RDF>".utf8), from: start) ?? bytes.endIndex
            let packet = file.dropFirst(start).prefix(end - start)
            if patch.removeXMPLocation(from: packet) { isChanged = true }
            position = max(end, start + 1)
        }
    }

    // MARK: - JPEG XL

    /// Turns compressed metadata into free space, because it cannot be searched.
    ///
    /// - Source: ISO/IEC 18181-2, 9.8 (`brob`); ISO/IEC 14496-12, 8.1.2 (`free`).
    private mutating func removeCompressedBoxes() {
        for box in ISOBox.boxes(in: file, atMost: Self.maximumBlocks) where box.name == "brob" {
            guard ["Exif", "xml "].contains(where: { box.content.starts(with: $0.utf8) }) else {
                continue
            }
            patch.write(Array("free".utf8), over: box.typeField)
            isChanged = true
        }
    }
}

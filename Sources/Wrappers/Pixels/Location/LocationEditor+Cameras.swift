// SPDX-License-Identifier: MIT

import Photos

/// Data of thermal cameras and action cameras.
///
/// - Source: ExifTool's tables `FLIR::FFF` and `GoPro::GPMF`.
extension LocationEditor {
    /// Thermal data, camera, measurements, palette and paint; others may contain a position.
    private static let thermalRecords: Set<UInt16> = [
        0, 0x01, 0x05, 0x06, 0x0E, 0x20, 0x21, 0x22, 0x24, 0x28, 0x2A,
    ]

    /// Removes the records of a FLIR file that may contain a position.
    mutating func editFLIR(_ file: Block) {
        guard !isStrict, file.starts(with: "FFF\0".utf8) else { return blank(file) }
        // The version tells the order of the bytes.
        let order: ByteReader.Order
        switch file.uint32(at: 20, .bigEndian) {
        case .some(100..<200): order = .bigEndian
        default: order = .littleEndian
        }
        guard let start = file.uint32(at: 24, order), let count = file.uint32(at: 28, order),
            count <= 1000
        else { return blank(file) }
        for index in 0..<Int(count) {
            let entry = file.dropFirst(Int(start) + index * 32).prefix(32)
            guard let type = entry.uint16(at: 0, order), let offset = entry.uint32(at: 12, order),
                let size = entry.uint32(at: 16, order)
            else { return }
            if !Self.thermalRecords.contains(type) {
                blank(file.dropFirst(Int(offset)).prefix(Int(size)))
            }
        }
    }

    /// The streams that contain positions.
    private static let positions = ["GPS", "GLPI", "GPRI"]

    /// Overwrites the streams of GoPro's metadata that contain positions.
    ///
    /// - Source: GoPro's gpmf-parser, “GPMF-KLV”.
    mutating func editGoPro(_ list: Block, _ level: Int = 0) throws(PixelError) {
        guard level < 8 else { throw .locationStays }
        var offset = 0
        while let count = list.uint16(at: offset + 6, .bigEndian) {
            let head = Array(list.bytes(at: offset, count: 6))
            guard head.count == 6, head[0] != 0 else { return }
            let size = Int(head[5]) * Int(count)
            let content = list.dropFirst(offset + 8).prefix(size)
            offset += 8 + (size + 3) / 4 * 4
            if Self.positions.contains(where: { head.starts(with: $0.utf8) }) {
                blank(content)
            } else if head[4] == 0 {
                try editGoPro(content, level + 1)
            }
        }
    }
}

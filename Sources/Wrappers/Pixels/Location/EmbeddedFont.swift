// SPDX-License-Identifier: MIT

import Photos

/// Fonts in videos, which subtitles need.
///
/// - Source: OpenType 1.9, “Organization of an OpenType Font”.
enum EmbeddedFont {
    private static let versions: [[UInt8]] = [
        [0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8),
    ]
    private static let maximumTables = 200
    /// Tables end at a multiple of four.
    private static let alignment = 4

    /// Whether a file is a font whose tables contain all of it, and whose texts tell no place.
    static func isHarmless(_ file: [UInt8]) -> Bool {
        let reader = ByteReader(file[...], order: .bigEndian)
        guard versions.contains(where: file.starts), let count = reader.uint16(at: 4),
            (1...maximumTables).contains(Int(count))
        else { return false }
        var covered = 12 + 16 * Int(count)
        var tables: [Range<Int>] = []
        for index in 0..<Int(count) {
            let entry = 12 + 16 * index
            guard let offset = reader.uint32(at: entry + 8),
                let size = reader.uint32(at: entry + 12),
                let table = reader.slice(at: Int(offset), count: Int(size))
            else { return false }
            tables.append(Int(offset)..<Int(offset) + Int(size))
            let isName = file[entry..<entry + 4].elementsEqual("name".utf8)
            let isText = table.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
            if isName || isText, PlaceText.describesPlace(table) { return false }
        }
        for table in tables.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard table.lowerBound < covered + alignment else { return false }
            covered = max(covered, table.upperBound)
        }
        return file.count < covered + alignment
    }
}

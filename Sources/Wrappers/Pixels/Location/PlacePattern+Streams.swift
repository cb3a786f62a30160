// SPDX-License-Identifier: MIT

/// Positions in the streams of videos, and in files that others contain.
extension PlacePattern {
    /// The tags of a camcorder's position: latitude to area.
    ///
    /// - Source: ExifTool's table `H264::MDPM`.
    private static let positionTags: ClosedRange<UInt8> = 0xB1...0xCA

    static let streams: [PlacePattern] = [
        // A message of H.264 with facts about the camera: how many, and for each a tag and four bytes.
        PlacePattern(Array("MDPM".utf8)) { bytes, position in
            guard position + 5 < bytes.count, position >= 16 else { return false }
            // The message has an identifier of its own.
            guard bytes[position - 16] == 0x17, bytes[position - 1] == 0x66 else { return false }
            // Without the bytes that keep three zeros apart.
            var content: [UInt8] = []
            var zeros = 0
            for byte in bytes[(position + 5)...].prefix(1024) {
                if zeros >= 2, byte == 3 {
                    zeros = 0
                    continue
                }
                zeros = byte == 0 ? zeros + 1 : 0
                content.append(byte)
            }
            let count = Int(bytes[position + 4])
            return (0..<count).contains { index in
                let entry = content.dropFirst(5 * index).prefix(5)
                return entry.first.map(positionTags.contains) == true
                    && entry.dropFirst().contains { $0 != 0 }
            }
        },
        // The file that a DNG file was made of: a tag in a directory, whose tags are in order.
        PlacePattern([0x8C, 0xC6, 7, 0]) { bytes, position in
            containsOriginal(bytes, position, previous: { UInt16($0) | UInt16($1) << 8 })
        },
        PlacePattern([0xC6, 0x8C, 0, 7]) { bytes, position in
            containsOriginal(bytes, position, previous: { UInt16($0) << 8 | UInt16($1) })
        },
    ]

    private static func containsOriginal(
        _ bytes: Bytes, _ position: Int, previous: (UInt8, UInt8) -> UInt16
    ) -> Bool {
        guard position >= 12, position + 12 <= bytes.count else { return false }
        let tag = previous(bytes[position - 12], bytes[position - 11])
        let type = previous(bytes[position - 10], bytes[position - 9])
        return (0xC612..<0xC68C).contains(tag) && (1...13).contains(type)
    }
}

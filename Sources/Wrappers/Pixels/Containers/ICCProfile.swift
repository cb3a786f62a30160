// SPDX-License-Identifier: MIT

import Photos

/// The tags of a colour profile.
///
/// - Source: ICC.1:2022, 7.2 and 7.3.
struct ICCProfile {
    struct Tag {
        let signature: [UInt8]
        /// The four characters of the type.
        let type: String
        /// The whole value, which begins with its type and four zeros.
        let value: Block

        /// Whether the value consists of numbers, which say what the colours are.
        var isNumeric: Bool { ICCProfile.numericTypes.contains(type) }
    }

    /// More tags than real profiles have.
    private static let maximumTags = 200
    static let headerSize = 128
    private static let entrySize = 12

    /// - Source: ICC.1:2022, 10; ICC.1:2001-04, 6.5, for older types.
    private static let numericTypes: Set<String> = [
        "XYZ ", "curv", "para", "mft1", "mft2", "mAB ", "mBA ", "mpet", "sf32", "uf32", "ui08",
        "ui16", "ui32", "ui64", "fl16", "fl32", "fl64", "meas", "view", "sig ", "dtim", "chrm",
        "clro", "crdi", "cicp",
    ]

    let block: Block
    let tags: [Tag]

    /// Nil if it is no profile, or has more tags than any.
    init?(_ block: Block) {
        guard block.starts(with: "acsp".utf8, at: 36),
            let count = block.uint32(at: Self.headerSize, .bigEndian), count <= Self.maximumTags
        else { return nil }
        self.block = block
        tags = (0..<Int(count)).compactMap { index in
            let entry = block.dropFirst(Self.headerSize + 4 + index * Self.entrySize)
            guard let offset = entry.uint32(at: 4, .bigEndian).map(Int.init),
                let size = entry.uint32(at: 8, .bigEndian).map(Int.init),
                let value = block.part(at: offset, count: size)
            else { return nil }
            return Tag(
                signature: Array(entry.bytes(count: 4)),
                type: String(decoding: value.bytes(count: 4), as: UTF8.self), value: value)
        }
    }

    /// The bytes that no tag consists of, behind the table of tags.
    var gaps: [Block] {
        var gaps: [Block] = []
        var end =
            block.range.lowerBound + Self.headerSize + 4
            + (block.uint32(at: Self.headerSize, .bigEndian).map(Int.init) ?? 0) * Self.entrySize
        for range in tags.map(\.value.range).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > end {
                gaps.append(
                    block.dropFirst(end - block.range.lowerBound).prefix(range.lowerBound - end))
            }
            end = max(end, range.upperBound)
        }
        gaps.append(block.dropFirst(end - block.range.lowerBound))
        return gaps.filter { $0.count > 0 }
    }

    /// What the profile says about colours; everything in it if it cannot be read.
    static func colours(in block: Block) -> [[UInt8]] {
        guard let profile = ICCProfile(block) else {
            return [Array(block.bytes(count: block.count))]
        }
        // The identifier, which is a checksum, and reserved bytes.
        return [Array(block.bytes(count: 84))]
            + profile.tags.filter(\.isNumeric).map {
                $0.signature + $0.value.bytes(count: $0.value.count)
            }
    }
}

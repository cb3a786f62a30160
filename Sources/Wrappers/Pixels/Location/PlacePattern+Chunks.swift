// SPDX-License-Identifier: MIT

/// Texts of PNG files that are inside other files, such as the frames of a video.
extension PlacePattern {
    /// What precedes the text of a chunk: its name, and the name of the text.
    private static let longestKeyword = 79
    private static let largestChunk = 64 << 20

    static let chunks: [PlacePattern] = ["tEXt", "zTXt", "iTXt"].map { name in
        PlacePattern(Array(name.utf8), isChunk: true)
    }

    /// The content of a chunk with a text.
    struct TextChunk {
        let content: Range<Int>
        let isCompressed: Bool
        /// Whether its end is not among the bytes.
        let isCut: Bool
    }

    /// The chunk whose name is at an offset; nil if other data has this name.
    ///
    /// - Source: Portable Network Graphics (Third Edition), 11.3.3.
    static func textChunk(_ bytes: Bytes, _ position: Int) -> TextChunk? {
        guard position >= 4 else { return nil }
        let size = bytes[position - 4..<position].reduce(0) { $0 << 8 | Int($1) }
        let start = position + 4
        guard size > 2, size <= largestChunk, start + 2 < bytes.count else { return nil }
        let end = min(start + size, bytes.count)
        let keyword = bytes[start..<end].prefix(longestKeyword + 1).prefix { $0 != 0 }
        guard !keyword.isEmpty, keyword.count <= longestKeyword, keyword.endIndex < end,
            keyword.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        let flag = keyword.endIndex + 1 < end ? bytes[keyword.endIndex + 1] : 0
        let isCompressed: Bool
        switch bytes[position] {
        // The number of the method, which is always 0.
        case UInt8(ascii: "z"):
            guard flag == 0 else { return nil }
            isCompressed = true
        case UInt8(ascii: "i"):
            guard flag <= 1 else { return nil }
            isCompressed = flag == 1
        default: isCompressed = false
        }
        return TextChunk(
            content: start..<end, isCompressed: isCompressed, isCut: start + size > bytes.count)
    }
}

// SPDX-License-Identifier: MIT

/// A file that is written as a part of a text, as drawings contain pictures.
///
/// Its bytes are digits of base 64, or are escaped. Either can be escaped once more: `%2B`, `&#43;`.
///
/// - Source: RFC 2397; RFC 4648, 4.
struct DataURI {
    /// Where its data is in the text.
    let range: Range<Int>
    /// The file.
    let content: [UInt8]
    private let text: ArraySlice<UInt8>
    private let isBase64: Bool
    /// Whether it is between quotation marks, where a space may stand.
    private let isQuoted: Bool

    /// A longer one is none.
    private static let longestHead = 256
    private static let scheme = Array("data:".utf8)
    private static let quotes: Set<UInt8> = [0x22, 0x27]
    /// What ends a URI without quotation marks: a mark, a bracket, or the next tag.
    private static let ends: Set<UInt8> = [0x22, 0x27, 0x29, 0x3C]

    /// The first one behind an offset of a text; nil if there is none.
    init?(in text: ArraySlice<UInt8>, from start: Int) {
        var position = start
        while let found = Self.scheme(in: text, from: position) {
            position = found + Self.scheme.count
            if let uri = DataURI(text, found) {
                self = uri
                return
            }
        }
        return nil
    }

    private init?(_ text: ArraySlice<UInt8>, _ start: Int) {
        let behind = text[(start + Self.scheme.count)...]
        let head = behind.prefix(Self.longestHead).prefix { $0 != UInt8(ascii: ",") }
        let quote = text[..<start].last { $0 > 0x20 }
        isQuoted = quote.map(Self.quotes.contains) ?? false
        // What would end the URI, or begins another one.
        let strange: [UInt8] = isQuoted ? [0x22, 0x3C, 0x3E] : [0x22, 0x3C, 0x3E, 0x28]
        guard head.endIndex < text.endIndex, text[head.endIndex] == UInt8(ascii: ","),
            !head.contains(where: strange.contains)
        else { return nil }
        var kind: [UInt8] = []
        var reader = EscapedReader(head)
        while let (_, byte) = reader.next() {
            kind.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
        let last = kind.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).last
        isBase64 =
            kind.contains(UInt8(ascii: ";"))
            && last?.filter { $0 > 0x20 }.elementsEqual("base64".utf8) == true
        let data = text[(head.endIndex + 1)...]
        let end =
            isQuoted
            ? data.firstIndex { $0 == quote } : data.firstIndex { Self.ends.contains($0) }
        self.text = data[..<(end ?? data.endIndex)]
        range = self.text.startIndex..<self.text.endIndex
        content = isBase64 ? Self.decoded(self.text) : Self.unescaped(self.text)
    }

    private static func scheme(in text: ArraySlice<UInt8>, from start: Int) -> Int? {
        var position = start
        while let colon = text.firstIndex(of: UInt8(ascii: ":"), from: position) {
            position = colon + 1
            let word = text[..<position].suffix(scheme.count)
            if word.startIndex >= start, word.count == scheme.count,
                zip(word, scheme).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
            {
                return word.startIndex
            }
        }
        return nil
    }

    // MARK: - Content

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    /// Blanks, padding, and whatever else is no digit are skipped, as readers do.
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var reader = EscapedReader(text)
        while let (_, byte) = reader.next() {
            guard let value = byte.base64Value else { continue }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count % 4 == 0 {
                for shift in [16, 8, 0] as [UInt32] {
                    content.append(UInt8(truncatingIfNeeded: bits >> shift))
                }
            }
        }
        if count % 4 == 2 { content.append(UInt8(truncatingIfNeeded: bits >> 4)) }
        if count % 4 == 3 {
            content.append(UInt8(truncatingIfNeeded: bits >> 10))
            content.append(UInt8(truncatingIfNeeded: bits >> 2))
        }
        return content
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(text.count)
        var reader = EscapedReader(text)
        while let (_, byte) = reader.next() { content.append(byte) }
        return content
    }

    // MARK: - Writing

    /// The data with another content of the same size; nil if a byte of it does not fit in place of
    /// the one that it replaces.
    ///
    /// Blanks, escapes and padding stay where they are.
    func written(_ new: [UInt8]) -> [UInt8]? {
        guard new.count == content.count else { return nil }
        var result = Array(text)
        var reader = EscapedReader(text)
        var count = 0
        while let (place, byte) = reader.next() {
            let replacement: UInt8
            if isBase64 {
                guard byte.base64Value != nil else { continue }
                defer { count += 1 }
                let digit = Self.digit(count, of: new)
                if digit == Self.digit(count, of: content) { continue }
                replacement = digit
            } else {
                defer { count += 1 }
                guard new[count] != byte else { continue }
                replacement = new[count]
            }
            guard let bytes = written(replacement, in: text[place]) else { return nil }
            let start = place.lowerBound - text.startIndex
            result.replaceSubrange(start..<start + place.count, with: bytes)
        }
        return result
    }

    private static func digit(_ index: Int, of content: [UInt8]) -> UInt8 {
        let start = index * 6
        let high = start / 8 < content.count ? Int(content[start / 8]) : 0
        let low = start / 8 + 1 < content.count ? Int(content[start / 8 + 1]) : 0
        return alphabet[(high << 8 | low) >> (10 - start % 8) & 63]
    }

    /// A byte in place of another, which may be escaped; nil if it does not fit.
    private func written(_ byte: UInt8, in place: ArraySlice<UInt8>) -> [UInt8]? {
        switch place.first {
        case UInt8(ascii: "%")? where place.count == 3:
            let digits = Array("0123456789ABCDEF".utf8)
            return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        case UInt8(ascii: "&")? where place.count > 1:
            // `&#43;` or `&#x2B;`, with zeros before the digits.
            let isHexadecimal = place.dropFirst(2).first.map { $0 | 0x20 } == UInt8(ascii: "x")
            let head = isHexadecimal ? 3 : 2
            let digits = Array(String(byte, radix: isHexadecimal ? 16 : 10).utf8)
            let zeros = place.count - head - 1 - digits.count
            // No reference means zero, or a character that controls something.
            guard place.dropFirst().first == UInt8(ascii: "#"), zeros >= 0, byte >= 0x20 else {
                return nil
            }
            return Array(place.prefix(head)) + [UInt8](repeating: UInt8(ascii: "0"), count: zeros)
                + digits + [UInt8(ascii: ";")]
        default:
            let isLetter = (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte)
            return isBase64 || isLetter || byte == 0x20 && isQuoted ? [byte] : nil
        }
    }
}

/// Reads the bytes of a URI in a document: as they are, escaped in the URI, or as references of the
/// document.
private struct EscapedReader {
    private let text: ArraySlice<UInt8>
    private var position: Int

    /// More bytes than the longest reference to a byte, with some zeros.
    private static let maximumReference = 10

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        position = text.startIndex
    }

    /// The next byte, and where it is; nil at the end.
    mutating func next() -> (place: Range<Int>, byte: UInt8)? {
        guard position < text.endIndex else { return nil }
        let start = position
        let first = text[start]
        var byte = first
        position += 1
        if first == UInt8(ascii: "%"), start + 2 < text.endIndex,
            let high = text[start + 1].hexadecimalValue, let low = text[start + 2].hexadecimalValue
        {
            byte = high << 4 | low
            position += 2
        } else if first == UInt8(ascii: "&") {
            let name = text[position...].prefix(Self.maximumReference)
                .prefix { $0 != UInt8(ascii: ";") }
            if name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: ";"),
                let character = XMPTexts.unescaped(text[start...name.endIndex]).unicodeScalars
                    .first,
                let value = UInt8(exactly: character.value)
            {
                byte = value
                position = name.endIndex + 1
            }
        }
        return (start..<position, byte)
    }
}

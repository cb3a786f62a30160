// SPDX-License-Identifier: MIT

import Photos

/// Files that are written as a part of a drawing.
extension LocationScan {
    /// A longer beginning is none of a URI.
    private static let longestHead = 256
    private static let ends: Set<UInt8> = [0x22, 0x27, 0x29, 0x3C]

    /// Whether a file in a text tells a place.
    ///
    /// - Source: RFC 2397.
    static func drawsPlace(_ text: [UInt8], _ work: inout ScanWork) -> Bool {
        var position = 0
        while let comma = nextData(in: text, from: position) {
            let head = text[position..<comma].suffix(longestHead).map { $0 | 0x20 }
            let isBase64 = head[...].lastIndex(of: UInt8(ascii: ";")).map { mark in
                unescaped(head[mark...])[...].firstIndex(of: Array("base64".utf8), from: 0) != nil
            }
            // An escaped text may contain apostrophes.
            var end = text[(comma + 1)...].firstIndex { ends.contains($0) } ?? text.count
            if isBase64 != true {
                end = text[(comma + 1)...].firstIndex { $0 == 0x22 || $0 == 0x3C } ?? text.count
            }
            position = end
            var content = unescaped(text[(comma + 1)..<end])
            if isBase64 == true { content = decoded(content) }
            guard content.count > 8 else { continue }
            // In a text, two numbers may be a part of the picture.
            let isFile = MediaType.sniffed(from: content) != nil
            let isFound = work.descending { work in
                isFile
                    ? findsPlace(in: content, &work)
                    : findsPlace(in: content, upTo: content.count, &work)
            }
            if isFound { return true }
        }
        return false
    }

    /// Where the comma is behind which the data of the next URI begins; nil if there is none.
    private static func nextData(in text: [UInt8], from start: Int) -> Int? {
        let scheme = Array("data".utf8)
        var position = start
        while let colon = text[...].firstIndex(of: UInt8(ascii: ":"), from: position) {
            position = colon + 1
            let word = text[..<colon].suffix(scheme.count)
            guard word.startIndex >= start, word.map({ $0 | 0x20 }) == scheme else { continue }
            let head = text[position...].prefix(longestHead)
            guard let comma = head.firstIndex(of: UInt8(ascii: ",")),
                !head[..<comma].contains(where: { $0 == 0x22 || $0 == 0x3C || $0 == 0x3E })
            else { continue }
            return comma
        }
        return nil
    }

    /// The bytes that are escaped in a URI, or as references to characters.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: "%"), index + 1 < text.endIndex,
                let high = text[index].hexadecimalValue, let low = text[index + 1].hexadecimalValue
            {
                plain.append(high << 4 | low)
                index += 2
            } else if byte == UInt8(ascii: "&"), let (character, end) = reference(text[index...]) {
                plain.append(character)
                index = end
            } else {
                plain.append(byte)
            }
        }
        return plain
    }

    /// The character that a reference names, and the end of the reference.
    private static func reference(_ text: ArraySlice<UInt8>) -> (UInt8, end: Int)? {
        let name = text.prefix(10).prefix { $0 != UInt8(ascii: ";") }
        guard name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: ";") else {
            return nil
        }
        let number: UInt8? =
            switch String(decoding: name, as: UTF8.self).lowercased() {
            case "amp": UInt8(ascii: "&")
            case "lt": UInt8(ascii: "<")
            case "gt": UInt8(ascii: ">")
            case "quot": 0x22
            case "apos": 0x27
            case let hexadecimal where hexadecimal.hasPrefix("#x"):
                UInt8(hexadecimal.dropFirst(2), radix: 16)
            case let decimal where decimal.hasPrefix("#"): UInt8(decimal.dropFirst())
            default: nil
            }
        return number.map { ($0, name.endIndex + 1) }
    }

    /// The bytes that digits of base 64 stand for; what is none is skipped.
    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in text {
            guard let value = byte.base64Value else { continue }
            bits = (bits & 0x3FFFF) << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                content.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return content
    }
}

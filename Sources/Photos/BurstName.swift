// SPDX-License-Identifier: MIT

/// The name that a phone gives to a picture of a burst.
///
/// Only names that say `BURST`, and when it was taken, count. Others with a number behind a date, as
/// `20240101_120000_001.jpg`, are also given to photos of the same second, and to copies.
///
/// - Source: AOSP's and Google's camera (`00001IMG_00001_BURST20240101120000123_COVER.jpg`), Sony's
///   (`DSCPDC_0001_BURST20240101120000123.JPG`), Huawei's (`IMG_20240101_120000_BURST001_COVER.jpg`), and
///   Xiaomi's and OnePlus's (`IMG_20240101_120000_BURST1.jpg`).
package struct BurstName: Hashable, Sendable {
    /// The part that the names of all pictures of the burst have in common.
    package let burst: String
    /// Whether the name says that this picture stands for the others.
    package let isCover: Bool

    private static let mark = Array("_BURST".utf8)
    private static let cover = Array("_COVER".utf8)
    /// More bytes than such a name has.
    private static let longest = 96
    /// The digits of a date and a time.
    private static let fewestOfDate = 14

    /// Nil for any other name.
    ///
    /// - Parameter name: The name of a file, with its extension.
    package init?(_ name: some Collection<UInt8>) {
        // Most names are too short or too long, and nothing else is looked at.
        guard (Self.fewestOfDate + Self.mark.count...Self.longest).contains(name.count) else {
            return nil
        }
        var stem = name.map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 }[...]
        guard let dot = stem.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        stem = stem[..<dot]
        isCover = stem.suffix(Self.cover.count).elementsEqual(Self.cover)
        if isCover { stem = stem.dropLast(Self.cover.count) }
        let number = stem.suffix(while: Self.isDigit)
        let start = stem.dropLast(number.count)
        guard !number.isEmpty, start.suffix(Self.mark.count).elementsEqual(Self.mark) else {
            return nil
        }
        let head = start.dropLast(Self.mark.count)
        if number.count >= Self.fewestOfDate {
            // The date is the same in all names, and the number comes first.
            guard Self.isNumbered(head) else { return nil }
            burst = "BURST" + String(decoding: number, as: UTF8.self)
        } else {
            guard number.count <= 4, Self.endsWithDate(head) else { return nil }
            burst = String(decoding: head, as: UTF8.self) + "_BURST"
        }
    }

    /// Whether it is `00001IMG_00001` or `DSCPDC_0001`.
    ///
    /// A portrait beside its original, `00100dPORTRAIT_00100`, is no burst.
    private static func isNumbered(_ head: ArraySlice<UInt8>) -> Bool {
        let parts = head.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, parts[1].allSatisfy(isDigit) else {
            return false
        }
        let name = parts[0].drop { isDigit($0) }
        return name.elementsEqual("IMG".utf8) || name.elementsEqual("DSCPDC".utf8)
    }

    /// Whether it ends with `20240101_120000`, perhaps with milliseconds.
    private static func endsWithDate(_ head: ArraySlice<UInt8>) -> Bool {
        let time = head.suffix(while: isDigit)
        let rest = head.dropLast(time.count)
        guard (6...9).contains(time.count), rest.last == UInt8(ascii: "_") else { return false }
        return rest.dropLast().suffix(while: isDigit).count == 8
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}

extension ArraySlice {
    /// The elements at the end that all satisfy a condition.
    fileprivate func suffix(while condition: (Element) -> Bool) -> ArraySlice {
        let end = lastIndex { !condition($0) }
        return self[(end.map { $0 + 1 } ?? startIndex)...]
    }
}

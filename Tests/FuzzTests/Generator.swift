// SPDX-License-Identifier: MIT

import PortalInterface
import SDBus
import TestSupport

/// Values that no program would send on purpose, always the same for a seed.
struct Generator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// - Source: Steele, Lea, Flood, “Fast splittable pseudorandom number generators” (SplitMix64).
    mutating func number() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(number() % UInt64(limit)) }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

    /// Options of a call: known keys with any values, and others.
    mutating func options() -> Vardict {
        var vardict: Vardict = [:]
        for _ in 0..<below(6) {
            let key = below(8) == 0 ? text() : pick(PickOption.all.map(\.key))
            vardict[key] = below(3) == 0 ? valueOfType(of: key) : variant(depth: 0)
        }
        return vardict
    }

    /// A value of the right type, which may still be invalid.
    private mutating func valueOfType(of key: String) -> Variant {
        let option = PickOption.all.first { $0.key == key }
        if let option, below(4) == 0 { return option.sample }
        return switch option?.signature {
        case "b": .boolean(below(2) == 0)
        case "u": .uint32(pick([0, 1, 2, 3, 1000, .max, UInt32(truncatingIfNeeded: number())]))
        case "as": .array(element: "s", (0..<below(5)).map { _ in .string(text()) })
        default: .string(text())
        }
    }

    mutating func variant(depth: Int) -> Variant {
        switch below(depth < 4 ? 16 : 12) {
        case 0: .byte(UInt8(truncatingIfNeeded: number()))
        case 1: .boolean(below(2) == 0)
        case 2: .int16(Int16(truncatingIfNeeded: number()))
        case 3: .uint16(UInt16(truncatingIfNeeded: number()))
        case 4: .int32(Int32(truncatingIfNeeded: number()))
        case 5: .uint32(UInt32(truncatingIfNeeded: number()))
        case 6: .int64(Int64(truncatingIfNeeded: number()))
        case 7: .uint64(number())
        case 8: .double(Double(below(1000)) / 7)
        case 9, 10: .string(text())
        case 11: .objectPath(pick(["/", "/a", "/a/b_1"]))
        case 12: array(depth: depth + 1)
        case 13: .structure((0..<(1 + below(3))).map { _ in variant(depth: depth + 1) })
        case 14: dictionary(depth: depth + 1)
        default: .variant(variant(depth: depth + 1))
        }
    }

    private mutating func array(depth: Int) -> Variant {
        let first = variant(depth: depth)
        // All elements of an array must have one type, which copies of one value do.
        return .array(element: first.signature, Array(repeating: first, count: below(4)))
    }

    private mutating func dictionary(depth: Int) -> Variant {
        let entries = (0..<below(4)).map { _ in
            Variant.Entry(key: .string(text()), value: .variant(variant(depth: depth)))
        }
        return .dictionary(key: "s", value: "v", entries)
    }

    private mutating func text() -> String {
        let texts = [
            "", "a", "all", "recent", "image/*", "image/png", "video/*", "text/plain", "*/*",
            "image/", "/", "..", "x/y/z", "ä", "漢字", "🎉", "a-b", "a b", "%s%n", "\u{202E}rtl",
            "00112233445566778899aabbccddeeff", "00112233445566778899AABBCCDDEEFF",
        ]
        switch below(4) {
        case 0: return String(repeating: pick(texts), count: below(300))
        case 1: return String(repeating: "x", count: pick([255, 256, 257, 4096, 4097]))
        case 2:
            let scalars = (0..<below(12)).compactMap { _ in
                Unicode.Scalar(UInt32(1 + below(0x2FFF)))
            }
            return String(String.UnicodeScalarView(scalars))
        default: return pick(texts)
        }
    }
}

/// The number of attempts: enough to find new errors, and more when there is time.
enum Effort {
    /// `PHOTO_PORTAL_FUZZ` multiplies it.
    static var factor: Int { environmentVariable("PHOTO_PORTAL_FUZZ").flatMap { Int($0) } ?? 1 }

    /// Seeds that have found an error are kept here permanently and are tried first.
    static func seeds(_ kept: [UInt64], count: Int) -> some Sequence<UInt64> {
        (0..<kept.count + count * max(factor, 1)).lazy.map {
            $0 < kept.count ? kept[$0] : UInt64($0 - kept.count)
        }
    }
}

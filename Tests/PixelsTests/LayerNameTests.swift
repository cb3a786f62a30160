// SPDX-License-Identifier: MIT

import Files
import Photos
import TestSupport
import Testing

@testable import Pixels

/// Places in the names of layers.
@Suite struct LayerNameTests {
    private static func number(_ number: Int, _ width: Int = 4) -> [UInt8] {
        ByteReader.Order.bigEndian.bytes(of: number, width: width)
    }

    private static func sized(_ content: [UInt8]) -> [UInt8] { number(content.count) + content }

    /// A document with layers that have names in Latin-1 and in UTF-16.
    ///
    /// - Source: Adobe, “Photoshop File Formats Specification”, “Layer records”.
    private static func document(_ names: [(short: String, long: String)]) throws -> [UInt8] {
        let file = try Fixtures.bytes("psd/flat.psd")
        let layers = names.flatMap { name in
            var short = [UInt8(name.short.utf8.count)] + Array(name.short.utf8)
            while short.count % 4 > 0 { short.append(0) }
            let units = name.long.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            let unicode = Array("8BIMluni".utf8) + sized(number(units.count / 2) + units)
            // A rectangle, no channels, and a mode; neither a mask nor ranges.
            return [UInt8](repeating: 0, count: 18) + Array("8BIMnorm".utf8) + [255, 0, 0, 0]
                + sized(sized([]) + sized([]) + short + unicode)
        }
        let reader = Block(file[...])
        let colours = try #require(reader.uint32(at: 26, .bigEndian).map(Int.init))
        let resources = try #require(reader.uint32(at: 30 + colours, .bigEndian).map(Int.init))
        let start = 34 + colours + resources
        let old = try #require(reader.uint32(at: start, .bigEndian).map(Int.init))
        return Array(file[..<start]) + sized(sized(number(names.count, 2) + layers) + sized([]))
            + file[(start + 4 + old)...]
    }

    @Test(arguments: [
        ("Tower at 48.8584, 2.2945", "Tower"), ("Tower", "Tower at 48.8584, 2.2945"),
        ("Tower", "北纬39.908度，东经116.397度"), ("N 48.8584 E 2.2945", "N 48.8584 E 2.2945"),
    ])
    func `the name of a layer that tells a place goes`(short: String, long: String) throws {
        let file = try Self.document([("Sky", "Sky"), (short, long), ("Sea", "The sea")])
        let cleaned = try #require(try LocationTests.cleaned(file), "nothing was removed")
        #expect(cleaned.count == file.count)
        let text = String(decoding: cleaned.filter { $0 != 0 }, as: UTF8.self)
        #expect(!text.contains("48.8584"))
        #expect(cleaned.firstRange(of: Array("Sea".utf8)) != nil)
        #expect(try LocationTests.cleaned(cleaned) == nil)
    }

    @Test func `the names of layers without a place stay`() throws {
        let file = try Self.document([("Sky", "Sky"), ("Layer 1", "Layer 1 copy 2"), ("", "")])
        #expect(try LocationTests.cleaned(file) == nil)
    }
}

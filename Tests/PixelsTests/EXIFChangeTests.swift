// SPDX-License-Identifier: MIT

import Files
import Photos
import TestSupport
import Testing

@testable import Pixels

/// EXIF data with wrong offsets: only the data itself is changed.
@Suite struct EXIFChangeTests {
    /// EXIF data with a directory for GPS and one for a preview; numbers are little-endian.
    private func exif(
        gps: UInt32? = nil, gpsCount: UInt16 = 0, preview: (offset: UInt32, count: UInt32)? = nil
    ) -> [UInt8] {
        func entry(_ tag: UInt16, _ value: UInt32) -> [UInt8] {
            bytes(tag) + bytes(UInt16(4)) + bytes(UInt32(1)) + bytes(value)
        }
        let first = [entry(0x0100, 48), gps.map { entry(0x8825, $0) } ?? []].filter { $0 != [] }
        let secondAt = UInt32(8 + 2 + 12 * first.count + 4)
        var data = Array("II*\0".utf8) + bytes(UInt32(8)) + bytes(UInt16(first.count))
        data += first.flatMap(\.self) + bytes(preview == nil ? UInt32(0) : secondAt)
        if let preview {
            data += bytes(UInt16(2)) + entry(0x0201, preview.offset) + entry(0x0202, preview.count)
            data += bytes(UInt32(0))
        }
        // A possible place for a GPS directory.
        return data + bytes(gpsCount) + [UInt8](repeating: 7, count: 60)
    }

    private func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// A JPEG with this EXIF data, and the offset of its other segments.
    private func jpeg(_ exif: [UInt8]) throws -> (file: [UInt8], rest: Int) {
        let picture = try Fixtures.bytes("jpeg/baseline.jpg")
        let content = Array("Exif\0\0".utf8) + exif
        let length = content.count + 2
        let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content
        return (picture.prefix(2) + segment + picture.dropFirst(2), 2 + segment.count)
    }

    @Test(
        arguments: [(90, 100_000), (0, 20), (20_000, 5), (.max, .max), (8, 30)]
            as [(UInt32, UInt32)])
    func `a preview with an invalid offset leaves the picture unchanged`(
        offset: UInt32, count: UInt32
    ) throws {
        let (original, rest) = try jpeg(exif(preview: (offset, count)))
        var file = original
        JPEGFile.describe(&file, PixelSize(width: 16, height: 16), isStandard: true)
        #expect(file.count == original.count)
        #expect(file[rest...] == original[rest...])
        // The data is still valid, has the new size, and refers to no preview.
        let header = JPEGHeader(Block(file[...]))
        let data = try #require(header.exif?.data)
        #expect(TIFFDirectory.first(in: Block(data))?.number(Tag.width) == 16)
        #expect(header.preview == nil)
    }

    @Test func `a preview that is a JPEG is overwritten`() throws {
        var data = exif(preview: (60, 20))
        let end = data.count - 30
        data.replaceSubrange(end..<end + 2, with: [0xFF, 0xD8])
        // The value of the first entry of the second directory points there.
        data.replaceSubrange(36..<40, with: bytes(UInt32(end)))
        var file = try jpeg(data).file
        let preview = try #require(JPEGHeader(Block(file[...])).preview)
        JPEGFile.describe(&file, PixelSize(width: 16, height: 16), isStandard: true)
        #expect(file[preview.range].allSatisfy { $0 == 0 })
    }

    @Test(arguments: [(40, 25_902), (60_000, 3), (.max, 1), (0, 2), (4, 1)] as [(UInt32, UInt16)])
    func `an offset that is not a GPS directory leaves the picture unchanged`(
        offset: UInt32, count: UInt16
    ) throws {
        let (original, rest) = try jpeg(exif(gps: offset, gpsCount: count))
        let file = try #require(try LocationRemoval.apply(to: original))
        #expect(file.count == original.count)
        #expect(file[rest...] == original[rest...])
        // The entry is gone, and the other one is there.
        let data = try #require(JPEGHeader(Block(file[...])).exif?.data)
        let main = try #require(TIFFDirectory.first(in: Block(data)))
        #expect(main.entries.map(\.tag) == [Tag.width])
    }

    @Test(arguments: [1, 20, 10_000] as [UInt16], [1, 30] as [UInt16])
    func `a location in directories that claim more entries than they have is removed`(
        count: UInt16, gpsCount: UInt16
    ) throws {
        var data = exif(gps: 38, gpsCount: gpsCount)
        // The number of entries of the first directory, of which two are there.
        if count > 1 { data.replaceSubrange(8..<10, with: bytes(count)) }
        // A latitude of three fractions, and where they are.
        let latitude = bytes(UInt16(2)) + bytes(UInt16(5)) + bytes(UInt32(3)) + bytes(UInt32(60))
        data.replaceSubrange(40..<52, with: latitude)
        let original = try jpeg(data)
        let file = try #require(try LocationRemoval.apply(to: original.file))
        #expect(file[original.rest...] == original.file[original.rest...])
        let found = Array(try #require(JPEGHeader(Block(file[...])).exif?.data))
        let main = try #require(TIFFDirectory.first(in: Block(found[...])))
        #expect(!main.has(Tag.gpsDirectory))
        #expect(main.has(Tag.width))
        #expect(found[38..<52].allSatisfy { $0 == 0 })
        #expect(found[60..<84].allSatisfy { $0 == 0 })
    }
}

// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct PhotoListTests {
    private func list(_ photos: [(UInt8, Int64)]) throws -> PhotoList {
        var list = PhotoList()
        for (number, seconds) in photos {
            let id = try #require(AssetID(bytes: [UInt8](repeating: number, count: 16)))
            list.append(id, size: PixelSize(width: Int(number), height: 10), taken: seconds)
        }
        return list
    }

    @Test func `additions stand among the others by date, and before those of the same date`()
        throws
    {
        let old = try list([(1, 90), (2, 50), (3, 50), (4, 10)])
        let added = try list([(5, 95), (6, 50), (7, 20), (8, 5)])
        #expect(
            old.merging(added)
                == (try list([
                    (5, 95), (1, 90), (6, 50), (2, 50), (3, 50), (7, 20), (4, 10), (8, 5),
                ])))
        #expect(old.merging(PhotoList()) == old)
        #expect(PhotoList().merging(added) == added)
    }

    @Test func `rules that photos break stay with them`() throws {
        let ids = try list([(1, 90), (2, 50), (3, 10)]).ids
        let size = PixelSize(width: 1, height: 1)
        var old = PhotoList()
        old.append(ids[0], size: size, taken: 90)
        old.append(ids[1], size: size, taken: 50, breaking: .favorites)
        #expect(old.brokenRule(at: 0) == nil)
        #expect(old.brokenRule(at: 1) == .favorites)
        var added = PhotoList()
        added.append(ids[2], size: size, taken: 60)
        let merged = old.merging(added)
        #expect(merged.ids == [ids[0], ids[2], ids[1]])
        #expect((0..<3).map { merged.brokenRule(at: $0) } == [nil, nil, .favorites])
        #expect(merged.fitting(0..<3) == [ids[0], ids[2]])
        #expect(added.brokenRule(at: 0) == nil)
        #expect(added.fitting(0..<1) == [ids[2]])
    }
}

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
}

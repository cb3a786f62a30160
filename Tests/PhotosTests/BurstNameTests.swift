// SPDX-License-Identifier: MIT

import Photos
import Testing

/// Which names are those of a picture of a burst.
@Suite struct BurstNameTests {
    @Test(arguments: [
        [
            "00000IMG_00000_BURST20240101120000123_COVER.jpg",
            "00001IMG_00001_BURST20240101120000123.jpg",
        ],
        ["00000IMG_00000_BURST20240101120000.jpg", "00012IMG_00012_BURST20240101120000.JPG"],
        ["DSCPDC_0000_BURST20180331145912345.JPG", "DSCPDC_0011_BURST20180331145912345_COVER.JPG"],
        ["IMG_20240101_120000_BURST001_COVER.jpg", "IMG_20240101_120000_BURST012.jpg"],
        ["IMG_20240101_120000_BURST1.jpg", "IMG_20240101_120000_BURST12.jpg"],
        ["20240101_120000_Burst01.jpg", "20240101_120000_Burst02.jpg"],
        ["IMG_20240101_120000123_BURST0001.heic", "IMG_20240101_120000123_BURST0002.heic"],
    ])
    func `names of the pictures of a burst have a part in common`(names: [String]) throws {
        let found = try names.map { try #require(BurstName($0.utf8), "\($0)") }
        #expect(found[0].burst == found[1].burst)
        #expect(found.map(\.isCover) == names.map { $0.contains("COVER") })
    }

    @Test(arguments: [
        ["IMG_20240101_120000_BURST001.jpg", "IMG_20240101_120001_BURST001.jpg"],
        ["00000IMG_00000_BURST20240101120000.jpg", "00000IMG_00000_BURST20240101120001.jpg"],
    ])
    func `names of two bursts have none`(names: [String]) throws {
        let found = try names.map { try #require(BurstName($0.utf8), "\($0)") }
        #expect(found[0].burst != found[1].burst)
    }

    @Test(arguments: [
        // A second photo of the same second, or a copy.
        "20240101_120000_001.jpg", "20240101_120000(1).jpg", "IMG_20240101_120000_1.jpg",
        // A portrait and its original.
        "00100dPORTRAIT_00100_BURST20181225123212345_COVER.jpg",
        "00000PORTRAIT_00000_BURST20181225123212345.jpg",
        // No date, no number, no extension, or something behind it.
        "SUN_BURST001.jpg", "Holiday_BURST2.jpg", "IMG_20240101_120000_BURST.jpg",
        "IMG_20240101_120000_BURST001", "IMG_20240101_120000_BURST001-edited.jpg",
        "IMG_20240101_120000_COVER.jpg", "IMG_20240101_120000_BURST12345.jpg",
        "00000IMG_BURST20240101120000.jpg", "", ".jpg", "_BURST20240101120000.jpg",
        String(repeating: "1", count: 90) + "_120000_BURST001.jpg",
    ])
    func `other names are of no burst`(name: String) {
        #expect(BurstName(name.utf8) == nil)
    }
}

// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import TestSupport
import Testing

@testable import Pixels

/// How a photo was taken, as ExifTool writes it.
@Suite struct ExposureTests {
    private let photos: TaggedPhotos

    init() throws {
        HEIFFormats.install()
        photos = try TaggedPhotos()
    }

    private func exposure(_ name: String, _ tags: [String]) throws -> Exposure {
        let file = try photos.copy(name, tags.map { "-EXIF:\($0)" })
        return try ImageFacts(reading: FileBytes(file)).exposure
    }

    @Test(arguments: [
        "jpeg/baseline.jpg", "png/rgb.png", "formats/blocks.tif", "formats/blocks.webp",
        "formats/blocks.heic", "raw/adobe.dng",
    ])
    func `exposure time, f-number, sensitivity and focal length are read`(name: String) throws {
        let found = try exposure(
            name, ["ExposureTime=1/250", "FNumber=1.8", "ISO=400", "FocalLength=4.25"])
        #expect(
            found
                == Exposure(
                    nanoseconds: 4_000_000, aperture: 180, sensitivity: 400, focalLength: 425))
        #expect(found.denominator == 250)
    }

    @Test(arguments: [("1/8000", 8000), ("1/3", nil), ("0.25", 4), ("30", nil), ("1/60", 60)])
    func `a short time is a fraction of a second`(time: String, denominator: Int64?) throws {
        #expect(
            try exposure("jpeg/baseline.jpg", ["ExposureTime=\(time)"]).denominator == denominator)
    }

    @Test func `what no camera can do is not told`() throws {
        let found = try exposure(
            "jpeg/baseline.jpg",
            ["ExposureTime=0", "FNumber=inf", "ISO=0", "FocalLength=4000000000"])
        #expect(found.isEmpty)
        #expect(Exposure(nanoseconds: -1, aperture: .max, sensitivity: -1).isEmpty)
    }

    @Test func `a photo without EXIF data has none`() throws {
        let file = try Fixtures.open("jpeg/baseline.jpg")
        #expect(try ImageFacts(reading: FileBytes(file)).exposure.isEmpty)
    }
}

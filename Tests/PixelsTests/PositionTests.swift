// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import TestSupport
import Testing
import Videos

@testable import Pixels

/// Where a photo was taken, as ExifTool writes it.
@Suite struct PositionTests {
    private let photos: TaggedPhotos

    init() throws {
        HEIFFormats.install()
        photos = try TaggedPhotos()
    }

    private func position(_ name: String, _ tags: [String] = []) throws -> GeoPosition? {
        let file = try photos.copy(name, tags)
        return try ImageFacts(reading: FileBytes(file)).position
    }

    private func expect(
        _ position: GeoPosition?, _ latitude: Double, _ longitude: Double
    ) throws {
        let position = try #require(position)
        #expect(abs(position.latitude - latitude) < 1e-5, "\(position)")
        #expect(abs(position.longitude - longitude) < 1e-5, "\(position)")
    }

    @Test(arguments: [
        "exif.jpg", "exif.png", "exif.webp", "exif.tif", "exif.heic", "exif.avif", "exif.dng",
        "exif.nef", "exif.cr3", "exif.psd", "exif.jp2", "xmp.jpg", "xmp.png",
    ])
    func `the position is read from every kind of picture`(name: String) throws {
        let file = try Fixtures.open("location/\(name)")
        try expect(ImageFacts(reading: FileBytes(file)).position, 48.8584, 2.2945)
    }

    @Test(arguments: ["phone.mov", "keys.mp4", "user-data.mp4", "3gp.mp4"])
    func `the position is read from videos`(name: String) throws {
        let facts = try VideoFile(Fixtures.open("location/\(name)")).facts
        let position = try #require(facts.position)
        #expect(abs(position.latitude - 48.8584) < 1e-4 && abs(position.longitude - 2.2945) < 1e-4)
    }

    @Test(arguments: ["live/exported.mov", "video/moving.mp4"])
    func `a video without a position tells none`(name: String) throws {
        #expect(try VideoFile(Fixtures.open(name)).facts.position == nil)
    }

    @Test(arguments: [
        ("N", "E", 1.0, 1.0), ("S", "E", -1, 1), ("N", "W", 1, -1), ("S", "W", -1, -1),
    ])
    func `south and west are negative`(
        north: String, east: String, latitude: Double, longitude: Double
    ) throws {
        try expect(
            position(
                "jpeg/grey.jpg",
                [
                    "-GPSLatitude=12.51", "-GPSLatitudeRef=\(north)",
                    "-GPSLongitude=170.26", "-GPSLongitudeRef=\(east)",
                ]), latitude * 12.51, longitude * 170.26)
    }

    @Test(arguments: [
        ["-GPSLatitude=12.5"], ["-GPSLatitude=12.5", "-GPSLatitudeRef=N"],
        ["-GPSLatitude=12.5", "-GPSLongitude=7"],
        ["-GPSLatitude=0", "-GPSLatitudeRef=N", "-GPSLongitude=0", "-GPSLongitudeRef=E"],
        [
            "-GPSLatitude=35", "-GPSLatitudeRef=N", "-GPSLongitude=139", "-GPSLongitudeRef=E",
            "-GPSMapDatum=TOKYO",
        ],
        ["-XMP-exif:GPSLatitude=12.5"],
    ])
    func `half a position, none, or one in another system is not told`(tags: [String]) throws {
        #expect(try position("jpeg/grey.jpg", tags) == nil)
    }

    @Test func `what a camera wrote counts more than what a program wrote`() throws {
        let tags = [
            "-EXIF:GPSLatitude=10", "-GPSLatitudeRef=N", "-EXIF:GPSLongitude=20",
            "-GPSLongitudeRef=E", "-XMP-exif:GPSLatitude=30", "-XMP-exif:GPSLongitude=40",
        ]
        try expect(position("jpeg/grey.jpg", tags), 10, 20)
    }

    @Test(arguments: [
        "", "N", "48,N", "48;51.5N", "48,51,30,1N", "-48N", "91N", "infN", "nanN", "48.5E", "48.5",
    ])
    func `a latitude of a packet that is none is not told`(latitude: String) {
        #expect(GeoPosition(xmpLatitude: latitude, longitude: "2,17.5E", datum: nil) == nil)
    }

    @Test func `degrees, minutes and seconds of a packet are read`() throws {
        try expect(
            GeoPosition(xmpLatitude: "48,51,30S", longitude: "2,17.5w", datum: "WGS-84"),
            -(48 + 51.5 / 60), -(2 + 17.5 / 60))
    }
}

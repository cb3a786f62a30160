// SPDX-License-Identifier: MIT

import Files
import Photos
import Pixels
import SystemPackage
import TestSupport
import Testing

/// The metadata of a photo, as ExifTool reads them.
@Suite struct ShotDescriptionTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    /// The values of some tags of a photo that says this, by name.
    private func values(_ description: ShotDescription) throws -> [String: String] {
        let bitmap = Bitmap(
            size: PixelSize(width: 2, height: 1), format: .rgb, bytes: [0, 0, 0, 255, 255, 255])
        let path = home.scratch.appending("photo.jpg")
        try home.write(bitmap.photo(description, quality: 95), to: path)
        let text = try ExifTool.run(["-s", "-validate", "-warning", "-all", path.string])
        var values: [String: String] = [:]
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            values[parts[0].split(separator: " ").joined()] = String(parts[1].drop { $0 == " " })
        }
        return values
    }

    @Test(arguments: [
        (0 as Int64, 0, "1970:01:01 00:00:00", "+00:00", "000"),
        (1_700_000_000_007, 345, "2023:11:15 03:58:20", "+05:45", "007"),
        (1_700_000_000_999, -570, "2023:11:14 12:43:20", "-09:30", "999"),
        (Int64.max, 60, "9999:12:31 01:00:00", "+01:00", "000"),
    ])
    func `the time is that of the person's clock, with its zone`(
        milliseconds: Int64, offset: Int, date: String, zone: String, fraction: String
    ) throws {
        let values = try values(
            ShotDescription(
                camera: "Camera", milliseconds: milliseconds, offset: offset, orientation: .upright)
        )
        #expect(values["DateTimeOriginal"] == date)
        #expect(values["ModifyDate"] == date)
        #expect(values["OffsetTimeOriginal"] == zone)
        #expect(values["SubSecTimeOriginal"] == fraction)
        #expect(values["Warning"] == nil, "\(values["Warning"] ?? "")")
    }

    @Test(arguments: [
        ("Integrated Camera: C922", "Integrated Camera: C922" as String?), ("", nil), (" ", nil),
        ("Caméra", "Caméra"), ("a\u{1B}[2J", "a\u{FFFD}[2J"),
    ])
    func `the model is the camera's name in one line, or missing`(
        name: String, model: String?
    ) throws {
        let values = try values(
            ShotDescription(camera: name, milliseconds: 0, offset: 0, orientation: .turnedLeft))
        #expect(values["Model"] == model)
        #expect(values["Orientation"] == "Rotate 270 CW")
    }

    @Test func `a name without an end is cut`() throws {
        let values = try values(
            ShotDescription(
                camera: String(repeating: "x", count: 100_000), milliseconds: .min, offset: .max,
                orientation: .upright))
        #expect(values["Model"]?.count == 63)
        #expect(values["OffsetTimeOriginal"] == "+23:59")
    }
}

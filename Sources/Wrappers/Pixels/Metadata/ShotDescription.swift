// SPDX-License-Identifier: MIT

package import Photos

/// What a photo of one of our cameras says of itself; nothing in it tells a place.
package struct ShotDescription: Sendable {
    private let camera: String
    private let date: CaptureDate?
    private let milliseconds: Int
    private let offset: Int
    private let orientation: Orientation

    /// - Parameters:
    ///   - camera: The name of the camera.
    ///   - milliseconds: When it was taken, since 1970.
    ///   - offset: How much the local time is ahead of UTC, in minutes; limited to a day.
    ///   - orientation: How the picture must be turned to be upright.
    package init(
        camera: String, milliseconds: Int64, offset: Int, orientation: Orientation
    ) {
        self.camera = camera.printable.cut(to: Self.longestName)
        self.offset = min(max(offset, -Self.mostMinutes), Self.mostMinutes)
        self.orientation = orientation
        // Times that no photo has are limited to those of the calendar, which ends in the year 9999.
        let time = min(max(milliseconds, 0), 253_402_214_400_000)
        date = CaptureDate(secondsInUTC: time / 1000 + Int64(self.offset) * 60)
        self.milliseconds = Int(time % 1000)
    }

    private static let longestName = 63
    private static let mostMinutes = 23 * 60 + 59

    // MARK: - EXIF

    private typealias Field = (tag: UInt16, type: UInt16, count: Int, value: [UInt8])

    private enum FieldType {
        static let ascii: UInt16 = 2
        static let short: UInt16 = 3
        static let long: UInt16 = 4
        static let rational: UInt16 = 5
        static let undefined: UInt16 = 7
    }

    /// EXIF data for a photo of a size, starting with the byte order.
    ///
    /// - Source: EXIF 2.32, 4.6.2 (structure), 4.6.5 (tags of the Exif directory).
    func exif(_ size: PixelSize) -> [UInt8] {
        var main: [Field] = []
        if !camera.isBlank { main.append(Self.text(0x0110, camera)) }
        main += [
            Self.short(0x0112, Int(orientation.rawValue)),
            // A resolution is required: 72 dots per inch stand for none.
            Self.rational(0x011A, 72), Self.rational(0x011B, 72), Self.short(0x0128, 2),
            Self.text(0x0131, "Photo Portal"),
        ]
        var details: [Field] = [Self.undefined(0x9000, Array("0232".utf8))]
        if let date {
            main.append(Self.text(0x0132, date.exif))
            details += [
                Self.text(0x9003, date.exif), Self.text(0x9004, date.exif),
                Self.text(0x9010, zone), Self.text(0x9011, zone), Self.text(0x9012, zone),
            ]
        }
        // Colours are in the middle of the pixels that share them.
        main.append(Self.short(0x0213, 1))
        // Y, Cb and Cr.
        details.append(Self.undefined(0x9101, [1, 2, 3, 0]))
        if date != nil { details.append(Self.text(0x9291, Self.digits(milliseconds, 3))) }
        details += [
            Self.undefined(0xA000, Array("0100".utf8)),
            // sRGB, which is what all programs assume of such a picture.
            Self.short(0xA001, 1), Self.long(0xA002, size.width), Self.long(0xA003, size.height),
        ]
        let header = Array("MM\0*".utf8) + Self.bytes(8, 4)
        main.append(Self.long(0x8769, 0))
        let start = header.count + Self.directory(main, at: header.count).count
        main[main.count - 1] = Self.long(0x8769, start)
        return header + Self.directory(main, at: header.count)
            + Self.directory(details, at: start)
    }

    /// A directory whose longer values follow it.
    private static func directory(_ fields: [Field], at start: Int) -> [UInt8] {
        var entries = bytes(fields.count, 2)
        var values: [UInt8] = []
        let end = start + 2 + fields.count * 12 + 4
        for field in fields {
            entries += bytes(Int(field.tag), 2) + bytes(Int(field.type), 2) + bytes(field.count, 4)
            if field.value.count <= 4 {
                entries += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
            } else {
                entries += bytes(end + values.count, 4)
                values += field.value
                // Values begin at even offsets.
                if !values.count.isMultiple(of: 2) { values.append(0) }
            }
        }
        return entries + bytes(0, 4) + values
    }

    private static func bytes(_ number: Int, _ width: Int) -> [UInt8] {
        ByteReader.Order.bigEndian.bytes(of: number, width: width)
    }

    private static func short(_ tag: UInt16, _ value: Int) -> Field {
        (tag, FieldType.short, 1, bytes(value, 2))
    }

    private static func long(_ tag: UInt16, _ value: Int) -> Field {
        (tag, FieldType.long, 1, bytes(value, 4))
    }

    private static func rational(_ tag: UInt16, _ value: Int) -> Field {
        (tag, FieldType.rational, 1, bytes(value, 4) + bytes(1, 4))
    }

    private static func undefined(_ tag: UInt16, _ value: [UInt8]) -> Field {
        (tag, FieldType.undefined, value.count, value)
    }

    private static func text(_ tag: UInt16, _ text: String) -> Field {
        let value = Array(text.utf8) + [0]
        return (tag, FieldType.ascii, value.count, value)
    }

    private var zone: String {
        let minutes = abs(offset)
        return (offset < 0 ? "-" : "+") + Self.digits(minutes / 60, 2) + ":"
            + Self.digits(minutes % 60, 2)
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

extension Bitmap {
    /// The picture as a JPEG file that says when it was taken, and with which camera.
    ///
    /// - Parameter quality: 1…100.
    /// - Throws: ``PixelError/tooLarge`` if JPEG cannot hold the picture, or memory cannot hold the file.
    package func photo(
        _ description: ShotDescription, quality: Int
    ) throws(PixelError) -> [UInt8] {
        try encoded(
            as: .jpeg, quality: quality, metadata: FileMetadata(exif: description.exif(size)),
            isSmall: false)
    }
}

// SPDX-License-Identifier: MIT

import Photos

/// The data sets of IPTC records.
///
/// - Source: IPTC Information Interchange Model 4.2, chapters 1 and 6.
struct IPTCRecords {
    /// The most bytes of all records.
    private static let maximumByteCount = 1 << 20
    /// The record with what people write.
    private static let application: UInt8 = 2

    private var sets: [(name: UInt8, value: ArraySlice<UInt8>)] = []

    init(_ records: Block) {
        let count = min(records.count, Self.maximumByteCount)
        let reader = records.reader(count: count, .bigEndian)
        var offset = 0
        while reader.uint8(at: offset) == 0x1C, let record = reader.uint8(at: offset + 1),
            let name = reader.uint8(at: offset + 2), let length = reader.uint16(at: offset + 3),
            // A longer length follows in a number of its own, which nobody writes.
            length < 0x8000, let value = reader.slice(at: offset + 5, count: Int(length))
        {
            if record == Self.application { sets.append((name, value)) }
            offset += 5 + Int(length)
        }
    }

    /// When the photo was taken; at midnight if the records contain no time.
    ///
    /// - Source: 2:55 (Date Created, `CCYYMMDD`) and 2:60 (Time Created, `HHMMSS±HHMM`).
    var created: CaptureDate? {
        guard let day = texts(55).first, day.utf8.count == 8 else { return nil }
        let date = "\(day.prefix(4))-\(day.dropFirst(4).prefix(2))-\(day.suffix(2))"
        let time = texts(60).first ?? ""
        let clock =
            "T\(time.prefix(2)):\(time.dropFirst(2).prefix(2)):\(time.dropFirst(4).prefix(2))"
        let zone = "\(time.dropFirst(6).prefix(3)):\(time.dropFirst(9).prefix(2))"
        return CaptureDate(iso: date + clock + zone) ?? CaptureDate(iso: date)
    }

    /// The values of a data set of the application record, in UTF-8 or, if they are not, in Latin-1.
    func texts(_ name: UInt8) -> [String] {
        sets.filter { $0.name == name }.map { set in
            String(validating: set.value, as: UTF8.self)
                ?? String(String.UnicodeScalarView(set.value.map { Unicode.Scalar($0) }))
        }
    }
}

// SPDX-License-Identifier: MIT

import Photos

/// The capture date in an XMP packet.
enum XMPDate {
    /// The properties that say when a photo was taken, the best one first, whatever their prefix is.
    ///
    /// - Source: Exif 2.32 metadata for XMP (CIPA DC-010), A.2.4; IPTC Photo Metadata, “Date
    ///   Created”; XMP Specification Part 1, 8.4.
    private static let names = [
        ":DateTimeOriginal", ":DateCreated", ":DateTimeDigitized", ":CreateDate",
    ].map { Array($0.utf8) }
    /// What all names contain.
    private static let common = Array("Date".utf8)
    private static let commonPlaces = names.map { $0[...].firstIndex(of: common, from: 0) ?? 0 }
    /// The most occurrences that are looked at; a packet may contain a history, and the packets of
    /// the pictures that one was made of.
    private static let maximumOccurrences = 4096
    /// More bytes than a date and what is between it and its name.
    private static let maximumValue = 64
    /// More bytes than a packet with a date; larger ones contain pictures.
    static let maximumPacket = 1 << 20

    /// Reads a packet; nil if it contains no date, or the date is incomplete.
    static func read(_ packet: ArraySlice<UInt8>) -> CaptureDate? {
        var best: CaptureDate?
        var rank = names.count
        var position = packet.startIndex
        for _ in 0..<maximumOccurrences where rank > 0 {
            guard let found = packet.firstIndex(of: common, from: position) else { break }
            position = found + common.count
            for better in 0..<rank {
                let start = found - commonPlaces[better]
                guard start >= packet.startIndex, packet[start...].starts(with: names[better])
                else { continue }
                if let date = date(packet[(start + names[better].count)...].prefix(maximumValue)) {
                    best = date
                    rank = better
                }
                break
            }
        }
        return best
    }

    /// Reads what follows a name: `="2026-05-03T14:10:59+02:00"`, or the content of an element.
    private static func date(_ rest: ArraySlice<UInt8>) -> CaptureDate? {
        let text = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let value: ArraySlice<UInt8>
        switch text.first {
        case UInt8(ascii: "="):
            value = text.dropFirst().drop { [0x20, 0x22, 0x27].contains($0) }
        case UInt8(ascii: ">"): value = text.dropFirst()
        default: return nil
        }
        let end = value.prefix { ![0x22, 0x27, UInt8(ascii: "<")].contains($0) }
        return CaptureDate(iso: String(decoding: end, as: UTF8.self))
    }
}

// SPDX-License-Identifier: MIT

import Photos

extension GeoPosition {
    /// The position that a picture's metadata states; nil if there is none, or if it is not in WGS 84.
    ///
    /// - Parameters:
    ///   - written: What is outside the EXIF data, which counts less: cameras write EXIF data.
    init?(_ source: EXIFSource?, _ written: PhotoTexts) {
        if let gps = source?.gps, let position = GeoPosition(gps) {
            self = position
        } else if let position = written.position {
            self = position
        } else {
            return nil
        }
    }

    /// Reads the GPS directory.
    ///
    /// - Source: EXIF 2.32, 4.6.6, “Tags relating to GPS”.
    private init?(_ gps: TIFFDirectory) {
        guard Self.isKnown(gps.text(Tag.gpsMapDatum)),
            let latitude = Self.degrees(gps, Tag.gpsLatitude, Tag.gpsLatitudeSide, ["N", "S"]),
            let longitude = Self.degrees(gps, Tag.gpsLongitude, Tag.gpsLongitudeSide, ["E", "W"])
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    private static func degrees(
        _ gps: TIFFDirectory, _ tag: UInt16, _ side: UInt16, _ sides: [String]
    ) -> Double? {
        let values = gps.fractions(tag)
        guard !values.isEmpty, values.count <= 3, let side = gps.text(side)?.first,
            let index = sides.firstIndex(of: side.uppercased())
        else { return nil }
        return sexagesimal(values) * (index == 0 ? 1 : -1)
    }

    /// Reads two properties of XMP, such as `48,51.504N` and `2,17,40.2E`.
    ///
    /// - Source: Exif 2.32 metadata for XMP (CIPA DC-010), 4.1: “GPSCoordinate”.
    init?(xmpLatitude latitude: String, longitude: String, datum: String?) {
        guard Self.isKnown(datum), let latitude = Self.degrees(latitude, ["N", "S"]),
            let longitude = Self.degrees(longitude, ["E", "W"])
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    private static func degrees(_ text: String, _ sides: [String]) -> Double? {
        guard let index = sides.firstIndex(of: text.suffix(1).uppercased()) else { return nil }
        let parts = text.dropLast().split(separator: ",", omittingEmptySubsequences: false)
        let values = parts.compactMap { Double($0) }
        guard (1...3).contains(parts.count), values.count == parts.count,
            values.allSatisfy({ $0 >= 0 && $0.isFinite })
        else { return nil }
        return sexagesimal(values) * (index == 0 ? 1 : -1)
    }

    /// Whether degrees of this geodetic system are ours; few cameras say, and mean WGS 84.
    private static func isKnown(_ datum: String?) -> Bool {
        guard let datum = datum?.filter({ $0.isLetter || $0.isNumber }), !datum.isEmpty else {
            return true
        }
        return datum.uppercased().hasPrefix("WGS84")
    }
}

// SPDX-License-Identifier: MIT

/// A place on the earth, in degrees of the World Geodetic System (WGS 84).
package struct GeoPosition: Hashable, Sendable {
    /// Positive in the north, -90 to 90.
    package let latitude: Double
    /// Positive in the east, -180 to 180.
    package let longitude: Double

    /// Makes a position; nil for numbers that are none, and for two zeros, which cameras write that do not
    /// know where they are.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude),
            latitude != 0 || longitude != 0
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Reads the position at the beginning of a text such as `+48.8584+002.2945+035.000/`.
    ///
    /// - Source: ISO 6709:2008, Annex H.
    package init?(iso6709 text: String) {
        var rest = text.prefix(Self.longestText).prefix { "+-.0123456789".contains($0) }
        var numbers: [Substring] = []
        while let sign = rest.first, "+-".contains(sign) {
            let digits = rest.dropFirst().prefix { !"+-".contains($0) }
            numbers.append(rest[..<digits.endIndex])
            rest = rest[digits.endIndex...]
        }
        // A third number is the height.
        guard (2...3).contains(numbers.count),
            let latitude = Self.degrees(numbers[0], digits: 2),
            let longitude = Self.degrees(numbers[1], digits: 3)
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    private static let longestText = 64

    /// Reads a sign and degrees, or degrees and minutes, or seconds as well, with a fraction at the end.
    ///
    /// - Parameter digits: How many digits the degrees have.
    private static func degrees(_ text: Substring, digits: Int) -> Double? {
        let sign: Double = text.first == "-" ? -1 : 1
        let number = text.dropFirst()
        let whole = number.prefix { $0 != "." }
        let fraction = number.dropFirst(whole.count)
        var values: [Double] = []
        var rest = whole
        // What has as many digits is written in minutes, and in seconds.
        let parts = [digits, digits + 2, digits + 4].firstIndex(of: whole.count) ?? 0
        for index in 0...parts {
            let isLast = index == parts
            let part = isLast ? rest : rest.prefix(index == 0 ? digits : 2)
            rest = rest.dropFirst(part.count)
            guard let value = Double(isLast ? part + fraction : part) else { return nil }
            values.append(value)
        }
        guard values.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        return sign * sexagesimal(values)
    }

    /// Degrees of degrees, minutes and seconds.
    package static func sexagesimal(_ values: [Double]) -> Double {
        values.reversed().reduce(0) { $0 / 60 + $1 }
    }
}

// SPDX-License-Identifier: MIT

/// How a camera took a photo, as its file says.
package struct Exposure: Hashable, Sendable {
    /// The exposure time in nanoseconds.
    package let nanoseconds: Int64?
    /// The f-number in hundredths: 180 is f/1.8.
    package let aperture: Int?
    /// The sensitivity by ISO.
    package let sensitivity: Int?
    /// The focal length of the lens in hundredths of a millimetre.
    package let focalLength: Int?

    /// - Note: What is not believable is left out.
    package init(
        nanoseconds: Int64? = nil, aperture: Int? = nil, sensitivity: Int? = nil,
        focalLength: Int? = nil
    ) {
        func known<Value: Comparable>(_ value: Value?, _ range: ClosedRange<Value>) -> Value? {
            value.flatMap { range.contains($0) ? $0 : nil }
        }
        self.nanoseconds = known(nanoseconds, Self.times)
        self.aperture = known(aperture, Self.apertures)
        self.sensitivity = known(sensitivity, Self.sensitivities)
        self.focalLength = known(focalLength, Self.focalLengths)
    }

    /// Up to a day.
    private static let times: ClosedRange<Int64> = 1000...86_400_000_000_000
    /// Up to f/655.
    private static let apertures = 10...65_500
    private static let sensitivities = 1...100_000_000
    /// Up to 100 metres.
    private static let focalLengths = 10...10_000_000

    package var isEmpty: Bool { self == Exposure() }

    /// The exposure time as the denominator of a fraction of a second, as cameras show times of less than
    /// 0.3 s: 250 is 1/250 s; nil for longer ones, and if it is unknown.
    package var denominator: Int64? {
        let second: Int64 = 1_000_000_000
        guard let nanoseconds, nanoseconds < second * 3 / 10 else { return nil }
        return (second + nanoseconds / 2) / nanoseconds
    }
}

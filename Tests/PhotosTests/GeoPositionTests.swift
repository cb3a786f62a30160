// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct GeoPositionTests {
    private static let known: [(String, Double, Double)] = [
        ("+48.8584+002.2945/", 48.8584, 2.2945),
        ("+48.8584+002.2945+035.000/", 48.8584, 2.2945),
        ("+27.5916+086.5640+8850CRSWGS_84/", 27.5916, 86.5640),
        ("-33.8568+151.2153/", -33.8568, 151.2153),
        ("+40-075/", 40, -75),
        // Degrees and minutes, and seconds as well.
        ("+4030.00-07500.30/", 40.5, -75.005),
        ("+403000.0-0750018.0/", 40.5, -75.005),
        // As Android writes it.
        ("+48.8584+2.2945/", 48.8584, 2.2945),
    ]

    @Test(arguments: known)
    func `a position is read as ISO 6709 writes it`(
        text: String, latitude: Double, longitude: Double
    ) throws {
        let position = try #require(GeoPosition(iso6709: text))
        #expect(abs(position.latitude - latitude) < 1e-9)
        #expect(abs(position.longitude - longitude) < 1e-9)
    }

    @Test(arguments: [
        "", "/", "Paris", "+48.8584", "48.8584+002.2945/", "+48.8584 +002.2945/", "+91+000/",
        "+48+181/", "+-48+2/", "+4860.0+00200.0/", "++/", "+1.2.3+4/", "+00.0000+000.0000/",
        "+inf+nan/", String(repeating: "+", count: 1 << 20),
    ])
    func `what is no position is not read as one`(text: String) {
        #expect(GeoPosition(iso6709: text) == nil)
    }

    @Test(arguments: [
        (90.1, 0.0), (0, -180.1), (.nan, 1), (1, .nan), (.infinity, 1), (0, 0),
    ])
    func `numbers that are no position make none`(latitude: Double, longitude: Double) {
        #expect(GeoPosition(latitude: latitude, longitude: longitude) == nil)
    }

    @Test func `the edges of the map are positions`() {
        #expect(GeoPosition(latitude: -90, longitude: -180) != nil)
        #expect(GeoPosition(latitude: 0, longitude: 180) != nil)
    }
}

// SPDX-License-Identifier: MIT

import Testing

@testable import WebFetch

/// What a server says of how long its answer is true: RFC 9111.
@Suite struct FreshnessTests {
    @Test(
        arguments: [
            (nil, nil, true, 0), ("max-age=60", nil, true, 60), ("MAX-AGE = 60", nil, true, 60),
            ("public, max-age=\"60\"", nil, true, 60), ("max-age=60", "20", true, 40),
            ("max-age=60", "90", true, 0), ("no-cache, max-age=60", nil, true, 0),
            ("max-age=60, no-store", nil, false, 60), ("private", nil, true, 0),
            ("max-age=-1", nil, true, 0), ("max-age=x", nil, true, 0), ("max-age", nil, true, 0),
            ("max-age=99999999999999999999", nil, true, 31_536_000), (",,=,", nil, true, 0),
            ("s-maxage=60", nil, true, 0),
        ] as [(String?, String?, Bool, UInt32)])
    func `S2.22 Cache-Control says how long and whether a picture is kept`(
        control: String?, age: String?, isStorable: Bool, lifetime: UInt32
    ) {
        let freshness = Freshness(
            control: control, age: age, entityTag: nil, lastModified: nil)
        #expect(freshness.isStorable == isStorable)
        #expect(freshness.lifetime == lifetime)
    }

    @Test func `a validator is one line of ASCII`() {
        #expect(Freshness.validator("W/\"1\"") == "W/\"1\"")
        for wrong in ["", "a\r\nHost: b", "ä", String(repeating: "a", count: 1025)] {
            #expect(Freshness.validator(wrong) == nil)
        }
    }
}

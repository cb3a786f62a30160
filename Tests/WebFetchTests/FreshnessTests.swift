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
            ("s-maxage=60", nil, true, 0), ("max-age=60, max-age=20", nil, true, 20),
        ] as [(String?, String?, Bool, UInt32)])
    func `S2.22 Cache-Control says how long and whether a picture is kept`(
        control: String?, age: String?, isStorable: Bool, lifetime: UInt32
    ) {
        let freshness = Freshness(
            control: control, age: age, entityTag: nil, lastModified: nil)
        #expect(freshness.isStorable == isStorable)
        #expect(freshness.lifetime == lifetime)
    }

    @Test func `what may be another picture for another request is not kept`() {
        for (vary, isStorable) in [("Accept", true), ("*", false), ("Accept, *", false)] {
            let freshness = Freshness(
                control: "max-age=60", age: nil, vary: vary, entityTag: nil, lastModified: nil)
            #expect(freshness.isStorable == isStorable)
        }
    }

    @Test func `what redirects lead to is kept no longer than they are`() {
        let target = Freshness(
            control: "max-age=60", age: nil, entityTag: "\"1\"", lastModified: "then")
        func limited(_ control: String?, otherwise: UInt32 = 0) -> Freshness {
            target.limited(
                by: Freshness(
                    control: control, age: nil, entityTag: "\"2\"", lastModified: nil,
                    otherwise: otherwise))
        }
        #expect(limited("max-age=20").lifetime == 20)
        #expect(limited("max-age=90").lifetime == 60)
        #expect(limited(nil).lifetime == 0)
        #expect(limited(nil, otherwise: 90).lifetime == 60)
        #expect(limited("no-cache", otherwise: 90).lifetime == 0)
        #expect(!limited("no-store", otherwise: 90).isStorable)
        #expect(limited("max-age=20").entityTag == nil)
        #expect(limited("max-age=20").lastModified == nil)
    }

    @Test func `a validator is one line of ASCII`() {
        #expect(Freshness.validator("W/\"1\"") == "W/\"1\"")
        for wrong in ["", "a\r\nHost: b", "ä", String(repeating: "a", count: 1025)] {
            #expect(Freshness.validator(wrong) == nil)
        }
    }
}

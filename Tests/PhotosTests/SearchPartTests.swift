// SPDX-License-Identifier: MIT

import Photos
import Testing

/// A search without one of its parts, as after a click on the part's button.
@Suite struct SearchPartTests {
    /// A Wednesday.
    private static let today = CalendarDay(year: 2026, month: 5, day: 6) ?? .beginning

    private func query(_ text: String) -> SearchQuery { SearchQuery(text, today: Self.today) }

    @Test(
        arguments: [
            ("videos sea", 0, "sea"), ("videos sea ", 0, "sea "), ("sea videos", 1, "sea "),
            ("october 2019 sea", 0, "sea"), ("sea october 2019 cat", 1, "sea cat"),
            ("videos", 0, ""), ("2019年10月的海", 0, "海"), ("去年视频", 1, "去年 "),
            ("\"red sun\" videos", 1, "\"red sun\" "), ("\"video\" raw x", 1, "\"video\" x"),
        ])
    func `what is left is what a person would have written`(
        text: String, term: Int, rest: String
    ) throws {
        let query = query(text)
        try #require(query.terms.indices.contains(term))
        #expect(query.text(without: query.terms[term], today: Self.today) == rest)
    }

    @Test(arguments: [
        "sea 3 october videos", "videos \"october 2019\" raw", "a.b raw c-d", "3.10.2019 sea",
        "last week portrait sea ", "上周竖图的海", "\u{201C}raw\u{201D} \u{201C}a b\u{201D} raw.",
    ])
    func `what is left means the same as before`(text: String) {
        let query = query(text)
        for term in query.terms {
            let rest = self.query(query.text(without: term, today: Self.today))
            #expect(rest.terms == query.terms.filter { $0 != term })
        }
    }
}

// SPDX-License-Identifier: MIT

import Photos
import Testing

/// What a text means that somebody searches for.
@Suite struct SearchQueryTests {
    /// A Wednesday.
    private static let today = CalendarDay(year: 2026, month: 5, day: 6) ?? .beginning

    private func query(_ text: String) -> SearchQuery { SearchQuery(text, today: Self.today) }

    /// The terms in a short form: words, a star if the last may go on, and the facet.
    private func described(_ text: String) -> [String] {
        query(text).terms.map { term in
            let words = term.words.map { $0.text + ($0.isPrefix ? "*" : "") } ?? "-"
            return term.facet.map { "\(words) = \(Self.described($0))" } ?? words
        }
    }

    private static func described(_ facet: SearchFacet) -> String {
        func day(_ day: CalendarDay) -> String { "\(day.year)-\(day.month)-\(day.day)" }
        return switch facet {
        case .days(let ranges):
            ranges.map { "\(day($0.first))..<\(day($0.end))" }.joined(separator: " ")
        case .everyYear(let month, let day): "month \(month)" + (day.map { " day \($0)" } ?? "")
        case .types(let types): types.map(\.rawValue).joined(separator: " ")
        default: "\(facet)"
        }
    }

    // MARK: - Words

    @Test(
        arguments: [
            ("sun", ["sun*"]), ("sun ", ["sun"]), ("red sun", ["red", "sun*"]),
            ("  red\tsun\n", ["red", "sun"]), ("sun sun ", ["sun"]),
            ("\"red sun\"", ["red sun"]), ("a \"red sun\" b", ["a", "red sun", "b*"]),
            ("\"red sun", ["red sun*"]), ("\u{201E}rote Sonne\u{201C}", ["rote Sonne"]),
            ("「日落」", ["日落"]), ("a\"b\"c", ["a", "b", "c*"]), ("\"\"", []), ("\"", []),
            ("日落", ["日落*"]), ("Müller", ["Müller*"]), ("IMG_0001.jpg", ["IMG_0001.jpg*"]),
        ])
    func `words and phrases are told apart`(text: String, terms: [String]) {
        #expect(described(text) == terms)
    }

    @Test(arguments: [
        "OR", "NOT", "AND", "NEAR(a b, 3)", "a*", "^a", "title:a", "{a b}:c", "-a", "+a", "(a",
        "a)",
        "a';DROP TABLE asset", "a%", "a_b", "\\a", "a AND", "'a'",
    ])
    func `nothing is an operator`(text: String) {
        // The words are quoted for the database; here they have to stay what they are.
        let words = query(text).terms.compactMap(\.words?.text)
        #expect(!words.isEmpty)
        #expect(words.allSatisfy { text.contains($0) })
    }

    @Test(arguments: ["", " ", "\t\n", "\u{200B}", "\u{00A0}"])
    func `a blank text restricts nothing`(text: String) {
        #expect(query(text).isEmpty)
    }

    @Test(arguments: ["-", "***", "!?", "\"*\"", "❤️", "♥", "\u{0301}"])
    func `a text without letters and digits finds nothing`(text: String) {
        #expect(query(text).findsNothing)
        #expect(!query(text).isEmpty)
        // Beside a word it does not count.
        #expect(described("sun \(text) ") == ["sun"])
    }

    @Test func `control characters separate words and reach no term`() {
        let text =
            (0..<32).map { "a\($0)\(Unicode.Scalar(UInt8($0)))" }.joined() + "\u{7F}\u{202E}b"
        for term in query(text).terms {
            #expect(
                term.words?.text.unicodeScalars.allSatisfy {
                    $0.properties.generalCategory != .control
                } == true)
        }
        #expect(described("a\u{0}b") == ["a", "b*"])
    }

    @Test func `of a very long text the beginning is read`() {
        let words = (0..<5000).map { "w\($0)" }.joined(separator: " ")
        #expect(query(words).terms.count == SearchQuery.mostTerms)
        let one = String(repeating: "x", count: 10_000)
        #expect(described(one) == [String(repeating: "x", count: SearchQuery.longestText) + "*"])
        #expect(query(String(repeating: "\"", count: 10_000)).findsNothing)
        #expect(query(String(repeating: "2019年", count: 3000)).terms.count == 2)
    }

    // MARK: - Dates

    @Test(
        arguments: [
            ("2019", "2019-1-1..<2020-1-1"), ("2019-10", "2019-10-1..<2019-11-1"),
            ("2019-12", "2019-12-1..<2020-1-1"), ("2019/10", "2019-10-1..<2019-11-1"),
            ("10/2019", "2019-10-1..<2019-11-1"), ("10.2019", "2019-10-1..<2019-11-1"),
            ("2019-10-03", "2019-10-3..<2019-10-4"), ("3.10.2019", "2019-10-3..<2019-10-4"),
            ("2020-02-29", "2020-2-29..<2020-3-1"),
            ("3/10/2019", "2019-3-10..<2019-3-11 2019-10-3..<2019-10-4"),
            ("31/10/2019", "2019-10-31..<2019-11-1"), ("3/3/2019", "2019-3-3..<2019-3-4"),
            ("october", "month 10"), ("Oktober", "month 10"), ("MÄRZ", "month 3"),
            ("mai", "month 5"),
            ("Jänner", "month 1"), ("十月", "month 10"), ("12月", "month 12"), ("十二月", "month 12"),
            ("october 2019", "2019-10-1..<2019-11-1"), ("2019 Oktober", "2019-10-1..<2019-11-1"),
            ("3 october 2019", "2019-10-3..<2019-10-4"), ("3. Oktober", "month 10 day 3"),
            ("October 3, 2019", "2019-10-3..<2019-10-4"), ("october 3rd", "month 10 day 3"),
            ("2019年", "2019-1-1..<2020-1-1"), ("2019年10月", "2019-10-1..<2019-11-1"),
            ("2019年10月3日", "2019-10-3..<2019-10-4"), ("10月3号", "month 10 day 3"),
            ("today", "2026-5-6..<2026-5-7"), ("gestern", "2026-5-5..<2026-5-6"),
            ("昨天", "2026-5-5..<2026-5-6"), ("vorgestern", "2026-5-4..<2026-5-5"),
            ("last week", "2026-4-27..<2026-5-4"), ("letzte Woche", "2026-4-27..<2026-5-4"),
            ("上周", "2026-4-27..<2026-5-4"), ("this week", "2026-5-4..<2026-5-11"),
            ("last month", "2026-4-1..<2026-5-1"), ("letzten Monat", "2026-4-1..<2026-5-1"),
            ("上个月", "2026-4-1..<2026-5-1"), ("last year", "2025-1-1..<2026-1-1"),
            ("letztes Jahr", "2025-1-1..<2026-1-1"), ("去年", "2025-1-1..<2026-1-1"),
        ])
    func `dates are understood in every language, and still found as words`(
        text: String, facet: String
    ) {
        let terms = described(text + " ")
        #expect(terms == ["\(text) = \(facet)"])
    }

    @Test(arguments: [
        "1700", "2500", "20190", "201", "2019-13", "2019-00", "2019-02-30", "32.1.2019",
        "13/13/2019",
        "1-2-3-2019", "2019-", "13月", "octobre", "week",
    ])
    func `what is no date is a word`(text: String) {
        #expect(described(text + " ") == [text])
    }

    @Test func `in january the last month is december`() throws {
        let january = try #require(CalendarDay(year: 2026, month: 1, day: 1))
        let facet = SearchQuery("last month", today: january).terms.first?.facet
        #expect(facet.map(Self.described) == "2025-12-1..<2026-1-1")
        // A Thursday, whose week began in December.
        let week = SearchQuery("this week", today: january).terms.first?.facet
        #expect(week.map(Self.described) == "2025-12-29..<2026-1-5")
    }

    // MARK: - Everything else

    @Test(
        arguments: [
            ("photos", "picture"), ("Bilder", "picture"), ("照片", "picture"), ("video", "video"),
            ("视频", "video"), ("animation", "animation"), ("动图", "animation"), ("RAW", "raw"),
            ("live", "live"), ("Live-Fotos", "live"), ("motion photos", "live"), ("实况", "live"),
            ("png", "image/png"), ("JPEG", "image/jpeg"), ("mov", "video/quicktime"),
            ("portrait", "portrait"), ("Hochformat", "portrait"), ("横图", "landscape"),
            ("square", "square"), ("quadratisch", "square"), ("has a place", "hasPlace"),
            ("mit Ort", "hasPlace"), ("有位置", "hasPlace"), ("favourites", "favorite"),
            ("Favoriten", "favorite"), ("收藏", "favorite"),
        ])
    func `types, shapes, places and favorites are understood in every language`(
        text: String, facet: String
    ) {
        #expect(described(text + " ") == ["\(text) = \(facet)"])
    }

    @Test(
        arguments: [
            (
                "favorite videos october 2019 sea",
                [
                    "favorite = favorite", "videos = video", "october 2019 = 2019-10-1..<2019-11-1",
                    "sea*",
                ]
            ),
            ("去年的视频", ["去年 = 2025-1-1..<2026-1-1", "视频* = video"]),
            ("2019年10月海滩", ["2019年10月 = 2019-10-1..<2019-11-1", "海滩*"]),
            ("\"october 2019\" ", ["october 2019"]), ("\"video\" ", ["video"]),
            ("last \"week\" ", ["last", "week"]),
        ])
    func `several terms are read together, and phrases mean no more than themselves`(
        text: String, terms: [String]
    ) {
        #expect(described(text) == terms)
    }
}

@Suite struct CalendarDayTests {
    @Test func `days follow one another across all months and centuries`() throws {
        var day = try #require(CalendarDay(year: 1899, month: 12, day: 30))
        var weekday = day.weekday
        // A Saturday.
        #expect(weekday == 5)
        for _ in 0..<80_000 {
            let next = try #require(day.adding(days: 1))
            #expect(day < next)
            #expect(next.day == day.day + 1 || next.day == 1)
            #expect(next.weekday == (weekday + 1) % 7)
            #expect(next.adding(days: -1) == day)
            (day, weekday) = (next, next.weekday)
        }
        #expect(day.year == 2119)
        #expect(CalendarDay(year: 2026, month: 2, day: 29) == nil)
        #expect(CalendarDay(year: 9999, month: 12, day: 31)?.adding(days: 1) == nil)
    }

    @Test func `months beyond a year are in another one`() {
        #expect(
            CalendarDay(year: 2026, monthFromJanuary: 13)
                == CalendarDay(year: 2027, month: 1, day: 1))
        #expect(
            CalendarDay(year: 2026, monthFromJanuary: 0)
                == CalendarDay(year: 2025, month: 12, day: 1))
        #expect(
            CalendarDay(year: 2026, monthFromJanuary: -12)
                == CalendarDay(year: 2024, month: 12, day: 1))
    }
}

// SPDX-License-Identifier: MIT

import Photos
import Testing

/// The word at the end of a search, and what takes its place.
@Suite struct UnfinishedWordTests {
    @Test(arguments: [
        ("sum", "", "sum"), ("boat sum", "boat ", "sum"), ("boat  sum", "boat  ", "sum"),
        ("\"two boats\" sum", "\"two boats\" ", "sum"),
        ("\"two boats\"sum", "\"two boats\"", "sum"),
        ("boat \"two bo", "boat ", "two bo"), ("\u{201E}zwei Bo", "", "zwei Bo"),
        ("海边 日", "海边 ", "日"), ("بحر صي", "بحر ", "صي"), ("a_b%", "", "a_b%"),
        ("\"two\0bo", "", "two bo"),
    ])
    func `the last word is unfinished until a blank follows`(
        text: String, before: String, word: String
    ) throws {
        let found = try #require(UnfinishedWord(in: text))
        #expect(found.before == before)
        #expect(found.text == word)
    }

    @Test(arguments: [
        "", " ", "sum ", "\"two boats\"", "boat -", "***", "boat \"", "\u{3000}", "\u{200F}",
        String(repeating: "a", count: 1 << 20), String(repeating: "a ", count: 600) + "b",
    ])
    func `nothing is unfinished in a text that ends otherwise, or is not read`(text: String) {
        #expect(UnfinishedWord(in: text) == nil)
    }

    @Test func `a text takes the place of the word`() throws {
        let word = try #require(UnfinishedWord(in: "boat  new yo"))
        #expect(word.wordsBefore == ["boat", "new"])
        #expect(word.replaced(by: "\"Yosemite\"") == "boat  new \"Yosemite\" ")
        #expect(word.replaced(by: "\"New York\"", andWordsBefore: 1) == "boat  \"New York\" ")
        #expect(word.replaced(by: "") == "boat  new ")
        #expect(word.replaced(by: "x", andWordsBefore: 9) == "x ")
    }

    @Test func `what takes its place is apart from a phrase before it`() throws {
        let word = try #require(UnfinishedWord(in: "\"two boats\"sum"))
        #expect(word.replaced(by: "\"summer\"") == "\"two boats\" \"summer\" ")
        #expect(word.wordsBefore == [])
    }

    @Test func `a text in quotation marks means itself`() throws {
        let day = try #require(CalendarDay(year: 2026, month: 5, day: 1))
        for text in ["2019", "video", "last week", "日落", "صيف", "50% _off_", "a \"b\" c"] {
            let quoted = try #require(SearchWords.quoted(text))
            let terms = SearchQuery("\(quoted) ", today: day).terms
            #expect(terms.count == 1)
            #expect(terms.first?.facet == nil)
            #expect(terms.first?.words?.isPrefix == false)
        }
        #expect(SearchWords.quoted("a \u{201C}b\u{201D}") == "\"a  b \"")
        #expect(SearchWords.quoted("\"\" - \u{1F600}") == nil)
    }

    @Test func `months are known by the beginning of their names`() {
        #expect(UnfinishedWord.months(beginningWith: "oct") == [10])
        #expect(UnfinishedWord.months(beginningWith: "okto") == [10])
        #expect(UnfinishedWord.months(beginningWith: "ju") == [6, 7])
        #expect(UnfinishedWord.months(beginningWith: "octopus") == [])
    }

    @Test func `each kind has its turn before there are more of one`() {
        func suggestion(_ kind: SearchSuggestion.Kind, _ title: String) -> SearchSuggestion {
            SearchSuggestion(kind: kind, title: title, count: 1, text: title)
        }
        let dates = (1...4).map { suggestion(.date, "d\($0)") }
        let words = (1...5).map { suggestion(.keyword, "k\($0)") }
        let shown = (dates + words + [suggestion(.lens, "l1")]).shown
        #expect(shown.map(\.title) == ["d1", "d2", "k1", "k2", "l1", "d3"])
        #expect(dates.shown == dates)
    }
}

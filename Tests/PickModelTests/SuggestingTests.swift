// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// What is suggested while a person types.
@Suite struct SuggestingTests {
    private let sea = album("sea")
    private let summer = SearchSuggestion(
        kind: .keyword, title: "summer", count: 3, text: "\"summer\" ")

    /// The queries for which suggestions are wanted.
    private func asked(_ session: Session) -> [PhotoQuery] {
        session.effects.compactMap { if case .suggest(let query) = $0 { query } else { nil } }
    }

    @Test func `each key asks for suggestions, and the answer to the last one counts`() throws {
        var session = try Session(photos: 5)
        for text in ["s", "su"] { session.send(.searched(text)) }
        let queries = asked(session)
        #expect(queries.map(\.searchText) == ["s", "su"])
        session.send(.suggested(queries[0], [summer]))
        #expect(session.pick.suggestions == [])
        session.send(.suggested(queries[1], [summer]))
        #expect(session.pick.suggestions == [summer])
        // Those for an earlier text stay until there are others.
        session.send(.searched("sum"))
        #expect(session.pick.suggestions == [summer])
    }

    @Test(arguments: ["su ", "", " ", "\"su\""])
    func `without an unfinished word nothing is suggested`(text: String) throws {
        var session = try Session(photos: 5)
        session.send(.searched("su"))
        session.send(.suggested(session.pick.query, [summer]))
        session.effects = []
        session.send(.searched(text))
        #expect(asked(session) == [])
        #expect(session.pick.suggestions == [])
    }

    @Test func `an answer that is late brings nothing back`() throws {
        var session = try Session(photos: 5)
        session.send(.searched("su"))
        let query = try #require(asked(session).last)
        session.send(.searched("su "))
        session.send(.suggested(query, [summer]))
        #expect(session.pick.suggestions == [])
    }

    @Test func `another album asks again`() throws {
        var session = try Session(photos: 5, albums: [sea: [1, 2]])
        session.send(.searched("su"))
        session.send(.albumChosen(sea))
        #expect(asked(session).map(\.album) == [.all, sea])
    }

    @Test func `a library that changes asks nothing again`() throws {
        var session = try Session(photos: 5)
        session.send(.searched("su"))
        session.answer()
        session.effects = []
        session.send(.libraryChanged)
        #expect(session.load != nil)
        #expect(asked(session) == [])
    }
}

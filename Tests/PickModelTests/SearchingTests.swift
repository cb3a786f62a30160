// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// Searching in the window: what is shown, and what stays chosen.
@Suite struct SearchingTests {
    private let sea = album("sea")

    @Test func `each key begins a search of its own`() throws {
        var session = try Session(photos: 5)
        for text in ["s", "se", "sea"] { session.send(.searched(text)) }
        let texts = session.effects.compactMap {
            if case .load(let load) = $0 { load.query.searchText } else { nil }
        }
        #expect(texts == ["s", "se", "sea"])
        session.answer()
        #expect(session.pick.shown?.searchText == "sea")
    }

    @Test func `the first photos that are found appear before the others`() throws {
        var session = try Session(photos: 5)
        session.send(.searched("sea"))
        let load = try #require(session.load)
        #expect(load.showsBeginning)
        session.send(.began(load, list([2])))
        #expect(session.listed == [2])
        #expect(!session.pick.isComplete)
        session.send(.loaded(load, session.contents(for: load, photos: [2, 4])))
        #expect(session.listed == [2, 4])
        #expect(session.pick.isComplete)
    }

    @Test func `blanks are no search`() throws {
        var session = try Session(photos: 5)
        session.send(.searched(" \t"))
        #expect(session.load == nil)
        session.send(.searched("sea"))
        session.send(.searched("sea "))
        #expect(session.load?.query.searchText == "sea ")
    }

    @Test func `a search goes on in another album`() throws {
        var session = try Session(photos: 5, albums: [sea: [1, 2]])
        session.send(.searched("x"))
        session.send(.albumChosen(sea))
        #expect(session.load?.query.searchText == "x")
        #expect(session.load?.query.album == sea)
    }

    @Test func `what was chosen stays chosen, whether or not it is found`() throws {
        var session = try Session(photos: 5)
        session.click(1)
        session.click(4)
        session.send(.searched("x"))
        let load = try #require(session.load)
        session.send(.loaded(load, session.contents(for: load, photos: [3, 4])))
        session.click(3)
        #expect(session.chosen == [1, 4, 3])
        session.send(.searched(""))
        session.answer()
        #expect(session.chosen == [1, 4, 3])
        session.send(.accepted)
        #expect(session.delivered == [1, 4, 3])
    }

    @Test func `Ctrl+A chooses what was found, even before all of it is known`() throws {
        var session = try Session(photos: 5)
        session.send(.searched("x"))
        let load = try #require(session.load)
        session.send(.began(load, list([3])))
        session.key(.selectAll)
        #expect(session.chosen == [])
        session.send(.loaded(load, session.contents(for: load, photos: [3, 4])))
        #expect(session.chosen == [3, 4])
    }

    @Test func `a page without results says what was searched for, and where`() throws {
        var session = try Session(photos: 5, albums: [sea: [1, 2]])
        session.send(.searched("x"))
        var load = try #require(session.load)
        session.send(.loaded(load, session.contents(for: load, photos: [])))
        #expect(session.pick.page == .nothingFound("x", isInAlbum: false))
        session.send(.albumChosen(sea))
        load = try #require(session.load)
        session.send(.loaded(load, session.contents(for: load, photos: [])))
        #expect(session.pick.page == .nothingFound("x", isInAlbum: true))
        session.send(.searched(""))
        session.answer()
        #expect(session.pick.page == .photos)
        #expect(session.listed == [1, 2])
    }
}

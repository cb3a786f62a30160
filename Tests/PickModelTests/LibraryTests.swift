// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// The content of the window while albums are opened and the library changes.
@Suite struct LibraryTests {
    private let sea = album("sea")
    private let garden = album("garden")

    private func session(
        _ change: (inout PickOptions) -> Void = { _ in }
    ) throws -> Session {
        var session = try Session(photos: 5, change)
        session.library[sea] = [1, 2]
        session.library[garden] = [3, 4, 5]
        session.send(.libraryChanged)
        session.answer()
        return session
    }

    // MARK: - Outdated results

    @Test func `photos of an album that is no longer shown are dropped`() throws {
        var session = try session()
        session.send(.albumChosen(sea))
        let left = try #require(session.load)
        session.send(.albumChosen(garden))
        let current = try #require(session.load)
        session.send(.loaded(left, session.contents(for: left)))
        #expect(session.listed == [1, 2, 3, 4, 5])
        #expect(session.pick.query.album == garden)
        session.send(.loaded(current, session.contents(for: current)))
        #expect(session.listed == [3, 4, 5])
        // Even if it arrives last.
        session.send(.loaded(left, session.contents(for: left)))
        session.send(.began(left, list([1])))
        session.send(.failed(left))
        #expect(session.listed == [3, 4, 5])
    }

    @Test func `a refresh of an album that is no longer shown is dropped`() throws {
        var session = try session()
        session.send(.libraryChanged)
        let refresh = try #require(session.load)
        session.send(.albumChosen(sea))
        session.send(.loaded(refresh, session.contents(for: refresh)))
        #expect(session.pick.isLoading)
        session.answer()
        #expect(session.listed == [1, 2])
        #expect(!session.pick.isLoading)
    }

    @Test func `results of a search that has changed are dropped`() throws {
        var session = try session()
        session.send(.searched("s"))
        let first = try #require(session.load)
        session.send(.searched("se"))
        session.send(.loaded(first, session.contents(for: first)))
        #expect(session.pick.isLoading)
        #expect(session.load?.query.searchText == "se")
    }

    @Test func `changes during a load cause one more, and nothing is dropped`() throws {
        var session = try session()
        session.send(.libraryChanged)
        let load = try #require(session.load)
        session.effects = []
        for _ in 0..<5 { session.send(.libraryChanged) }
        #expect(session.effects.isEmpty)
        session.library[.all] = [7]
        session.send(.loaded(load, session.contents(for: load)))
        #expect(session.listed == [7])
        #expect(session.effects.count == 1)
        session.answer()
        #expect(session.effects.isEmpty)
    }

    @Test func `the beginning of an album is shown before the rest`() throws {
        var session = try session()
        session.send(.albumChosen(garden))
        let load = try #require(session.load)
        #expect(load.showsBeginning)
        session.send(.began(load, list([3])))
        #expect(session.listed == [3])
        session.answer()
        #expect(session.listed == [3, 4, 5])
    }

    // MARK: - Albums

    @Test func `an album that does not exist is ignored, and so is only_album`() throws {
        var session = try Session {
            $0.album = album("nowhere")
            $0.isOnlyAlbum = true
        }
        #expect(session.pick.query.album == .all)
        #expect(!session.pick.isLimitedToAlbum)
        #expect(session.listed.count == 9)
        session.change(to: [1])
        #expect(!session.pick.isLimitedToAlbum)
    }

    @Test func `only_album never shows another album, even when the album becomes empty`() throws {
        let sea = sea
        var session = try Session(albums: [sea: [1, 2]]) {
            $0.album = sea
            $0.isOnlyAlbum = true
        }
        #expect(session.listed == [1, 2])
        #expect(session.pick.isLimitedToAlbum)
        session.send(.albumChosen(.all))
        #expect(session.pick.query.album == sea)
        session.library[sea] = nil
        session.send(.libraryChanged)
        session.answer()
        #expect(session.listed.isEmpty)
        #expect(session.pick.page == .emptyAlbum)
    }

    @Test func `a chosen photo that disappears is not dropped without a word`() throws {
        var session = try Session()
        session.click(2)
        session.click(3)
        session.change(to: [1, 3, 4])
        #expect(
            session.effects == [.announce(.notReady(.changed([.asset(id(2))], name: nil)))])
        #expect(session.pick.selection.assetIDs == [id(3)])
    }

    @Test func `a photo that was gone before the window opened is nothing to tell`() throws {
        let session = try Session { $0.preselected = [id(1), id(20)] }
        var fresh = Pick(session.pick.request)
        guard case .load(let load) = fresh.handle(.opened()).first else {
            Issue.record("no load")
            return
        }
        let effects = fresh.handle(
            .loaded(load, session.contents(for: load, gone: [id(20)])))
        #expect(effects.isEmpty)
        #expect(fresh.selection.assetIDs == [id(1)])
    }

    @Test func `all photos replace an album that disappears`() throws {
        var session = try session()
        session.send(.albumChosen(sea))
        session.answer()
        session.library[sea] = nil
        session.send(.libraryChanged)
        session.answer()
        #expect(session.pick.query.album == .all)
        #expect(session.listed == [1, 2, 3, 4, 5])
    }

    @Test func `albums without photos are not offered, but all photos and the one in view are`()
        throws
    {
        var session = try session()
        session.library = [.all: [], garden: [], sea: []]
        session.send(.libraryChanged)
        session.answer()
        #expect(session.pick.albums.map(\.id) == [.all])
        session.send(.albumChosen(sea))
        session.answer()
        #expect(session.pick.albums.map(\.id) == [.all, sea])
    }

    // MARK: - Pages

    @Test func `an empty page says why it is empty`() throws {
        var session = try Session(photos: 0)
        #expect(session.pick.page == .emptyLibrary)
        session.send(.libraryChanged)
        let load = try #require(session.load)
        session.send(
            .loaded(
                load,
                LibraryContents(
                    status: LibraryStatus(isIndexing: true, files: 12, pending: 3, skipped: 0))))
        #expect(session.pick.page == .looking(files: 12))
        #expect(session.pick.progress == 0.75)
        session.unsuitable = 3
        session.send(.libraryChanged)
        session.answer()
        #expect(session.pick.page == .nothingFits)
    }

    @Test func `a library that cannot be read says so, and is tried again`() throws {
        var session = try Session(photos: 0)
        session.send(.libraryChanged)
        session.send(.failed(try #require(session.load)))
        #expect(session.pick.page == .unavailable)
        session.library[.all] = [1]
        session.send(.libraryChanged)
        session.answer()
        #expect(session.pick.page == .photos)
    }

    @Test func `an error leaves the photos on the screen`() throws {
        var session = try Session(photos: 3)
        session.send(.libraryChanged)
        session.send(.failed(try #require(session.load)))
        #expect(session.listed == [1, 2, 3])
        #expect(session.pick.page == .photos)
    }

    @Test func `a requested album is remembered while there is no library`() throws {
        let sea = sea
        var options = PickOptions()
        options.album = sea
        var pick = Pick(PickRequest(appID: "", parentWindow: "", title: "", options: options))
        guard case .load(let load) = pick.handle(.opened()).first else {
            Issue.record("nothing is loaded")
            return
        }
        #expect(pick.handle(.loaded(load, LibraryContents())).isEmpty)
        #expect(pick.query.album == sea)
        #expect(pick.page == .looking(files: 0))
    }

    // MARK: - The choice

    @Test func `the choice stays when another album is opened`() throws {
        var session = try session()
        session.click(4)
        session.send(.albumChosen(sea))
        session.answer()
        session.click(1)
        #expect(session.chosen == [4, 1])
    }

    @Test func `photos that leave the library are removed from the choice`() throws {
        var session = try Session(photos: 4)
        for number: UInt8 in [1, 2, 3] { session.click(number) }
        session.change(to: [1, 3, 4])
        #expect(session.chosen == [1, 3])
        #expect(session.pick.selection.number(of: id(3)) == 2)
    }

    @Test func `the focus stays on its photo, wherever it moves`() throws {
        var session = try Session(photos: 4)
        session.key(.move(to: id(2)))
        session.change(to: [9, 1, 2, 3])
        #expect(session.pick.focus == id(2))
    }

    /// No photo had the focus then, and the next arrow went to the newest one.
    @Test func `the focus of a photo that goes moves to its neighbour`() throws {
        var session = try Session(photos: 5)
        session.key(.move(to: id(2)))
        session.change(to: [9, 1, 4, 5])
        #expect(session.pick.focus == id(4))
        session.change(to: [9, 1])
        #expect(session.pick.focus == id(1))
        session.change(to: [])
        #expect(session.pick.focus == nil)
        session.change(to: [9, 1])
        // One that is chosen goes in the same way.
        session.click(9)
        session.change(to: [1])
        #expect(session.pick.focus == id(1))
    }
}

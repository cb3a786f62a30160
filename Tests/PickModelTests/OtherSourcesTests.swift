// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// Files from outside the library, which have ids of their own in the window.
@Suite struct OtherSourcesTests {
    private let file = PickedItem(.asset(id(200)), from: .files)

    @Test func `where one photo is wanted, the preview shows a file from elsewhere`() throws {
        var session = try Session(maximum: 1)
        session.click(1)
        session.send(.added([file]))
        #expect(session.pick.preview?.id == id(200))
        #expect(session.pick.previewPosition?.count == 1)
        session.send(.accepted)
        guard case .picked(let items, _) = session.outcome else {
            Issue.record("nothing is delivered")
            return
        }
        #expect(items.map(\.reference) == [file.reference])
    }

    @Test func `whoever goes back from it has chosen nothing`() throws {
        var session = try Session(maximum: 1)
        session.send(.added([file]))
        session.send(.previewClosed)
        #expect(session.pick.preview == nil)
        #expect(session.pick.selection.isEmpty)
        session.click(1)
        session.send(.accepted)
        #expect(session.delivered == [1])
    }

    @Test func `the first of several files is taken where one is wanted, and the person is told`()
        throws
    {
        var session = try Session(maximum: 1)
        session.send(.added([file, PickedItem(.asset(id(201)), from: .files)]))
        #expect(session.pick.preview?.id == id(200))
        #expect(session.effects == [.announce(.tooMany(maximum: 1))])
    }

    @Test func `a file finishes where the first click does`() throws {
        var session = try Session(maximum: 1) { $0.isImmediate = true }
        session.send(.added([file]))
        #expect(session.outcome == .picked([file], granting: .none))
    }

    @Test func `a file that must be cropped is cropped at once`() throws {
        var session = try Session(maximum: 1) { $0.clip.mode = .required }
        session.send(.added([file]))
        #expect(session.pick.crop?.id == id(200))
    }

    @Test func `without the library nothing of it is read, and files can be chosen`() throws {
        var session = try Session { $0.sources = [.files] }
        #expect(session.pick.page == .noLibrary)
        #expect(!session.pick.isLoading)
        #expect(session.pick.progress == nil)
        for event in [.libraryChanged, .searched("x"), .albumChosen(.all)] as [PickEvent] {
            session.send(event)
        }
        #expect(session.effects == [])
        session.send(.added([file]))
        session.send(.accepted)
        #expect(session.outcome == .picked([file], granting: .none))
    }

    @Test func `an app that wants one album takes other files only if it says so`() throws {
        let alone = try Session { $0.isOnlyAlbum = true }.pick
        #expect(alone.takes(.library) && !alone.takes(.files))
        let both = try Session {
            $0.isOnlyAlbum = true
            $0.sources = [.library, .files]
        }.pick
        #expect(both.takes(.files) && !both.takes(.clipboard))
    }
}

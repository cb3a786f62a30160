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

    @Test func `what arrives while another photo is shown is not delivered by the next key`() throws
    {
        var session = try Session(maximum: 1)
        session.send(.previewed(id(2)))
        session.send(.added([file]))
        session.send(.accepted)
        #expect(session.outcome == nil)
        #expect(session.effects == [.announce(.listChanged)])
        session.send(.accepted)
        #expect(session.outcome != nil)
    }

    @Test func `a late file does not finish where the first click does`() throws {
        var session = try Session(maximum: 1) { $0.isImmediate = true }
        session.send(.previewed(id(2)))
        session.send(.added([file]))
        #expect(session.outcome == nil)
        #expect(session.pick.preview?.id == id(200))
    }

    @Test func `nobody finishes while files are being looked at`() throws {
        var session = try Session()
        session.click(1)
        session.send(.examining(2))
        session.send(.accepted)
        #expect(session.effects == [.announce(.examining)])
        session.send(.examining(0))
        session.send(.added([file]))
        session.send(.accepted)
        guard case .picked(let items, _) = session.outcome else {
            Issue.record("nothing is delivered")
            return
        }
        #expect(items.map(\.reference) == [.asset(id(1)), file.reference])
    }

    @Test func `files that arrive in the middle of a double click stay chosen`() throws {
        var session = try Session()
        session.click(1)
        session.send(.added([file]))
        session.click(1, presses: 2)
        #expect(session.pick.selection.contains(id(200)))
    }

    @Test func `a file that cannot be cropped is shown before it is delivered`() throws {
        var session = try Session(maximum: 1) { $0.clip.mode = .required }
        session.send(.added([file]))
        session.effects = []
        session.send(.cropSized(id(200), nil))
        #expect(session.outcome == nil)
        #expect(session.pick.crop == nil && session.pick.preview?.id == id(200))
        #expect(session.effects == [.announce(.notCropped)])
        session.send(.accepted)
        #expect(session.outcome != nil)
    }

    @Test func `whoever leaves the crop of a file sees the file`() throws {
        var session = try Session(maximum: 1) { $0.clip.mode = .required }
        session.send(.added([file]))
        session.send(.cropClosed)
        #expect(session.pick.preview?.id == id(200))
    }

    @Test func `without the library nothing of it is chosen in advance`() throws {
        let pick = try Session {
            $0.sources = [.files]
            $0.preselected = [id(1)]
        }.pick
        #expect(pick.selection.isEmpty)
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

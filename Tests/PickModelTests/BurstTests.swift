// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// Choosing among the pictures of a burst, which the grid shows as one photo.
@Suite struct BurstTests {
    /// A library of 9 photos, of which the second stands for the pictures 21, 2, 22 and 23.
    private func session(
        maximum: Int? = nil, unfit: Set<UInt8> = [],
        _ change: (inout PickOptions) -> Void = { _ in }
    ) throws -> Session {
        try Session(maximum: maximum, unfit: unfit, change)
    }

    private func burst(unfit: Set<UInt8> = []) -> Burst {
        Burst(shown: id(2), frames: list([21, 2, 22, 23], unfit: unfit))
    }

    private func open(_ session: inout Session, unfit: Set<UInt8> = []) {
        session.send(.previewed(id(2)))
        session.send(.burstFound(id(2), burst(unfit: unfit)))
    }

    /// The number of the picture in view.
    private func shown(_ session: Session) -> UInt8? { session.pick.preview?.shown.bytes.first }

    // MARK: - Looking

    @Test func `keys go through the pictures of the burst and stop at its ends`() throws {
        var session = try session()
        open(&session)
        #expect(shown(session) == 2)
        let position = try #require(session.pick.framePosition)
        #expect(position == (index: 1, count: 4))
        var seen: [UInt8?] = []
        for step: PreviewStep in [.next, .next, .next, .first, .previous, .last] {
            session.send(.frameMoved(step))
            seen.append(shown(session))
        }
        #expect(seen == [22, 23, 23, 21, 21, 23])
        #expect(session.pick.frameNeighbours == [id(22)])
        #expect(try #require(session.pick.previewPosition) == (index: 1, count: 9))
        session.send(.frameShown(id(22)))
        #expect(shown(session) == 22)
        #expect(session.pick.frameNeighbours == [id(23), id(2)])
    }

    @Test func `the next photo has nothing to do with the burst before it`() throws {
        var session = try session()
        open(&session)
        session.send(.frameMoved(.next))
        session.send(.previewMoved(.next))
        #expect(shown(session) == 3)
        #expect(session.pick.framePosition == nil)
        session.send(.frameMoved(.next))
        // What was found out too late.
        session.send(.burstFound(id(2), burst()))
        #expect(session.pick.framePosition == nil)
        session.send(.frameShown(id(22)))
        #expect(shown(session) == 3)
    }

    @Test func `leaving the preview returns to the photo that stands for the burst`() throws {
        var session = try session()
        open(&session)
        session.send(.frameMoved(.next))
        session.key(.open)
        #expect(session.pick.focus == id(2))
    }

    @Test func `a picture that has gone gives its place to the one in the grid`() throws {
        var session = try session(maximum: 1)
        open(&session)
        session.send(.frameShown(id(23)))
        session.send(.burstFound(id(2), Burst(shown: id(2), frames: list([21, 2, 22]))))
        #expect(shown(session) == 2)
        // The key was meant for the other one.
        session.key(.open)
        #expect(session.effects == [.announce(.listChanged)])
        session.key(.open)
        #expect(session.delivered == [2])
    }

    // MARK: - Choosing

    @Test func `Space chooses the picture in view, each counts, and the limit holds`() throws {
        var session = try session(maximum: 3)
        session.click(7)
        open(&session)
        session.send(.frameShown(id(21)))
        session.key(.toggle)
        session.send(.frameShown(id(23)))
        session.key(.toggle)
        #expect(session.chosen == [7, 21, 23])
        session.send(.frameShown(id(22)))
        session.key(.toggle)
        #expect(session.effects == [.announce(.tooMany(maximum: 3))])
        #expect(session.pick.numbers(of: id(2)) == [2, 3])
        #expect(session.pick.numbers(of: id(7)) == [1])
        session.effects = []
        session.send(.accepted)
        #expect(session.delivered == [7, 21, 23])
    }

    @Test func `with a limit of one, Select delivers the picture in view`() throws {
        var session = try session(maximum: 1)
        open(&session)
        session.send(.frameShown(id(22)))
        session.send(.accepted)
        #expect(session.delivered == [22])
    }

    @Test func `a click on the photo in the grid takes back its only picture`() throws {
        var session = try session()
        open(&session)
        session.send(.frameShown(id(21)))
        session.key(.toggle)
        session.send(.previewClosed)
        session.click(2)
        #expect(session.chosen == [])
        session.click(2)
        #expect(session.chosen == [2])
    }

    /// They were all lost, and nobody could see which ones they had been.
    @Test(arguments: ["click", "Space", "activation"])
    func `of several pictures none is taken back in the grid, and the preview shows them`(
        input: String
    ) throws {
        var session = try session()
        open(&session)
        for number: UInt8 in [21, 23] {
            session.send(.frameShown(id(number)))
            session.key(.toggle)
        }
        session.send(.previewClosed)
        switch input {
        case "click": session.click(2)
        case "Space":
            session.key(.move(to: id(2)))
            session.key(.toggle)
        default: session.send(.activated(id(2)))
        }
        #expect(session.chosen == [21, 23])
        #expect(shown(session) == 21)
        session.send(.burstFound(id(2), burst()))
        session.key(.toggle)
        #expect(session.chosen == [23])
        session.send(.previewClosed)
        session.click(2)
        #expect(session.chosen == [])
    }

    @Test func `all photos are chosen without a second picture of the burst`() throws {
        var session = try session()
        open(&session)
        session.send(.frameShown(id(22)))
        session.key(.toggle)
        session.send(.previewClosed)
        session.key(.selectAll)
        #expect(session.chosen == [22, 1, 3, 4, 5, 6, 7, 8, 9])
        session.key(.deselectAll)
        open(&session)
        session.send(.frameShown(id(22)))
        session.key(.toggle)
        session.send(.previewClosed)
        session.send(.groupToggled([id(1), id(2)]))
        #expect(session.chosen == [22, 1])
        session.send(.groupToggled([id(1), id(2)]))
        #expect(session.chosen == [])
    }

    @Test func `a range leaves the picture that was chosen of a burst`() throws {
        var session = try session()
        open(&session)
        session.send(.frameShown(id(22)))
        session.key(.toggle)
        session.send(.previewClosed)
        session.click(1)
        session.click(3, shift: true)
        #expect(session.chosen == [22, 1, 3])
        session.click(1, shift: true)
        #expect(session.chosen == [22, 1])
    }

    @Test func `the preview of a burst begins with what is chosen of it`() throws {
        var session = try session()
        open(&session)
        session.send(.frameShown(id(23)))
        session.key(.toggle)
        session.send(.previewClosed)
        session.send(.previewed(id(1)))
        session.send(.previewMoved(.next))
        #expect(shown(session) == 23)
        session.send(.burstFound(id(2), burst()))
        #expect(session.pick.framePosition?.index == 3)
        session.send(.previewClosed)
        session.send(.previewed(id(2)))
        #expect(shown(session) == 23)
    }

    @Test func `the preview of what is chosen has each picture, and leads back to the burst`()
        throws
    {
        var session = try session()
        open(&session)
        for number: UInt8 in [21, 23] {
            session.send(.frameShown(id(number)))
            session.key(.toggle)
        }
        session.send(.previewLimited(true))
        #expect(shown(session) == 23)
        #expect(try #require(session.pick.previewPosition) == (index: 1, count: 2))
        session.send(.previewMoved(.previous))
        #expect(shown(session) == 21)
        session.send(.burstFound(id(21), burst()))
        #expect(session.pick.framePosition?.index == 0)
        session.send(.frameMoved(.last))
        session.send(.previewLimited(false))
        #expect(session.pick.preview?.id == id(2))
        #expect(shown(session) == 23)
    }

    @Test func `the tray leads to the photo that stands for a picture`() throws {
        var session = try session()
        open(&session)
        session.send(.frameShown(id(21)))
        session.key(.toggle)
        session.send(.previewClosed)
        session.key(.move(to: id(8)))
        session.key(.move(to: id(21)))
        #expect(session.pick.focus == id(2))
        session.send(.removed(.asset(id(21))))
        #expect(session.pick.numbers(of: id(2)) == [])
    }

    @Test func `a picture that breaks a rule of the app is refused, whatever the others do`()
        throws
    {
        var session = try session()
        open(&session, unfit: [22])
        session.send(.frameShown(id(22)))
        #expect(session.pick.previewRefusal != nil)
        session.key(.toggle)
        #expect(session.chosen == [])
        session.send(.frameShown(id(23)))
        #expect(session.pick.previewRefusal == nil)
        session.key(.toggle)
        #expect(session.chosen == [23])
    }

    @Test func `the picture in view is the one that is cropped`() throws {
        var session = try session { $0.clip.mode = .optional }
        open(&session)
        session.send(.frameShown(id(22)))
        session.send(.cropOpened)
        #expect(session.pick.crop?.id == id(22))
        session.send(.cropSized(id(22), PixelSize(width: 100, height: 100)))
        session.send(.cropChanged(.grow(by: 0.5)))
        session.send(.cropDone)
        #expect(session.chosen == [22])
        #expect(session.pick.selection.clip(of: id(22)) != nil)
    }

    // MARK: - Changes of the library

    @Test func `a picture that the app chose in advance marks the photo that stands for it`()
        throws
    {
        var session = try session { $0.preselected = [id(22)] }
        session.frames = [22: 2]
        session.change(to: [1, 2, 3])
        #expect(session.chosen == [22])
        #expect(session.pick.numbers(of: id(2)) == [1])
        session.click(2)
        #expect(session.chosen == [])
    }

    @Test func `a photo that becomes a picture of a burst stays chosen`() throws {
        var session = try session()
        session.click(3)
        session.frames = [3: 4]
        session.library[.all] = [1, 2, 4]
        session.send(.libraryChanged)
        session.answer()
        #expect(session.chosen == [3])
        #expect(session.pick.numbers(of: id(4)) == [1])
        // And becomes a photo again.
        session.frames = [:]
        session.change(to: [1, 2, 3, 4])
        #expect(session.pick.numbers(of: id(4)) == [])
        #expect(session.pick.numbers(of: id(3)) == [1])
    }

    @Test func `a picture that was chosen during a load is known after it`() throws {
        var session = try session()
        session.send(.libraryChanged)
        let load = try #require(session.load)
        open(&session)
        session.send(.frameShown(id(22)))
        session.key(.toggle)
        session.send(.previewClosed)
        session.send(.loaded(load, session.contents(for: load)))
        #expect(session.pick.numbers(of: id(2)) == [1])
    }

    @Test func `the preview follows a photo for which another picture is shown now`() throws {
        var session = try session()
        session.send(.previewed(id(3)))
        session.frames = [3: 4]
        session.library[.all] = [1, 2, 4]
        session.send(.libraryChanged)
        session.answer()
        #expect(session.pick.preview?.id == id(4))
        #expect(shown(session) == 3)
    }
}

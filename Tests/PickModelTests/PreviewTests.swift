// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// Looking at one photo at a time.
@Suite struct PreviewTests {
    /// The number of the photo in the preview.
    private func shown(_ session: Session) -> UInt8? { session.pick.preview?.id.bytes.first }

    @Test func `arrows go through all photos and stop at the ends`() throws {
        var session = try Session(photos: 3)
        session.send(.previewed(id(2)))
        var seen: [UInt8?] = []
        for step: PreviewStep in [.next, .next, .previous, .first, .previous, .last] {
            session.send(.previewMoved(step))
            seen.append(shown(session))
        }
        #expect(seen == [3, 3, 2, 1, 1, 3])
        let position = try #require(session.pick.previewPosition)
        #expect(position == (index: 2, count: 3))
        #expect(session.pick.previewNeighbours == [id(2)])
    }

    @Test func `leaving the preview returns to the photo that was shown last`() throws {
        var session = try Session(photos: 3)
        session.send(.previewed(id(1)))
        session.send(.previewMoved(.next))
        session.key(.open)
        #expect(session.pick.preview == nil)
        #expect(session.pick.focus == id(2))
    }

    @Test func `Space chooses the photo in the preview, up to the limit`() throws {
        var session = try Session(maximum: 2)
        session.click(9)
        session.send(.previewed(id(3)))
        session.key(.toggle)
        #expect(session.chosen == [9, 3])
        session.send(.previewMoved(.next))
        session.key(.toggle)
        #expect(session.chosen == [9, 3])
        #expect(session.effects == [.announce(.tooMany(maximum: 2))])
        session.send(.previewMoved(.previous))
        session.key(.toggle)
        #expect(session.chosen == [9])
    }

    @Test func `keys for the grid do nothing in the preview`() throws {
        var session = try Session(photos: 3)
        session.send(.previewed(id(1)))
        for key: PickKey in [.selectAll, .move(to: id(3)), .extend(to: id(3))] { session.key(key) }
        #expect(session.chosen.isEmpty)
        #expect(session.pick.focus == id(1))
        #expect(shown(session) == 1)
    }

    @Test func `the preview of chosen photos keeps those that are no longer chosen`() throws {
        var session = try Session()
        for number: UInt8 in [7, 2, 5] { session.click(number) }
        session.send(.previewed(id(1)))
        session.send(.previewLimited(true))
        #expect(shown(session) == 7)
        session.key(.toggle)
        session.send(.previewMoved(.next))
        #expect(shown(session) == 2)
        session.send(.previewMoved(.previous))
        session.key(.toggle)
        #expect(session.chosen == [2, 5, 7])
        session.send(.previewLimited(false))
        #expect(shown(session) == 7)
        #expect(session.pick.previewPosition?.count == 9)
    }

    @Test func `without chosen photos the preview goes through all`() throws {
        var session = try Session()
        session.send(.previewed(id(1)))
        session.send(.previewLimited(true))
        #expect(session.pick.preview?.chosen == nil)
    }

    @Test(arguments: [PickEvent.accepted, .key(.open)])
    func `with a limit of one the photo in the preview is delivered, not the one chosen before`(
        event: PickEvent
    ) throws {
        var session = try Session(maximum: 1)
        session.click(1)
        session.send(.previewed(id(4)))
        #expect(session.pick.obstacle == nil)
        session.send(event)
        #expect(session.delivered == [4])
    }

    @Test func `with any other limit Select waits for a choice`() throws {
        var session = try Session()
        session.send(.previewed(id(4)))
        session.send(.accepted)
        #expect(session.effects == [.announce(.tooFew(minimum: 1))])
    }

    @Test func `a photo that disappears makes room for the next one`() throws {
        var session = try Session(photos: 4, maximum: 1)
        session.send(.previewed(id(3)))
        session.change(to: [1, 2, 4])
        #expect(shown(session) == 4)
        session.effects = []
        // The key was meant for the photo that has gone.
        session.key(.open)
        #expect(session.effects == [.announce(.listChanged)])
        session.key(.open)
        #expect(session.delivered == [4])
    }

    @Test func `with the last photo the preview closes`() throws {
        var session = try Session(photos: 1)
        session.send(.previewed(id(1)))
        session.change(to: [])
        #expect(session.pick.preview == nil)
    }

    @Test func `a chosen photo that disappears makes room for the next chosen one`() throws {
        var session = try Session()
        for number: UInt8 in [7, 2] { session.click(number) }
        session.send(.previewed(id(7)))
        session.send(.previewLimited(true))
        session.change(to: [1, 2, 3])
        #expect(shown(session) == 2)
        session.change(to: [1, 3])
        #expect(session.pick.preview == nil)
    }

    @Test func `with immediate Space finishes`() throws {
        var session = try Session { $0.isImmediate = true }
        session.send(.previewed(id(4)))
        session.key(.toggle)
        #expect(session.delivered == [4])
    }
}

// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// An app that follows the choice removes photos from it, or accepts another number.
@Suite struct DeselectingTests {
    @Test func `photos that the app no longer wants are removed, and the person is told`() throws {
        var session = try Session()
        for number: UInt8 in 1...4 { session.click(number) }
        session.send(.deselected([id(2), id(4), id(9)]))
        #expect(session.chosen == [1, 3])
        #expect(session.effects == [.announce(.deselected(2))])
        session.send(.accepted)
        #expect(session.delivered == [1, 3])
    }

    @Test func `photos that are not chosen are left alone, and nothing is said`() throws {
        var session = try Session()
        session.click(1)
        session.send(.deselected([id(2), id(77)]))
        session.send(.deselected([]))
        #expect(session.chosen == [1] && session.effects.isEmpty)
    }

    @Test func `a photo can be chosen again after the app removed it`() throws {
        var session = try Session()
        session.click(1)
        session.send(.deselected([id(1)]))
        session.click(1)
        #expect(session.chosen == [1])
    }

    @Test func `a double click does not bring back what the app removed between its presses`()
        throws
    {
        var session = try Session()
        session.click(1)
        session.click(2)
        session.send(.deselected([id(1)]))
        session.click(2, presses: 2)
        #expect(!session.chosen.contains(1))
    }

    @Test func `a range that is made smaller does not miss a photo that the app removed`() throws {
        var session = try Session()
        session.click(1)
        session.click(5, shift: true)
        session.send(.deselected([id(3)]))
        session.click(2, shift: true)
        #expect(session.chosen == [1, 2])
    }

    @Test func `below the minimum, the choice cannot be finished any more`() throws {
        var session = try Session(minimum: 2)
        session.click(1)
        session.click(2)
        session.send(.deselected([id(2)]))
        session.effects = []
        session.send(.accepted)
        #expect(session.effects == [.announce(.tooFew(minimum: 2))])
        session.send(.limited(try #require(CountLimits(minimum: 1, maximum: nil))))
        session.send(.accepted)
        #expect(session.delivered == [1])
    }

    @Test func `a photo beyond the new limit is no longer cropped, and does not come back`() throws
    {
        var session = try Session(photos: 4) { $0.clip.mode = .optional }
        session.click(1)
        session.click(2)
        session.send(.previewed(id(2)))
        session.send(.cropOpened)
        try #require(session.pick.crop?.id == id(2))
        session.send(.limited(try #require(CountLimits(minimum: 0, maximum: 1))))
        #expect(session.pick.crop == nil)
        session.send(.cropDone)
        #expect(session.chosen == [1])
    }

    @Test func `a question about many photos is asked again if the app removes one`() throws {
        var session = try Session(photos: 120)
        session.key(.selectAll)
        session.send(.accepted)
        session.send(.deselected([id(1)]))
        session.effects = []
        session.send(.confirmed)
        #expect(session.delivered == nil)
        #expect(session.effects.contains { if case .confirm = $0 { true } else { false } })
    }
}

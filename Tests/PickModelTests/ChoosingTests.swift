// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// The effect of clicks and keys on the choice.
@Suite struct ChoosingTests {
    // MARK: - Clicks

    @Test func `a click chooses a photo, and the next one removes it`() throws {
        var session = try Session()
        session.click(3)
        session.click(1)
        #expect(session.chosen == [3, 1])
        session.click(3)
        #expect(session.chosen == [1])
        #expect(session.pick.focus == id(3))
    }

    @Test func `beyond the limit a click is refused with the limit`() throws {
        var session = try Session(maximum: 2)
        for number: UInt8 in [1, 2, 3] { session.click(number) }
        #expect(session.chosen == [1, 2])
        #expect(session.effects == [.announce(.tooMany(maximum: 2))])
    }

    @Test func `with a limit of one the choice moves, and a double click finishes`() throws {
        var session = try Session(maximum: 1)
        session.click(1)
        session.click(2)
        #expect(session.chosen == [2])
        // The first press of the double click removes the photo.
        session.click(2)
        session.click(2, presses: 2)
        #expect(session.delivered == [2])
    }

    @Test func `with any other limit a double click looks at the photo and chooses nothing`() throws
    {
        var session = try Session(maximum: 2)
        session.click(2)
        session.click(1)
        session.click(1, presses: 2)
        #expect(session.chosen == [2])
        #expect(session.pick.preview?.id == id(1))
        session.send(.previewClosed)
        // It keeps its place.
        session.click(3)
        session.click(2)
        session.click(2, presses: 2)
        #expect(session.chosen == [2, 3])
        #expect(session.outcome == nil)
    }

    @Test func `a double click brings back no photo that has gone`() throws {
        var session = try Session()
        session.click(2)
        session.click(1)
        session.change(to: [1, 3])
        session.click(1, presses: 2)
        #expect(session.chosen == [1])
        #expect(session.pick.preview?.id == id(1))
    }

    @Test func `a photo that is not listed cannot be chosen`() throws {
        var session = try Session(photos: 3)
        session.click(7)
        session.click(7, presses: 2)
        session.click(7, shift: true)
        session.send(.activated(id(7)))
        session.send(.focused(id(7)))
        session.key(.move(to: id(7)))
        session.key(.extend(to: id(7)))
        #expect(session.chosen.isEmpty)
        #expect(session.pick.focus == nil)
    }

    // MARK: - Groups

    @Test func `a tick chooses a whole group, and the next one none of it`() throws {
        var session = try Session()
        session.click(3)
        session.send(.groupToggled([id(2), id(3), id(4)]))
        #expect(session.chosen == [3, 2, 4])
        session.click(9)
        session.send(.groupToggled([id(2), id(3), id(4)]))
        #expect(session.chosen == [9])
    }

    @Test func `a tick chooses no more than the limit, and no photo that is not listed`() throws {
        var session = try Session(photos: 5, maximum: 3)
        session.send(.groupToggled([id(7), id(1), id(2), id(3), id(4)]))
        #expect(session.chosen == [1, 2, 3])
        #expect(session.effects == [.announce(.tooMany(maximum: 3))])
        var single = try Session(maximum: 1)
        single.send(.groupToggled([id(1)]))
        #expect(single.chosen.isEmpty)
    }

    // MARK: - Immediate

    @Test func `with immediate the first click finishes`() throws {
        var session = try Session { $0.isImmediate = true }
        session.click(4)
        #expect(session.delivered == [4])
    }

    @Test func `with immediate a click on a chosen photo keeps it and finishes`() throws {
        var session = try Session {
            $0.isImmediate = true
            $0.preselected = [id(2), id(4)]
        }
        session.click(4)
        #expect(session.delivered == [2, 4])
    }

    @Test func `with immediate a click on a photo that has just moved there delivers nothing`()
        throws
    {
        var session = try Session { $0.isImmediate = true }
        session.click(4, settled: false)
        #expect(session.effects == [.announce(.listChanged)])
        #expect(session.chosen.isEmpty)
        // The view stays there.
        #expect(session.pick.focus == id(4))
        session.click(3)
        #expect(session.delivered == [3])
    }

    @Test func `a double click on a photo that has just moved there delivers nothing`() throws {
        var session = try Session(maximum: 1)
        session.click(4, settled: false)
        session.click(4, presses: 2, settled: false)
        #expect(session.effects == [.announce(.listChanged)])
        #expect(session.chosen == [4])
        session.click(3)
        session.click(3, presses: 2)
        #expect(session.delivered == [3])
    }

    @Test func `a photo that has changed is no longer chosen`()
        throws
    {
        var session = try Session(maximum: 3)
        for number: UInt8 in 1...3 { session.click(number) }
        session.effects = []
        session.send(.outdated([id(2), id(4)]))
        #expect(session.chosen == [1, 3])
        #expect(
            session.effects == [.announce(.notReady(.changed([.asset(id(2))], name: nil)))])
        session.effects = []
        session.send(.outdated([id(4)]))
        #expect(session.effects.isEmpty)
    }

    @Test(arguments: [(PickKey.open, false), (.open, true), (.toggle, true)])
    func `a key meant for a photo that has gone does not deliver its neighbour`(
        key: PickKey, isImmediate: Bool
    ) throws {
        var session = try Session(maximum: 1) { $0.isImmediate = isImmediate }
        session.key(.move(to: id(2)))
        session.change(to: [1, 3, 4])
        session.effects = []
        session.key(key)
        #expect(session.effects == [.announce(.listChanged)])
        #expect(session.pick.focus == id(3))
        session.key(key)
        #expect(session.delivered == [3])
    }

    @Test func `with immediate and a minimum the click that reaches it finishes`() throws {
        var session = try Session(minimum: 2) { $0.isImmediate = true }
        session.click(1)
        session.click(1)
        #expect(session.chosen == [1])
        #expect(session.outcome == nil)
        session.click(2)
        #expect(session.delivered == [1, 2])
    }

    // MARK: - Keys

    @Test func `Space acts on the photo with the focus, however it got there`() throws {
        var session = try Session()
        session.key(.toggle)
        #expect(session.chosen.isEmpty)
        session.key(.move(to: id(1)))
        session.send(.focused(id(5)))
        session.key(.toggle)
        #expect(session.chosen == [5])
    }

    @Test func `with a limit of one Enter chooses and finishes`() throws {
        var session = try Session(maximum: 1)
        session.click(1)
        session.key(.move(to: id(3)))
        session.key(.open)
        #expect(session.delivered == [3])
    }

    @Test func `with any other limit Enter looks at the photo and does not finish`() throws {
        var session = try Session(maximum: 3)
        session.key(.move(to: id(2)))
        session.key(.open)
        #expect(session.pick.preview?.id == id(2))
        #expect(session.chosen.isEmpty)
        #expect(session.outcome == nil)
    }

    @Test func `Ctrl+A stops at the limit, and Ctrl+Shift+A clears the choice`() throws {
        var session = try Session(photos: 5, maximum: 3)
        session.click(4)
        session.key(.selectAll)
        #expect(session.chosen == [4, 1, 2])
        #expect(session.effects == [.announce(.tooMany(maximum: 3))])
        session.key(.deselectAll)
        #expect(session.chosen.isEmpty)
    }

    @Test func `choosing all right after a change of albums chooses those of the new album`() throws
    {
        var session = try Session(albums: [album("birds"): [1, 2, 3]])
        session.send(.albumChosen(album("birds")))
        session.key(.selectAll)
        #expect(session.pick.selection.isEmpty)
        session.answer()
        #expect(session.chosen == [1, 2, 3])
    }

    @Test func `choosing all is forgotten with another album`() throws {
        var session = try Session(albums: [album("birds"): [1, 2, 3]])
        session.send(.albumChosen(album("birds")))
        session.key(.selectAll)
        session.send(.albumChosen(.all))
        session.answer()
        #expect(session.pick.selection.isEmpty)
    }

    @Test func `with a limit of one Ctrl+A does nothing`() throws {
        var session = try Session(maximum: 1)
        session.key(.selectAll)
        #expect(session.chosen.isEmpty)
        #expect(session.effects.isEmpty)
    }
}

/// Ranges that Shift extends.
@Suite struct RangeTests {
    @Test func `Shift with an arrow includes the first photo, and shrinks`() throws {
        var session = try Session()
        session.key(.move(to: id(2)))
        for number: UInt8 in [3, 4, 5] { session.key(.extend(to: id(number))) }
        #expect(session.chosen == [2, 3, 4, 5])
        for number: UInt8 in [4, 3] { session.key(.extend(to: id(number))) }
        #expect(session.chosen == [2, 3])
        // Past the anchor the range grows in the other direction.
        for number: UInt8 in [2, 1] { session.key(.extend(to: id(number))) }
        #expect(session.chosen == [2, 1])
    }

    @Test func `what was chosen before the range stays when it shrinks`() throws {
        var session = try Session()
        session.click(4)
        session.key(.move(to: id(2)))
        session.key(.extend(to: id(5)))
        #expect(session.chosen == [4, 2, 3, 5])
        session.key(.extend(to: id(2)))
        #expect(session.chosen == [4, 2])
    }

    @Test func `a click with Shift chooses from the last click, in that direction`() throws {
        var session = try Session()
        session.click(5)
        session.click(2, shift: true)
        #expect(session.chosen == [5, 4, 3, 2])
        session.click(7, shift: true)
        #expect(session.chosen == [5, 6, 7])
    }

    @Test func `without a click before, Shift chooses one photo`() throws {
        var session = try Session()
        session.click(5, shift: true)
        #expect(session.chosen == [5])
    }

    @Test func `a range stops at the limit, and makes room when it shrinks`() throws {
        var session = try Session(maximum: 3)
        session.click(1)
        session.click(5, shift: true)
        #expect(session.chosen == [1, 2, 3])
        #expect(session.effects == [.announce(.tooMany(maximum: 3))])
        session.click(2, shift: true)
        #expect(session.chosen == [1, 2])
    }

    @Test func `with a limit of one Shift moves only the focus`() throws {
        var session = try Session(maximum: 1)
        session.key(.move(to: id(2)))
        session.key(.extend(to: id(3)))
        #expect(session.chosen.isEmpty)
        #expect(session.pick.focus == id(3))
    }

    @Test func `our own focus does not end a range, but Tab does`() throws {
        var session = try Session()
        session.key(.move(to: id(2)))
        session.key(.extend(to: id(3)))
        session.send(.focused(id(3)))
        #expect(session.pick.anchor == id(2))
        session.send(.focused(id(7)))
        #expect(session.pick.anchor == id(7))
    }

    // MARK: - The list changes

    @Test func `a new range begins when the photo at the anchor is gone`() throws {
        var session = try Session(photos: 6)
        session.click(6)
        session.change(to: [1, 2, 3])
        #expect(session.chosen.isEmpty)
        // The keys go on at its neighbour, but the person has not pointed at that one.
        #expect(session.pick.anchor == nil && session.pick.focus == id(3))
        session.click(1, shift: true)
        #expect(session.chosen == [1])
    }

    @Test func `a new photo does not move the anchor`() throws {
        var session = try Session(photos: 4)
        session.click(3)
        session.change(to: [9, 8, 1, 2, 3, 4])
        session.click(4, shift: true)
        #expect(session.chosen == [3, 4])
    }

    @Test func `another album has no anchor yet`() throws {
        var session = try Session(photos: 6)
        session.library[album("sea")] = [5, 6]
        session.change(to: [1, 2, 3, 4, 5, 6])
        session.click(6)
        session.send(.albumChosen(album("sea")))
        session.answer()
        session.click(5, shift: true)
        #expect(session.chosen == [6, 5])
        #expect(session.pick.anchor == id(5))
    }
}

// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// Photos that break a rule of the app.
@Suite struct FilterTests {
    private let filter = {
        var filter = PhotoFilter()
        filter.minimumWidth = 800
        return filter
    }()

    private func session(_ maximum: Int? = nil, immediate: Bool = false) throws -> Session {
        try Session(maximum: maximum, unfit: [2, 3]) {
            $0.filter = filter
            $0.isImmediate = immediate
        }
    }

    @Test func `a click on one says why it cannot be chosen`() throws {
        var session = try session()
        session.click(2)
        #expect(session.chosen.isEmpty)
        #expect(session.pick.focus == id(2))
        #expect(session.effects == [.announce(.unfit(.minimumWidth, of: filter))])
        session.click(1)
        #expect(session.chosen == [1])
    }

    @Test func `neither a double click nor Enter nor a first click finishes with one`() throws {
        var single = try session(1)
        single.click(2)
        single.click(2, presses: 2)
        single.key(.open)
        #expect(single.outcome == nil)
        var immediate = try session(1, immediate: true)
        immediate.click(3)
        #expect(immediate.outcome == nil)
    }

    @Test func `ranges, days and all photos leave them out`() throws {
        var session = try session()
        session.click(1)
        session.click(5, shift: true)
        #expect(session.chosen == [1, 4, 5])
        session.key(.deselectAll)
        session.send(.groupToggled([id(1), id(2), id(3), id(4)]))
        #expect(session.chosen == [1, 4])
        session.send(.groupToggled([id(1), id(2), id(3), id(4)]))
        #expect(session.chosen.isEmpty)
        session.key(.selectAll)
        #expect(session.chosen == [1, 4, 5, 6, 7, 8, 9])
    }

    @Test func `the preview shows them, and neither chooses, crops nor delivers them`() throws {
        for maximum in [1, 3] {
            var session = try Session(maximum: maximum, unfit: [2, 3]) {
                $0.filter = filter
                $0.clip.mode = .optional
            }
            session.send(.previewed(id(2)))
            #expect(session.pick.preview?.id == id(2))
            let reason = Refusal.unfit(.minimumWidth, of: filter)
            #expect(session.pick.previewRefusal == reason)
            // Select would deliver this photo.
            if maximum == 1 { #expect(session.pick.obstacle == reason) }
            for event in [.key(.toggle), .accepted, .cropOpened] as [PickEvent] {
                session.send(event)
                #expect(session.chosen.isEmpty && session.outcome == nil, "\(event)")
                #expect(session.pick.crop == nil)
            }
            session.send(.previewMoved(.first))
            #expect(session.pick.previewRefusal == nil)
            session.send(.cropOpened)
            #expect(session.pick.crop?.id == id(1))
        }
    }

    @Test func `where nothing fits, a day and all photos say why`() throws {
        var session = try Session(photos: 3, unfit: [1, 2, 3]) { $0.filter = filter }
        session.key(.selectAll)
        session.send(.groupToggled([id(2), id(3)]))
        let reason = PickEffect.announce(.unfit(.minimumWidth, of: filter))
        #expect(session.effects == [reason, reason])
        #expect(session.chosen.isEmpty)
    }
}

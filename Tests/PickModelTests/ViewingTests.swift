// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// The pictures of an app, one at a time.
@Suite struct ViewingTests {
    private func viewing(_ count: Int, first: Int = 0, allowsRemoving: Bool = true) -> Viewing {
        var request = PreviewRequest(
            appID: .unknown, parentWindow: "", title: "",
            images: (0..<count).map { .file($0) })
        request.first = first
        request.allowsRemoving = allowsRemoving
        return Viewing(request)
    }

    @Test func `S2.20 it begins where the app wants, and stops at the ends`() {
        var viewing = viewing(3, first: 1)
        #expect(viewing.current == 1)
        #expect(viewing.neighbours == [2, 0])
        var seen: [Int] = []
        for step: PreviewStep in [.next, .next, .previous, .first, .previous, .last] {
            viewing.move(step)
            seen.append(viewing.current)
        }
        #expect(seen == [2, 2, 1, 0, 0, 2])
        #expect(viewing.outcome == .closed(removed: []))
    }

    @Test
    func `S2.20 the next picture takes the place of a removed one, at the end the one before`() {
        var viewing = viewing(4, first: 1)
        viewing.remove()
        #expect(viewing.current == 2)
        #expect(viewing.position == 1)
        viewing.move(.last)
        viewing.remove()
        #expect(viewing.current == 2)
        #expect(viewing.remaining == [0, 2])
        #expect(viewing.outcome == .closed(removed: [1, 3]))
    }

    @Test func `S2.20 removed pictures come back in their places, the last one first`() {
        var viewing = viewing(4, first: 2)
        for _ in 0..<3 { viewing.remove() }
        #expect(viewing.remaining == [0])
        #expect(viewing.removed == [2, 3, 1])
        var shown: [Int] = []
        while viewing.undo() { shown.append(viewing.current) }
        #expect(shown == [1, 3, 2])
        #expect(viewing.remaining == [0, 1, 2, 3])
        #expect(viewing.outcome == .closed(removed: []))
    }

    @Test func `S2.20 the last picture can be removed, and then nothing more`() {
        var viewing = viewing(1)
        viewing.remove()
        #expect(viewing.remaining == [])
        let isRemovedAgain = viewing.remove()
        #expect(!isRemovedAgain)
        viewing.move(.next)
        #expect(viewing.neighbours == [])
        #expect(viewing.outcome == .closed(removed: [0]))
        let isBack = viewing.undo()
        #expect(isBack)
        #expect(viewing.remaining == [0])
        #expect(viewing.current == 0)
    }

    @Test func `S2.20 nothing is removed unless the app allows it`() {
        var viewing = viewing(2, allowsRemoving: false)
        let isRemoved = viewing.remove()
        let isBack = viewing.undo()
        #expect(!isRemoved)
        #expect(!isBack)
        #expect(viewing.remaining == [0, 1])
    }

    @Test(arguments: [-1, 3, Int.max])
    func `an index beyond the list does no harm`(first: Int) {
        let viewing = viewing(3, first: first)
        #expect((0..<3).contains(viewing.current))
    }
}

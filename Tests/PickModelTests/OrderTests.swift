// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// The order of what is chosen, and what is said about it.
@Suite struct OrderTests {
    private func reference(_ number: UInt8) -> PickedItem.Reference { .asset(id(number)) }

    @Test(
        arguments: [
            (1, 2, [2, 3, 1, 4]), (4, 0, [4, 1, 2, 3]), (2, 1, [1, 2, 3, 4]),
            (3, 9, [1, 2, 4, 3]), (3, -1, [3, 1, 2, 4]), (9, 0, [1, 2, 3, 4]),
        ] as [(UInt8, Int, [UInt8])])
    func `a chosen photo can be given another place`(
        photo: UInt8, place: Int, order: [UInt8]
    ) throws {
        var session = try Session()
        for number: UInt8 in 1...4 { session.click(number) }
        session.send(.moved(reference(photo), to: place))
        #expect(session.chosen == order)
        for (index, number) in order.enumerated() {
            #expect(session.pick.selection.number(of: id(number)) == index + 1)
        }
        session.send(.accepted)
        #expect(session.delivered == order)
    }

    @Test func `the size is that of all chosen photos, once it is known`() throws {
        var session = try Session()
        session.click(1)
        session.click(2)
        #expect(session.pick.receipt.byteCount == nil)
        #expect(session.pick.facts.unknown(of: session.pick.selection.assetIDs).count == 2)
        session.send(.measured([id(1): 5]))
        #expect(session.pick.receipt.byteCount == nil)
        session.send(.measured([id(2): 7, id(3): .max]))
        #expect(session.pick.receipt.byteCount == 12)
        session.click(3)
        #expect(session.pick.receipt.byteCount == nil)
    }

    @Test func `of files that are yet to be made, no size is told`() throws {
        var session = try Session { $0.output.formats = [.png] }
        session.click(1)
        session.send(.measured([id(1): 5]))
        #expect(session.pick.receipt.byteCount == nil)
    }

    @Test func `a photo that has changed is measured again`() throws {
        var session = try Session()
        session.click(1)
        session.send(.measured([id(1): 5]))
        session.send(.outdated([id(1)]))
        session.click(1)
        #expect(session.pick.receipt.byteCount == nil)
    }
}

// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

@Suite struct SelectionTests {
    private let a = id(1)
    private let b = id(2)
    private let c = id(3)
    private let d = id(4)

    @Test func `photos are numbered in the order of choice`() throws {
        var selection = try selection(maximum: nil)
        #expect(selection.toggle(item(b)) == .selected(number: 1))
        #expect(selection.toggle(item(a)) == .selected(number: 2))
        #expect(selection.assetIDs == [b, a])
        #expect(selection.number(of: a) == 2)
    }

    @Test func `removing a photo moves the later numbers down`() throws {
        var selection = try selection(maximum: nil, [a, b, c])
        #expect(selection.toggle(item(a)) == .deselected)
        #expect(selection.assetIDs == [b, c])
        #expect(selection.number(of: b) == 1)
        #expect(selection.number(of: c) == 2)
        #expect(selection.number(of: a) == nil)
    }

    @Test func `a click beyond the limit changes nothing and names the limit`() throws {
        var selection = try selection(maximum: 2, [a, b])
        let before = selection
        #expect(selection.toggle(item(c)) == .refused(limit: 2))
        #expect(selection == before)
    }

    @Test(arguments: [nil, 20_000])
    func `more photos than a response holds cannot be chosen`(maximum: Int?) throws {
        var selection = try selection(maximum: maximum)
        let many = (0..<10_002).map { number in
            PickedItem(.uri("file:///\(number).jpg"), from: .files)
        }
        #expect(selection.selectAll(many) == 2)
        #expect(selection.count == 10_000)
        #expect(selection.toggle(item(a)) == .refused(limit: 10_000))
        selection.remove([many[0].reference])
        #expect(selection.toggle(item(a)) == .selected(number: 10_000))
    }

    @Test func `a photo can still be removed at the limit`() throws {
        var selection = try selection(maximum: 2, [a, b])
        #expect(selection.toggle(item(b)) == .deselected)
        #expect(selection.toggle(item(c)) == .selected(number: 2))
    }

    @Test func `with a limit of one the choice moves`() throws {
        var selection = try selection(maximum: 1, [a])
        #expect(selection.toggle(item(b)) == .moved(from: .asset(a)))
        #expect(selection.assetIDs == [b])
        #expect(selection.number(of: b) == 1)
    }

    @Test func `preselected photos are limited in number, without duplicates`() throws {
        let selection = try selection(maximum: 2, [a, a, b, c])
        #expect(selection.assetIDs == [a, b])
    }

    @Test(arguments: [(0, false), (1, false), (2, true), (3, true), (4, false)])
    func `a choice within the limits is complete`(count: Int, isComplete: Bool) throws {
        let limits = try #require(CountLimits(minimum: 2, maximum: 3))
        #expect(limits.allows(count) == isComplete)
    }

    @Test func `choosing all stops at the limit and says how many were left out`() throws {
        var selection = try selection(maximum: 3, [d])
        #expect(selection.selectAll([a, b, c, d].map(item)) == 1)
        #expect(selection.assetIDs == [d, a, b])
    }

    @Test func `photos are removed in one step, and the others keep their order`() throws {
        var selection = try selection(maximum: nil, [a, b, c])
        selection.remove([.asset(b), .asset(d)])
        #expect(selection.assetIDs == [a, c])
        #expect(selection.number(of: c) == 2)
    }

    @Test func `a file and a photo are different items, and each is chosen once`() throws {
        var selection = try selection(maximum: nil, [a])
        let file = PickedItem(.uri("file:///a.jpg"), from: .files)
        #expect(selection.selectAll([file, item(a), file]) == 0)
        #expect(selection.items == [item(a), file])
        #expect(selection.assetIDs == [a])
    }

    @Test(arguments: [(-1, nil), (1, 0), (3, 2)] as [(Int, Int?)])
    func `limits that no number can meet are rejected`(minimum: Int, maximum: Int?) {
        #expect(CountLimits(minimum: minimum, maximum: maximum) == nil)
    }

    private func item(_ id: AssetID) -> PickedItem { PickedItem(.asset(id), from: .library) }

    private func selection(maximum: Int?, _ ids: [AssetID] = []) throws -> Selection {
        let limits = try #require(CountLimits(minimum: 1, maximum: maximum))
        return Selection(limits: limits, preselected: ids)
    }
}

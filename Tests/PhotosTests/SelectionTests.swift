// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct SelectionTests {
    private let a = id(1)
    private let b = id(2)
    private let c = id(3)
    private let d = id(4)

    @Test func `photos are numbered in the order of choice`() throws {
        var selection = try selection(maximum: nil)
        #expect(selection.toggle(b) == .selected(number: 1))
        #expect(selection.toggle(a) == .selected(number: 2))
        #expect(selection.ids == [b, a])
        #expect(selection.number(of: a) == 2)
    }

    @Test func `taking one back moves the later numbers down`() throws {
        var selection = try selection(maximum: nil, [a, b, c])
        #expect(selection.toggle(a) == .deselected)
        #expect(selection.ids == [b, c])
        #expect(selection.number(of: b) == 1)
        #expect(selection.number(of: c) == 2)
        #expect(selection.number(of: a) == nil)
    }

    @Test func `a click beyond the limit changes nothing and names the limit`() throws {
        var selection = try selection(maximum: 2, [a, b])
        let before = selection
        #expect(selection.toggle(c) == .refused(limit: 2))
        #expect(selection == before)
    }

    @Test func `at the limit a choice can still be taken back`() throws {
        var selection = try selection(maximum: 2, [a, b])
        #expect(selection.toggle(b) == .deselected)
        #expect(selection.toggle(c) == .selected(number: 2))
    }

    @Test func `with a limit of one the choice moves`() throws {
        var selection = try selection(maximum: 1, [a])
        #expect(selection.toggle(b) == .moved(from: a))
        #expect(selection.ids == [b])
        #expect(selection.number(of: b) == 1)
    }

    @Test func `what was chosen before is cut at the limit, each photo once`() throws {
        let selection = try selection(maximum: 2, [a, a, b, c])
        #expect(selection.ids == [a, b])
    }

    @Test(arguments: [(0, false), (1, false), (2, true), (3, true), (4, false)])
    func `a choice of two to three is complete`(count: Int, isComplete: Bool) throws {
        let limits = try #require(CountLimits(minimum: 2, maximum: 3))
        #expect(limits.allows(count) == isComplete)
    }

    @Test func `choosing all stops at the limit and says how many were left out`() throws {
        var selection = try selection(maximum: 3, [d])
        #expect(selection.selectAll([a, b, c, d]) == 1)
        #expect(selection.ids == [d, a, b])
    }

    @Test func `what is gone from the library leaves the choice, in order`() throws {
        var selection = try selection(maximum: nil, [a, b, c])
        selection.keep { $0 != b }
        #expect(selection.ids == [a, c])
        #expect(selection.number(of: c) == 2)
    }

    @Test(arguments: [(-1, nil), (1, 0), (3, 2)] as [(Int, Int?)])
    func `limits between which no number lies do not exist`(minimum: Int, maximum: Int?) {
        #expect(CountLimits(minimum: minimum, maximum: maximum) == nil)
    }

    private func selection(maximum: Int?, _ ids: [AssetID] = []) throws -> Selection {
        let limits = try #require(CountLimits(minimum: 1, maximum: maximum))
        return Selection(limits: limits, preselected: ids)
    }
}

/// An id that is made of one number.
func id(_ number: UInt8) -> AssetID {
    guard let id = AssetID(bytes: Array(repeating: number, count: 16)) else {
        preconditionFailure("16 bytes are an id")
    }
    return id
}

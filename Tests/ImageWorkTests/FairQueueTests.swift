// SPDX-License-Identifier: MIT

import Testing

@testable import ImageWork

@Suite struct FairQueueTests {
    @Test func `clients take turns, each in its own order`() {
        var queue = FairQueue<String, Int>()
        for number in 0..<4 { queue.append(number, of: "a") }
        queue.append(10, of: "b")
        queue.append(20, of: "c")
        queue.append(11, of: "b")
        var order: [Int] = []
        while let number = queue.popFirst() { order.append(number) }
        #expect(order == [0, 10, 20, 1, 11, 2, 3])
    }

    @Test func `a client that arrives late waits for one turn of each other client`() {
        var queue = FairQueue<String, Int>()
        for number in 0..<1000 { queue.append(number, of: "a") }
        for number in 0..<500 { #expect(queue.popFirst() == number) }
        queue.append(-1, of: "b")
        #expect(queue.popFirst() == 500)
        #expect(queue.popFirst() == -1)
        for number in 501..<1000 { #expect(queue.popFirst() == number) }
        #expect(queue.popFirst() == nil)
    }
}

// SPDX-License-Identifier: MIT

import Processes
import Synchronization
import TestSupport
import Testing

/// Actions that follow after some time.
@Suite struct DeadlinesTests {
    private final class Log: Sendable {
        private let entries = Mutex<[Int]>([])
        var all: [Int] { entries.withLock { $0 } }

        func note(_ entry: Int) { entries.withLock { $0.append(entry) } }
    }

    @Test func `actions are taken in the order of their times`() async throws {
        let deadlines = Deadlines()
        let log = Log()
        for (entry, time) in [(3, 60), (1, 20), (2, 40), (4, 80)] {
            _ = deadlines.add(after: .milliseconds(time)) { log.note(entry) }
        }
        try await eventually("all actions") { log.all.count == 4 }
        #expect(log.all == [1, 2, 3, 4])
    }

    @Test func `an action that was withdrawn is not taken`() async throws {
        let deadlines = Deadlines()
        let log = Log()
        let first = deadlines.add(after: .milliseconds(20)) { log.note(1) }
        _ = deadlines.add(after: .milliseconds(40)) { log.note(2) }
        deadlines.remove(first)
        try await eventually("the other action") { !log.all.isEmpty }
        #expect(log.all == [2])
        deadlines.remove(first)
    }

    @Test func `an action may be added after the last one`() async throws {
        let deadlines = Deadlines()
        let log = Log()
        for entry in 1...3 {
            _ = deadlines.add(after: .milliseconds(1)) { log.note(entry) }
            try await eventually("action \(entry)") { log.all.last == entry }
        }
    }

    @Test func `an action may add another one`() async throws {
        let deadlines = Deadlines()
        let log = Log()
        _ = deadlines.add(after: .zero) {
            _ = deadlines.add(after: .milliseconds(5)) { log.note(1) }
        }
        try await eventually("the other action") { log.all == [1] }
    }
}

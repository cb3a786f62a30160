// SPDX-License-Identifier: MIT

import Synchronization

/// Actions that follow after some time, unless they are withdrawn before, as nearly all of them are.
///
/// A task that sleeps leaves a timer behind when it is cancelled, until its time is over. So a service
/// that gives each of a thousand calls per second twenty seconds would keep twenty thousand timers.
/// Here one timer serves them all.
package final class Deadlines: Sendable {
    /// An action that has not been taken yet.
    package struct Deadline: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct State {
        var pending: [UInt64: (time: ContinuousClock.Instant, action: @Sendable () -> Void)] = [:]
        var count: UInt64 = 0
        /// When the timer goes off; nil if there is none.
        var timer: ContinuousClock.Instant?

        /// Sets the timer to a time that is before its own.
        ///
        /// - Returns: Whether it has to be started.
        mutating func bringForward(to time: ContinuousClock.Instant) -> Bool {
            if let timer, timer <= time { return false }
            timer = time
            return true
        }
    }

    /// For the whole process.
    package static let shared = Deadlines()

    private let state = Mutex(State())

    package init() {}

    /// Takes an action when a time is over.
    ///
    /// - Parameter action: Runs on any thread, and must not block.
    package func add(after limit: Duration, _ action: @escaping @Sendable () -> Void) -> Deadline {
        let time = ContinuousClock.now + limit
        let (deadline, mustStart) = state.withLock { state in
            state.count &+= 1
            state.pending[state.count] = (time, action)
            return (Deadline(number: state.count), state.bringForward(to: time))
        }
        if mustStart { start(time) }
        return deadline
    }

    /// Withdraws an action; without effect if it has been taken.
    package func remove(_ deadline: Deadline) {
        state.withLock { state in _ = state.pending.removeValue(forKey: deadline.number) }
    }

    private func start(_ time: ContinuousClock.Instant) {
        Task {
            // Nobody cancels this task.
            try? await Task.sleep(until: time)
            ring(time)
        }
    }

    private func ring(_ time: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        let (due, next) = state.withLock { state in
            let due = state.pending.filter { $0.value.time <= now }
            for number in due.keys { state.pending[number] = nil }
            // An earlier timer may have taken its place.
            if state.timer == time { state.timer = nil }
            let next = state.pending.values.map(\.time).min()
            return (due, next.flatMap { state.bringForward(to: $0) ? $0 : nil })
        }
        if let next { start(next) }
        let order = due.sorted { ($0.value.time, $0.key) < ($1.value.time, $1.key) }
        for (_, deadline) in order { deadline.action() }
    }
}

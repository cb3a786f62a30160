// SPDX-License-Identifier: MIT

import ImageWork
import Synchronization

/// Work that is done once for all who want its result at the same time.
///
/// Who comes first does it, in a task and an isolation of its own; the others wait. Nobody depends
/// on that one: when it is cancelled, the next one does the work.
final class SharedWork<Key: Hashable & Sendable, Result: Sendable>: Sendable {
    typealias Waiting = CheckedContinuation<Result?, Never>

    /// Who waits for work that somebody does.
    private struct Flight {
        let urgency: Urgency
        var waiting: [UInt64: Waiting] = [:]
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    /// How many wait for what somebody else does.
    var waitingCount: Int {
        state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiting.count } }
    }

    /// Does the work, or waits for who does it.
    ///
    /// - Parameters:
    ///   - hurry: Called when somebody does it with less urgency than is wanted now.
    ///   - work: Gives the result, and whether it is good for the others too; otherwise each of
    ///     them begins anew.
    /// - Returns: Nil when the task was cancelled while it waited.
    func result(
        of key: Key, _ priority: DecoderPool.Priority, hurry: (Urgency) -> Void,
        work: (Urgency) async -> (Result, isForAll: Bool)
    ) async -> Result? {
        while !Task.isCancelled {
            let urgency = Urgency(priority)
            if begin(key, urgency) {
                let (result, isForAll) = await work(urgency)
                let flight = state.withLock { $0.flights.removeValue(forKey: key) }
                for waiting in (flight?.waiting ?? [:]).values {
                    waiting.resume(returning: isForAll ? result : nil)
                }
                return result
            }
            if let result = await wait(for: key, priority, hurry) { return result }
        }
        return nil
    }

    private func begin(_ key: Key, _ urgency: Urgency) -> Bool {
        state.withLock { state in
            guard state.flights[key] == nil else { return false }
            state.flights[key] = Flight(urgency: urgency)
            return true
        }
    }

    /// Waits for the result of another one; nil when there is none to wait for, or not any more.
    private func wait(
        for key: Key, _ priority: DecoderPool.Priority, _ hurry: (Urgency) -> Void
    ) async -> Result? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                let urgency: Urgency? = state.withLock { state in
                    // A cancellation before this found nobody to wake.
                    guard !Task.isCancelled else { return nil }
                    state.flights[key]?.waiting[number] = waiting
                    return state.flights[key]?.urgency
                }
                guard let urgency else { return waiting.resume(returning: nil) }
                if priority == .visible { hurry(urgency) }
            }
        } onCancel: {
            state.withLock { $0.flights[key]?.waiting.removeValue(forKey: number) }?
                .resume(returning: nil)
        }
    }
}

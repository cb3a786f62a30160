// SPDX-License-Identifier: MIT

import ImageWork
import Synchronization

/// Work that is done once for all callers that want its result at the same time.
///
/// The first caller does the work, in its own task and isolation; the others wait. When the first
/// caller is cancelled, the next one does the work.
final class SharedWork<Key: Hashable & Sendable, Result: Sendable>: Sendable {
    typealias Waiting = CheckedContinuation<Result?, Never>

    /// Work in progress, and the callers that wait for it.
    private struct Flight {
        let urgency: Urgency
        var waiting: [UInt64: Waiting] = [:]
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The number of callers that wait for the work of another one.
    var waitingCount: Int {
        state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiting.count } }
    }

    /// Does the work, or waits for the caller that does it.
    ///
    /// - Parameters:
    ///   - hurry: Called when the work is in progress with a lower urgency than this caller's.
    ///   - work: Returns the result, and whether the waiting callers can share it; otherwise each of
    ///     them starts again.
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

    /// Waits for the result of another caller; nil when no other caller does the work any more.
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
                    // A cancellation before this point found no continuation to resume.
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

// SPDX-License-Identifier: MIT

import SDBus

/// Lets one task at a time work for each key, and a limited number for all keys together.
///
/// The others wait in the order in which they came.
@BusActor
final class Turns<Key: Hashable & Sendable> {
    private struct Waiter {
        let ticket: UInt64
        let key: Key
        let continuation: CheckedContinuation<Bool, Never>
    }

    private let total: Int
    private var active: Set<Key> = []
    private var waiting: [Waiter] = []
    private var tickets: UInt64 = 0

    /// Makes a set of turns.
    ///
    /// - Parameter total: How many keys may have their turn at a time.
    nonisolated init(total: Int = .max) {
        self.total = total
    }

    /// Waits until it is this key's turn.
    ///
    /// - Returns: The turn, which ends when it is released; nil if the task was cancelled.
    func take(_ key: Key) async -> Turn? {
        guard !Task.isCancelled else { return nil }
        if active.count < total, active.insert(key).inserted { return turn(key) }
        tickets += 1
        let ticket = tickets
        let isOurs = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: false) }
                waiting.append(Waiter(ticket: ticket, key: key, continuation: continuation))
            }
        } onCancel: {
            Task { @BusActor in self.withdraw(ticket) }
        }
        return isOurs ? turn(key) : nil
    }

    private func turn(_ key: Key) -> Turn {
        Turn { self.end(key) }
    }

    private func withdraw(_ ticket: UInt64) {
        // It may have received its turn in the meantime.
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return }
        waiting.remove(at: index).continuation.resume(returning: false)
    }

    private func end(_ key: Key) {
        active.remove(key)
        let next = waiting.firstIndex { !active.contains($0.key) }
        guard let next else { return }
        let waiter = waiting.remove(at: next)
        active.insert(waiter.key)
        waiter.continuation.resume(returning: true)
    }
}

/// The right to work, until this object is released.
@BusActor
final class Turn {
    private let end: @BusActor () -> Void

    fileprivate init(_ end: @escaping @BusActor () -> Void) {
        self.end = end
    }

    isolated deinit {
        end()
    }
}

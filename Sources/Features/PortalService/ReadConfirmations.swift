// SPDX-License-Identifier: MIT

import SDBus

/// Finds out when connections have read what was sent to them.
///
/// Each connection has at most one call that it has not answered: the bus limits the calls that a
/// service may wait for, and some connections never answer.
@BusActor
final class ReadConfirmations {
    private struct Call {
        let party: Party
        var waiter: (ticket: UInt64, continuation: CheckedContinuation<Void, Never>)?
    }

    private let connection: Connection
    private var calls: [BusName: Call] = [:]
    private var tickets: UInt64 = 0

    nonisolated init(on connection: Connection) {
        self.connection = connection
    }

    /// The connections of a party that have not answered yet.
    func unconfirmed(of party: Party) -> Set<BusName> {
        Set(calls.filter { $0.value.party == party }.keys)
    }

    /// Waits until a connection has answered a call, or has left the bus, or the task is cancelled; a
    /// later wait for the same connection also ends an earlier one.
    ///
    /// If an earlier call is not answered yet, this waits for that one.
    func wait(for caller: Caller) async {
        let name = caller.name
        if calls[name] == nil {
            calls[name] = Call(party: caller.party)
            // It goes on when nobody waits any more.
            Task {
                await connection.waitUntilRead(by: name)
                calls.removeValue(forKey: name)?.waiter?.continuation.resume()
            }
        }
        tickets += 1
        let ticket = tickets
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume() }
                calls[name]?.waiter?.continuation.resume()
                calls[name]?.waiter = (ticket, continuation)
            }
        } onCancel: {
            Task { @BusActor in self.giveUp(name, ticket) }
        }
    }

    private func giveUp(_ name: BusName, _ ticket: UInt64) {
        // It may have been answered in the meantime.
        guard let waiter = calls[name]?.waiter, waiter.ticket == ticket else { return }
        calls[name]?.waiter = nil
        waiter.continuation.resume()
    }
}

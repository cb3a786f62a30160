// SPDX-License-Identifier: MIT

import PortalInterface
import SDBus

/// The only connection that a backend trusts: the owner of a bus name.
///
/// The owner is looked up once and then kept up to date by signals.
@BusActor
final class TrustedPeer {
    private let name: BusName
    private let connection: Connection
    private var owner: BusName?
    private var following: Task<Result<Subscription, DBusError>, Never>?
    private var closings: [Int: (peer: BusName, close: @BusActor () -> Void)] = [:]
    private var nextNumber = 0

    init(_ name: BusName, on connection: Connection) {
        self.name = name
        self.connection = connection
    }

    /// Checks that a caller is the trusted peer.
    ///
    /// - Parameter purpose: Completes the sentence “Only NAME may …” in the error.
    /// - Throws: ``DBusError`` `AccessDenied` for any caller but the owner of the name.
    func admit(_ sender: BusName, to purpose: String) async throws(DBusError) {
        let task = following ?? Task { await self.follow() }
        following = task
        _ = try await task.value.get()
        guard owner == sender else { throw .accessDenied("Only \(name) may \(purpose) here") }
    }

    /// Calls `close` once when the peer loses the name, for example because it ends.
    ///
    /// - Returns: A function that cancels this.
    func whenGone(
        _ peer: BusName, _ close: @escaping @BusActor () -> Void
    ) -> @BusActor () -> Void {
        let number = nextNumber
        nextNumber += 1
        closings[number] = (peer, close)
        return { [weak self] in self?.closings[number] = nil }
    }

    private func follow() async -> Result<Subscription, DBusError> {
        do throws(DBusError) {
            let watch = try await connection.watchOwner(of: name) { [weak self] owner in
                self?.change(to: owner)
            }
            owner = try await connection.owner(of: name)
            return .success(watch)
        } catch {
            // The next caller tries again.
            following = nil
            return .failure(error)
        }
    }

    private func change(to newOwner: BusName?) {
        owner = newOwner
        for (number, closing) in closings where closing.peer != newOwner {
            closings[number] = nil
            closing.close()
        }
    }
}

// SPDX-License-Identifier: MIT

package import SDBus

/// Who makes a call.
package struct Caller: Hashable, Sendable {
    /// The unique name of the connection.
    package let name: BusName
    /// The app's id; empty when nobody can know it.
    package let appID: String

    package init(name: BusName, appID: String) {
        self.name = name
        self.appID = appID
    }
}

/// The callers that are on the bus, each looked up once.
@BusActor
final class Callers {
    private let connection: Connection
    private let userID: UInt32
    private var known: [BusName: Caller] = [:]
    private var lookups: [BusName: Task<Result<Caller, DBusError>, Never>] = [:]
    private var watches: [BusName: Subscription] = [:]
    private var onGone: @BusActor (BusName) -> Void = { _ in }

    /// Makes a register for the callers of a connection.
    ///
    /// - Parameter userID: Only this user's processes are served.
    init(on connection: Connection, userID: UInt32) {
        self.connection = connection
        self.userID = userID
    }

    /// Calls `handler` when a known caller has left the bus.
    func whenGone(_ handler: @escaping @BusActor (BusName) -> Void) {
        onGone = handler
    }

    /// Finds out who a caller is; several calls of one caller share the work.
    ///
    /// - Throws: ``DBusError`` `AccessDenied` when that cannot be found out for certain.
    func identify(_ name: BusName) async throws(DBusError) -> Caller {
        if let caller = known[name] { return caller }
        let lookup = lookups[name] ?? Task { await self.lookUp(name) }
        lookups[name] = lookup
        let result = await lookup.value
        lookups[name] = nil
        let caller = try result.get()
        // It may have left while we looked; then its requests would never be closed.
        guard watches[name] != nil else { throw Self.denied }
        known[name] = caller
        return caller
    }

    private static let denied = DBusError.accessDenied("Portal operation not allowed")

    private func lookUp(_ name: BusName) async -> Result<Caller, DBusError> {
        do throws(DBusError) {
            // Watched first: whoever leaves after this is noticed, whoever left before has no
            // credentials.
            watches[name] = try await connection.watchOwner(of: name) { [weak self] owner in
                if owner == nil { self?.forget(name) }
            }
            let credentials = try await connection.credentials(of: name)
            guard credentials.userID == userID else { throw Self.denied }
            return .success(Caller(name: name, appID: ""))
        } catch {
            watches[name] = nil
            return .failure(Self.denied)
        }
    }

    private func forget(_ name: BusName) {
        known[name] = nil
        watches[name] = nil
        onGone(name)
    }
}

// SPDX-License-Identifier: MIT

package import Logging
package import Photos
import PortalInterface
package import SDBus

/// Controls who may use the public interfaces of a connection, and how much.
///
/// All public services of the connection share one object. It identifies callers, enforces their
/// limits across all services, and manages the authorization to use the library.
@BusActor
package final class AccessControl {
    package let limits: RequestLimits
    package let authorizer: Authorizer
    let consent: ConsentDialog
    /// The turns of the parties to show a window.
    let windows = Turns<Party>()
    let connection: Connection
    private let callers: Callers
    private let isRestricted: @Sendable (AppID) -> Bool
    private let gate: FloodGate
    private let accounts: SenderAccounts
    private var requests: [Party: Int] = [:]
    private var requestCount = 0
    /// The requests, and what is beside them, by interface.
    private var requestObjects: [InterfaceName: PrivateObjects] = [:]

    /// Makes the access control of a connection.
    ///
    /// - Parameters:
    ///   - userID: Only this user's processes are served.
    ///   - examination: Finds out which app a process belongs to.
    ///   - consent: Asks the person before photos are deleted.
    ///   - isRestricted: Whether the policy forbids an app to ask for photos.
    package init(
        on connection: Connection, userID: UInt32, limits: RequestLimits = RequestLimits(),
        examination: ProcessExamination = ProcessExamination(), authorizer: Authorizer,
        consent: ConsentDialog,
        isRestricted: @escaping @Sendable (AppID) -> Bool = { _ in false }, logger: Logger
    ) throws(WireError) {
        self.connection = connection
        self.limits = limits
        self.authorizer = authorizer
        self.consent = consent
        self.isRestricted = isRestricted
        let gate = try FloodGate(on: connection, strangers: limits.callsOfApp)
        self.gate = gate
        let accounts = SenderAccounts(limits: limits.senders)
        self.accounts = accounts
        callers = Callers(
            on: connection, userID: userID, examination: examination, logger: logger
        ) { caller in
            accounts.identified(caller.name, as: caller.party)
            gate.identified(
                caller.name, as: caller.party,
                at: caller.isSandboxed ? limits.callsOfApp : limits.callsOfHost)
        }
        callers.whenGone { name in
            accounts.forget(name)
            gate.forget(name)
        }
    }

    /// Exports a public interface; its calls count towards the limits of their senders.
    package func export(
        _ interface: Interface, at path: ObjectPath, implement: @BusActor (Export) -> Void
    ) throws(WireError) -> Export {
        try connection.export(interface, at: path) { export in
            export.accounts = accounts
            implement(export)
        }
    }

    /// Exports a request, which only its caller can see.
    func exportRequest(
        at handle: ObjectPath, of caller: Caller, implement: @BusActor (Export) -> Void
    ) throws(WireError) -> Export {
        try objects(with: RequestInterface.interface).export(at: handle, of: caller.name) {
            export in
            export.accounts = accounts
            // A caller that has reached its limits must still be able to end its requests.
            export.limitsCalls = false
            implement(export)
        }
    }

    /// Exports the choice of a request beside it, which only its caller can see.
    func exportSelection(
        at handle: ObjectPath, of caller: Caller, implement: @BusActor (Export) -> Void
    ) throws(WireError) -> Export {
        try objects(with: PhotoSelectionInterface.interface).export(at: handle, of: caller.name) {
            export in
            export.accounts = accounts
            implement(export)
        }
    }

    private func objects(with interface: Interface) throws(WireError) -> PrivateObjects {
        if let known = requestObjects[interface.name] { return known }
        let new = try PrivateObjects(interface, below: RequestHandle.folder, on: connection)
        requestObjects[interface.name] = new
        return new
    }

    /// Identifies a caller; concurrent calls of one caller share the work.
    ///
    /// - Throws: ``DBusError`` `AccessDenied` if the caller cannot be identified for certain.
    package func identify(_ sender: BusName) async throws(DBusError) -> Caller {
        try await callers.identify(sender)
    }

    /// Whether a caller can use the network itself; not if that cannot be found out.
    package func hasNetwork(_ caller: Caller) async -> Bool { await callers.hasNetwork(caller) }

    /// Makes sure that the policy lets a caller ask for photos.
    ///
    /// - Throws: ``DBusError`` `NotAllowed`.
    package func requireUnrestricted(_ caller: Caller) throws(DBusError) {
        guard !isRestricted(caller.appID) else {
            throw PortalError.notAllowed("The administrator does not let this app use photos")
        }
    }

    /// Whether a caller that was identified is still on the bus.
    func isPresent(_ caller: Caller) -> Bool { callers.knows(caller.name) }

    /// Calls `handler` when an identified caller has left the bus.
    ///
    /// There may be several handlers; they cannot be removed.
    package func whenGone(_ handler: @escaping @BusActor (BusName) -> Void) {
        callers.whenGone(handler)
    }

    /// Counts a request of a caller until the returned object is released.
    ///
    /// The last places are kept for those who have no request yet, so that no few of them can take
    /// all places.
    ///
    /// - Throws: ``DBusError`` `LimitsExceeded` if the caller's party, or all parties together, have
    ///   reached the limit.
    package func beginRequest(of caller: Caller) throws(DBusError) -> RequestClaim {
        let party = caller.party
        let own = requests[party, default: 0]
        guard own < limits.perCaller else {
            throw .limitsExceeded("At most \(limits.perCaller) requests at a time")
        }
        guard requestCount < (own == 0 ? limits.total : limits.total - limits.reserved) else {
            throw .limitsExceeded("Too many requests at a time")
        }
        requests[party] = own + 1
        requestCount += 1
        return RequestClaim { [weak self] in self?.endRequest(of: party) }
    }

    private func endRequest(of party: Party) {
        requestCount -= 1
        guard let count = requests[party] else { return }
        requests[party] = count > 1 ? count - 1 : nil
    }
}

/// A request that is counted for its caller until this object is released.
@BusActor
package final class RequestClaim {
    private let end: @BusActor () -> Void

    fileprivate init(_ end: @escaping @BusActor () -> Void) {
        self.end = end
    }

    isolated deinit {
        end()
    }
}

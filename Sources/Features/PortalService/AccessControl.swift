// SPDX-License-Identifier: MIT

package import Logging
package import SDBus

/// Controls who may use the public interfaces of a connection, and how much.
///
/// All public services of the connection share one object. It identifies callers, enforces their
/// limits across all services, and manages the authorization to use the library.
@BusActor
package final class AccessControl {
    package let limits: RequestLimits
    package let authorizer: Authorizer
    let connection: Connection
    private let callers: Callers
    private let accounts: SenderAccounts
    private var requests: [BusName: Int] = [:]
    private var requestCount = 0

    /// Makes the access control of a connection.
    ///
    /// - Parameters:
    ///   - userID: Only this user's processes are served.
    ///   - examination: Finds out which app a process belongs to.
    package init(
        on connection: Connection, userID: UInt32, limits: RequestLimits = RequestLimits(),
        examination: ProcessExamination = ProcessExamination(), authorizer: Authorizer,
        logger: Logger
    ) {
        self.connection = connection
        self.limits = limits
        self.authorizer = authorizer
        accounts = SenderAccounts(limits: limits.senders)
        callers = Callers(
            on: connection, userID: userID, examination: examination, logger: logger)
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

    /// Identifies a caller; concurrent calls of one caller share the work.
    ///
    /// - Throws: ``DBusError`` `AccessDenied` if the caller cannot be identified for certain.
    package func identify(_ sender: BusName) async throws(DBusError) -> Caller {
        try await callers.identify(sender)
    }

    /// Calls `handler` when an identified caller has left the bus.
    ///
    /// There may be several handlers; they cannot be removed.
    package func whenGone(_ handler: @escaping @BusActor (BusName) -> Void) {
        callers.whenGone(handler)
    }

    /// Counts a request of a caller until the returned object is released.
    ///
    /// - Throws: ``DBusError`` `LimitsExceeded` if the caller, or all callers together, have reached
    ///   the limit.
    package func beginRequest(of caller: Caller) throws(DBusError) -> RequestClaim {
        guard requests[caller.name, default: 0] < limits.perCaller else {
            throw .limitsExceeded("At most \(limits.perCaller) requests at a time")
        }
        guard requestCount < limits.total else {
            throw .limitsExceeded("Too many requests at a time")
        }
        requests[caller.name, default: 0] += 1
        requestCount += 1
        return RequestClaim { [weak self] in self?.endRequest(of: caller.name) }
    }

    private func endRequest(of sender: BusName) {
        requestCount -= 1
        guard let count = requests[sender] else { return }
        requests[sender] = count > 1 ? count - 1 : nil
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

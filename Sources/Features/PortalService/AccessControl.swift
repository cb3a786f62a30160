// SPDX-License-Identifier: MIT

package import Logging
package import SDBus

/// Who may use the public interfaces, and how much of them: one object for all services on a
/// connection.
///
/// It knows the callers, counts what each of them has in progress in all services together, and
/// asks people about the library.
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
    ///   - examination: Finds out which app a caller is.
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

    /// Puts a public interface on an object; its calls count for their senders.
    package func export(
        _ interface: Interface, at path: ObjectPath, implement: @BusActor (Export) -> Void
    ) throws(WireError) -> Export {
        try connection.export(interface, at: path) { export in
            export.accounts = accounts
            implement(export)
        }
    }

    /// Finds out who a caller is; several calls of one caller share the work.
    ///
    /// - Throws: ``DBusError`` `AccessDenied` when that cannot be found out for certain.
    package func identify(_ sender: BusName) async throws(DBusError) -> Caller {
        try await callers.identify(sender)
    }

    /// Calls `handler` when a known caller has left the bus.
    ///
    /// Handlers are called in the order in which they were added, and stay for good.
    package func whenGone(_ handler: @escaping @BusActor (BusName) -> Void) {
        callers.whenGone(handler)
    }

    /// Counts a request until the returned object is released.
    ///
    /// - Throws: ``DBusError`` `LimitsExceeded` when the caller, or all callers together, have as
    ///   many requests as they may, in whichever services.
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

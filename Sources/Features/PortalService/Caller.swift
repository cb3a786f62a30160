// SPDX-License-Identifier: MIT

import Logging
package import Photos
package import SDBus

/// A connection that makes calls, and the app behind it.
package struct Caller: Hashable, Sendable {
    /// The unique name of the connection.
    package let name: BusName
    package let identity: AppIdentity
    /// The process that opened the connection; for a Flatpak, its bus proxy.
    package let processID: Int32

    package var appID: AppID { identity.appID }
    package var isSandboxed: Bool { identity.isSandboxed }

    /// Whom limits apply to.
    package var party: Party { isSandboxed ? .app(identity) : .process(processID) }

    package init(name: BusName, identity: AppIdentity, processID: Int32) {
        self.name = name
        self.identity = identity
        self.processID = processID
    }
}

/// Whom limits apply to.
package enum Party: Hashable, Sendable {
    /// An app in a sandbox, with all its connections and instances.
    case app(AppIdentity)
    /// A process outside a sandbox, with all its connections; it can claim any identity.
    case process(Int32)
}

extension Party: CustomStringConvertible {
    package var description: String {
        switch self {
        case .app(let app): "\(app.sandbox.rawValue) \(app.appID.rawValue)"
        case .process(let id): "process \(id)"
        }
    }
}

/// The callers that are on the bus; each is identified once.
@BusActor
final class Callers {
    private let connection: Connection
    private let userID: UInt32
    private let examiner: Examiner
    private let logger: Logger
    private var known: [BusName: Caller] = [:]
    /// The calls that wait until their caller is identified, in the order in which they came.
    private var waiting: [BusName: [CheckedContinuation<Result<Caller, DBusError>, Never>]] = [:]
    private var watches: [BusName: Subscription] = [:]
    private var listeners: [@BusActor (BusName) -> Void] = []
    private let identified: @BusActor (Caller) -> Void

    /// Makes the list of callers of a connection.
    ///
    /// - Parameters:
    ///   - userID: Only this user's processes are served.
    ///   - identified: Called once for each caller, before ``identify(_:)`` returns it.
    init(
        on connection: Connection, userID: UInt32, examination: ProcessExamination,
        logger: Logger, identified: @escaping @BusActor (Caller) -> Void
    ) {
        self.connection = connection
        self.userID = userID
        examiner = Examiner(examination)
        self.logger = logger
        self.identified = identified
    }

    /// Whether a connection has been identified and is still on the bus.
    func knows(_ name: BusName) -> Bool { known[name] != nil }

    /// Calls `handler` when an identified caller has left the bus.
    func whenGone(_ handler: @escaping @BusActor (BusName) -> Void) {
        listeners.append(handler)
    }

    /// Identifies a caller; concurrent calls of one caller share the work.
    ///
    /// The calls of one caller go on in the order in which they came.
    ///
    /// - Throws: ``DBusError`` `AccessDenied` if the caller cannot be identified for certain.
    func identify(_ name: BusName) async throws(DBusError) -> Caller {
        // A call that comes while earlier ones go on, one after the other, waits behind them.
        if waiting[name] == nil {
            if let caller = known[name] { return caller }
            waiting[name] = []
            Task { passOn(await lookUp(name), to: name) }
        }
        let result = await withCheckedContinuation { waiting[name]?.append($0) }
        passOn(result, to: name)
        let caller = try result.get()
        // If it has left meanwhile, its requests would never be closed.
        guard known[name] != nil else { throw Self.denied }
        return caller
    }

    /// Whether the app behind a caller can use the network itself; not if that cannot be found out.
    func hasNetwork(_ caller: Caller) async -> Bool {
        guard caller.isSandboxed else { return true }
        do throws(ProcessExamination.Denial) {
            let hasNetwork = try await examiner.hasNetwork(caller.identity, caller.processID)
            // If it has left meanwhile, another process may have its id.
            return hasNetwork && knows(caller.name)
        } catch {
            logger.notice("A caller counts as one without network.", metadata: ["why": "\(error)"])
            return false
        }
    }

    /// Lets the next call of a caller go on.
    private func passOn(_ result: Result<Caller, DBusError>, to name: BusName) {
        let next = waiting[name]?.isEmpty == false ? waiting[name]?.removeFirst() : nil
        guard let next else { return waiting[name] = nil }
        next.resume(returning: result)
    }

    private static let denied = DBusError.accessDenied("Portal operation not allowed")

    private func lookUp(_ name: BusName) async -> Result<Caller, DBusError> {
        do throws(DBusError) {
            // Watch first: if the caller leaves after this, we notice; if it has left before, it has
            // no credentials.
            watches[name] = try await connection.watchOwner(of: name) { [weak self] owner in
                if owner == nil { self?.forget(name) }
            }
            let credentials = try await connection.credentials(of: name)
            guard credentials.userID == userID,
                let processID = credentials.processID.flatMap({ Int32(exactly: $0) }), processID > 0
            else { throw Self.denied }
            let identity: AppIdentity
            do throws(ProcessExamination.Denial) {
                identity = try await examiner.identity(
                    of: processID, handle: credentials.processDescriptor)
            } catch {
                logger.notice("A caller was denied.", metadata: ["why": "\(error)"])
                throw Self.denied
            }
            // If the process has ended, another one may have its id now.
            guard try await connection.credentials(of: name).processID == credentials.processID
            else { throw Self.denied }
            guard watches[name] != nil else { throw Self.denied }
            let caller = Caller(name: name, identity: identity, processID: processID)
            known[name] = caller
            identified(caller)
            return .success(caller)
        } catch {
            watches[name] = nil
            return .failure(Self.denied)
        }
    }

    private func forget(_ name: BusName) {
        known[name] = nil
        watches[name] = nil
        for listener in listeners { listener(name) }
    }
}

// SPDX-License-Identifier: MIT

import PortalInterface
import SDBus

/// A request that a backend is working on, exported on the bus until it ends.
@BusActor
final class BackendRequest<Outcome: Sendable> {
    private let sender: BusName
    private let ended: Outcome
    private var export: Export?
    private var work: Task<Result<Outcome, DBusError>, Never>?
    private var isClosed = false
    /// Tells the window that the caller has left.
    private var leave: AsyncStream<Void>.Continuation?

    /// Exports `org.freedesktop.impl.portal.Request` at `handle`.
    ///
    /// - Parameter ended: The outcome of a request that is closed.
    init(
        _ handle: ObjectPath, of sender: BusName, on connection: Connection, ended: Outcome
    ) throws(DBusError) {
        self.sender = sender
        self.ended = ended
        do {
            export = try connection.export(BackendRequestInterface.interface, at: handle) {
                [weak self] in
                $0.method(BackendRequestInterface.close) { call throws(DBusError) in
                    guard call.sender == sender else {
                        throw .accessDenied("This request belongs to another connection")
                    }
                    self?.close()
                    return Arguments()
                }
            }
        } catch {
            throw .failed("The handle cannot be used: \(error)")
        }
    }

    /// Runs `body` for a trusted caller; Close cancels it, and so does the end of the caller outside
    /// ``outlivingCaller(_:)``.
    ///
    /// - Throws: ``DBusError`` `AccessDenied` for any other caller, and the errors of `body`.
    func run(
        for peer: TrustedPeer, to purpose: String,
        _ body: @escaping @Sendable () async throws(DBusError) -> Outcome
    ) async throws(DBusError) -> Outcome {
        try await peer.admit(sender, to: purpose)
        let forget = peer.whenGone(sender) { [weak self] in self?.callerLeft() }
        defer { forget() }
        guard !isClosed else { return ended }
        let work = Task { () async -> Result<Outcome, DBusError> in
            do throws(DBusError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        self.work = work
        let result = await work.value
        return isClosed ? ended : try result.get()
    }

    /// Runs the part of a request during which a person looks at a window.
    ///
    /// If the caller leaves, for example because it crashed, `body` is told and goes on, so that it can
    /// tell the person. The outcome of the request goes nowhere then.
    ///
    /// - Parameter body: Gets a stream that has one element when the caller has left.
    func outlivingCaller<Value: Sendable>(
        _ body: @Sendable (AsyncStream<Void>) async throws(DBusError) -> Value
    ) async throws(DBusError) -> Value {
        let (departure, leave) = AsyncStream<Void>.makeStream()
        self.leave = leave
        defer {
            self.leave = nil
            if isClosed { work?.cancel() }
        }
        return try await body(departure)
    }

    func withdraw() {
        export?.withdraw()
    }

    private func callerLeft() {
        guard let leave else { return close() }
        isClosed = true
        // Whoever replaces the caller may use the handle again.
        withdraw()
        leave.yield()
        leave.finish()
    }

    private func close() {
        isClosed = true
        // At once, because the caller may reuse the handle for its next request.
        withdraw()
        work?.cancel()
    }
}

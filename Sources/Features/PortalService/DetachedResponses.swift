// SPDX-License-Identifier: MIT

import PortalInterface
import SDBus

/// The responses of detached requests, for callers of AwaitResponse on another connection.
@BusActor
final class DetachedResponses {
    typealias Response = Arguments<UInt32, Vardict>

    private enum State {
        case open([Waiter])
        case ended(Response)
    }

    private struct Waiter {
        let name: BusName
        let continuation: CheckedContinuation<Result<Response, DBusError>, Never>
    }

    private let limits: RequestLimits
    private var entries: [ObjectPath: State] = [:]
    /// How many calls of each caller wait for any of the requests.
    private var waits: [BusName: Int] = [:]

    init(limits: RequestLimits) {
        self.limits = limits
    }

    /// Whether the handle belongs to a detached request that is open or whose response is kept.
    func knows(_ handle: ObjectPath) -> Bool { entries[handle] != nil }

    /// Registers a new request.
    func expect(_ handle: ObjectPath) {
        entries[handle] = .open([])
    }

    /// Answers waiting callers and keeps the response for a while; nil if the request was closed.
    func finish(_ handle: ObjectPath, _ response: Response?) {
        guard case .open(let waiters) = entries[handle] else { return }
        guard let response else {
            entries[handle] = nil
            for waiter in waiters { waiter.continuation.resume(returning: .failure(Self.unknown)) }
            return
        }
        entries[handle] = .ended(response)
        for waiter in waiters { waiter.continuation.resume(returning: .success(response)) }
        Task {
            // Nobody cancels this task.
            try? await Task.sleep(for: limits.retention)
            entries[handle] = nil
        }
    }

    /// Waits for a response, without a time-out.
    ///
    /// - Parameter caller: Any program outside a sandbox; it can claim any identity, so that of the
    ///   program that made the request would protect nothing.
    func response(of handle: ObjectPath, for caller: Caller) async throws(DBusError) -> Response {
        switch entries[handle] {
        case nil: throw Self.unknown
        case .ended(let response): return response
        case .open(let waiters):
            guard waits[caller.name, default: 0] < limits.waitsPerCaller else {
                throw .limitsExceeded("At most \(limits.waitsPerCaller) calls may wait")
            }
            waits[caller.name, default: 0] += 1
            defer {
                let count = waits[caller.name, default: 0]
                waits[caller.name] = count > 1 ? count - 1 : nil
            }
            let result = await withCheckedContinuation { continuation in
                entries[handle] = .open(
                    waiters + [Waiter(name: caller.name, continuation: continuation)])
            }
            return try result.get()
        }
    }

    /// Ends the waits of a connection that has left the bus.
    func waiterLeft(_ name: BusName) {
        for (handle, state) in entries {
            guard case .open(let waiters) = state else { continue }
            let left = waiters.filter { $0.name == name }
            guard !left.isEmpty else { continue }
            entries[handle] = .open(waiters.filter { $0.name != name })
            for waiter in left {
                waiter.continuation.resume(returning: .failure(.disconnected))
            }
        }
    }

    private static let unknown = DBusError.unknownObject("There is no such request")
}

// SPDX-License-Identifier: MIT

import Photos
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

    private struct Entry {
        let appID: AppID
        var state: State
    }

    private let limits: RequestLimits
    private var entries: [ObjectPath: Entry] = [:]
    /// How many calls of each caller wait for any of the requests.
    private var waits: [BusName: Int] = [:]

    init(limits: RequestLimits) {
        self.limits = limits
    }

    /// Whether the handle belongs to a detached request that is open or whose response is kept.
    func knows(_ handle: ObjectPath) -> Bool { entries[handle] != nil }

    /// Registers a new request.
    func expect(_ handle: ObjectPath, of caller: Caller) {
        entries[handle] = Entry(appID: caller.appID, state: .open([]))
    }

    /// Answers waiting callers and keeps the response for a while; nil if the request was closed.
    func finish(_ handle: ObjectPath, _ response: Response?) {
        guard case .open(let waiters) = entries[handle]?.state else { return }
        guard let response else {
            entries[handle] = nil
            for waiter in waiters { waiter.continuation.resume(returning: .failure(Self.unknown)) }
            return
        }
        entries[handle]?.state = .ended(response)
        for waiter in waiters { waiter.continuation.resume(returning: .success(response)) }
        Task {
            // Nobody cancels this task.
            try? await Task.sleep(for: limits.retention)
            entries[handle] = nil
        }
    }

    /// Waits for a response, without a time-out.
    func response(of handle: ObjectPath, for caller: Caller) async throws(DBusError) -> Response {
        // Another app must not learn that the request exists.
        guard let entry = entries[handle], entry.appID == caller.appID else { throw Self.unknown }
        switch entry.state {
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
                entries[handle]?.state = .open(
                    waiters + [Waiter(name: caller.name, continuation: continuation)])
            }
            return try result.get()
        }
    }

    /// Ends the waits of a connection that has left the bus.
    func waiterLeft(_ name: BusName) {
        for (handle, entry) in entries {
            guard case .open(let waiters) = entry.state else { continue }
            let left = waiters.filter { $0.name == name }
            guard !left.isEmpty else { continue }
            entries[handle]?.state = .open(waiters.filter { $0.name != name })
            for waiter in left {
                waiter.continuation.resume(returning: .failure(.disconnected))
            }
        }
    }

    private static let unknown = DBusError.unknownObject("There is no such request")
}

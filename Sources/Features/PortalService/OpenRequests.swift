// SPDX-License-Identifier: MIT

package import Logging
import Photos
import PortalInterface
package import SDBus

/// The requests of a connection that have not ended, of all its public services.
@BusActor
package final class OpenRequests {
    private let access: AccessControl
    private let logger: Logger
    private let detached: DetachedResponses
    private var requests: [ObjectPath: OpenRequest] = [:]
    private var isStopping = false

    package init(_ access: AccessControl, logger: Logger) {
        self.access = access
        self.logger = logger
        detached = DetachedResponses(limits: access.limits)
        access.whenGone { [weak self] name in self?.callerLeft(name) }
    }

    /// Exports a request, under a path of its own even if the token is already in use.
    ///
    /// - Parameter nothing: The results if the service ends before the person has answered.
    /// - Throws: ``DBusError``: `LimitsExceeded`; `Failed` while the service ends; any error if the caller
    ///   has left.
    func open(
        _ token: HandleToken, of caller: Caller, isDetached: Bool = false,
        nothing: Vardict = Delivery().vardict
    ) throws(DBusError) -> OpenRequest {
        guard !isStopping else { throw .failed("The service is ending") }
        // While its call was checked; nobody would ever close the request.
        guard isDetached || access.isPresent(caller) else { throw .cancelled }
        let claim = try access.beginRequest(of: caller)
        for attempt in 0..<4 {
            let distinction = attempt == 0 ? nil : UInt32.random(in: .min ... .max)
            let path = RequestHandle.path(of: caller.name, token: token, distinction: distinction)
            guard let path, requests[path] == nil, !detached.knows(path) else { continue }
            let request: OpenRequest
            do {
                request = try OpenRequest(
                    path, of: caller, claim, isDetached: isDetached, nothing: nothing, on: access,
                    logger: logger
                ) { [weak self] request, response in self?.ended(request, response) }
            } catch {
                throw .failed("The request could not be exported")
            }
            requests[path] = request
            if isDetached { detached.expect(path) }
            return request
        }
        throw PortalError.invalidArgument("Option 'handle_token' is in use too often")
    }

    /// The choice that an app follows by a request; nil if there is no such request.
    func followed(by handle: ObjectPath) -> FollowedChoice? { requests[handle]?.followed }

    /// Ends all requests with a response, and refuses new ones.
    package func stop() {
        isStopping = true
        for request in requests.values {
            request.work?.cancel()
            request.problem = "The service is ending"
            request.respond(.ended, request.nothing)
        }
    }

    /// Waits for the response of a detached request; see ``DetachedResponses``.
    func response(
        of handle: ObjectPath, for caller: Caller
    ) async throws(DBusError) -> OpenRequest.Response {
        try await detached.response(of: handle, for: caller)
    }

    private func ended(_ request: OpenRequest, _ response: OpenRequest.Response?) {
        requests[request.handle] = nil
        if request.isDetached { detached.finish(request.handle, response) }
    }

    private func callerLeft(_ name: BusName) {
        detached.waiterLeft(name)
        for request in requests.values where request.caller.name == name && !request.isDetached {
            request.close()
        }
    }
}

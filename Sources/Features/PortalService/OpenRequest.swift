// SPDX-License-Identifier: MIT

import Logging
import PortalInterface
import SDBus

/// A request on the bus, from before its handle is returned until it ends.
///
/// It ends with ``respond(_:_:)`` or ``close()``, whichever is called first. Later calls of either
/// have no effect.
@BusActor
final class OpenRequest {
    typealias Response = Arguments<UInt32, Vardict>

    let handle: ObjectPath
    let caller: Caller
    let isDetached: Bool
    /// The results if the service ends before there are others.
    let nothing: Vardict
    let logger: Logger
    /// The task that produces the response.
    var work: Task<Void, Never>?
    /// Cancels the backend call, if one is in progress.
    ///
    /// Called as soon as the request ends: from then on its handle may be used again, and a later
    /// Close would end the next request at the same path.
    var withdrawQuestion: (@BusActor () -> Void)?

    /// What the app hears of the choice before the request ends; nil if it does not follow it.
    var followed: FollowedChoice?

    /// Why there was no choice; sent with response 2.
    var problem: String?

    private let access: AccessControl
    private var export: Export?
    private var claim: RequestClaim?
    private var hasEnded = false
    private let onEnd: @BusActor (OpenRequest, Response?) -> Void

    /// Exports the request.
    ///
    /// - Parameters:
    ///   - claim: Counts the request for its caller; released when the request ends.
    ///   - onEnd: Called once, with the response, or with nil if the request was closed.
    /// - Throws: ``WireError`` with `EEXIST` if the handle is in use.
    init(
        _ handle: ObjectPath, of caller: Caller, _ claim: RequestClaim, isDetached: Bool,
        nothing: Vardict, on access: AccessControl, logger: Logger,
        onEnd: @escaping @BusActor (OpenRequest, Response?) -> Void
    ) throws(WireError) {
        self.handle = handle
        self.caller = caller
        self.isDetached = isDetached
        self.nothing = nothing
        self.claim = claim
        self.access = access
        self.onEnd = onEnd
        var logger = logger
        logger[metadataKey: "handle"] = "\(handle)"
        self.logger = logger
        export = try access.exportRequest(at: handle, of: caller) { [weak self] export in
            export.method(RequestInterface.close) { _ throws(DBusError) in
                self?.close()
                return Arguments()
            }
        }
    }

    /// Ends the request with a response, sent only to its caller.
    func respond(_ code: ResponseCode, _ results: Vardict) {
        guard !hasEnded else { return }
        // Nothing follows the response.
        followed?.close()
        var results = results
        if code == .ended, let problem { results["message"] = problem.variant }
        var code = code
        var response = Response(code.rawValue, results)
        do {
            do {
                try send(response)
            } catch  where error.isMessageTooLarge {
                logger.error("The response is too large.")
                code = .ended
                response = Response(code.rawValue, Delivery.tooLarge.vardict)
                try send(response)
            }
        } catch {
            logger.error("The response could not be sent.", metadata: ["error": "\(error)"])
        }
        logger.info("Ended", metadata: ["response": "\(code)"])
        end(response)
    }

    private func send(_ response: Response) throws(WireError) {
        try access.connection.emit(
            RequestInterface.response, of: RequestInterface.interface.name, from: handle,
            to: caller.name, response)
    }

    /// Ends the request without a response: "A Response signal will not be emitted".
    func close() {
        guard !hasEnded else { return }
        logger.info("Closed")
        work?.cancel()
        end(nil)
    }

    private func end(_ response: Response?) {
        hasEnded = true
        withdrawQuestion?()
        withdrawQuestion = nil
        followed?.close()
        followed = nil
        export?.withdraw()
        export = nil
        claim = nil
        onEnd(self, response)
    }
}

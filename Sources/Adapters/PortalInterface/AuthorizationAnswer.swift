// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// The arguments and the reply of `Authorize`, between service and backend.
package enum AuthorizationAnswer {
    /// The arguments of `Authorize`.
    package static func encode(
        _ request: AuthorizationRequest, at handle: ObjectPath
    ) -> Arguments<ObjectPath, String, String, String, Vardict> {
        var options: Vardict = [:]
        options["reason"] = request.reason?.variant
        return Arguments(
            handle, request.appID.rawValue, request.parentWindow, request.level.rawValue, options)
    }

    /// Reads the arguments of `Authorize`.
    ///
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument`.
    package static func decode(
        _ input: Arguments<ObjectPath, String, String, String, Vardict>
    ) throws(DBusError) -> AuthorizationRequest {
        let (_, appID, parentWindow, name, options) = input.values
        guard let level = AccessLevel(rawValue: name) else {
            throw PortalError.invalidArgument("Expected 'add' or 'read-write' for 'level'")
        }
        var reason: String?
        if let value = options["reason"] {
            guard let text = String(value), text.count <= PickOption.reasonLength else {
                throw PortalError.invalidArgument(
                    "Expected at most \(PickOption.reasonLength) characters for option 'reason'")
            }
            reason = text.isEmpty ? nil : text
        }
        return AuthorizationRequest(
            appID: AppID(vouchedFor: appID), parentWindow: parentWindow, level: level,
            reason: reason)
    }

    /// The reply to `Authorize`.
    package static func encode(_ decision: AuthorizationDecision) -> Arguments<UInt32, Vardict> {
        switch decision {
        case .decided(let authorization):
            Arguments(
                ResponseCode.success.rawValue, ["authorization": authorization.rawValue.variant])
        case .undecided: Arguments(ResponseCode.cancelled.rawValue, [:])
        }
    }

    /// Reads a reply; a reply that is not valid decides nothing.
    package static func decode(
        _ reply: Arguments<UInt32, Vardict>, for level: AccessLevel
    ) -> AuthorizationDecision {
        let (code, results) = reply.values
        guard ResponseCode(code) == .success,
            let number = results.value("authorization", as: UInt32.self)
        else { return .undecided }
        switch Authorization(rawValue: number) {
        case .denied: return .decided(.denied)
        case .authorized: return .decided(.authorized)
        case .limited where level == .readWrite: return .decided(.limited)
        default: return .undecided
        }
    }
}

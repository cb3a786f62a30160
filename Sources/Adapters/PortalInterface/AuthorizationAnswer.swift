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
        if request.isReminder { options["remind"] = true.variant }
        return Arguments(
            handle, request.appID.rawValue, request.parentWindow, request.level.rawValue, options)
    }

    /// Reads the arguments of `Authorize`.
    ///
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument`.
    package static func decode(
        _ input: Arguments<ObjectPath, String, String, String, Vardict>
    ) throws(DBusError) -> AuthorizationRequest {
        let (_, appID, parentWindow, level, options) = input.values
        return try request(
            of: AppID(vouchedFor: appID), parentWindow: parentWindow, level, options)
    }

    /// Reads what an app asks for.
    ///
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument`.
    package static func request(
        of appID: AppID, parentWindow: String, _ level: String, _ options: Vardict
    ) throws(DBusError) -> AuthorizationRequest {
        AuthorizationRequest(
            appID: appID, parentWindow: parentWindow, level: try AccessLevel(argument: level),
            reason: try options.decoded("reason", .text(atMost: PickOption.reasonLength)) ?? nil,
            isReminder: try options.decoded("remind", .flag) ?? false)
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

// SPDX-License-Identifier: MIT

/// What an app may do with the photo library as a whole.
///
/// The numbers are those of `GetAuthorization`.
package enum Authorization: UInt32, CaseIterable, Sendable {
    /// Nobody has decided yet.
    case notDetermined = 0
    /// Policy forbids it, and no person can allow it.
    case restricted = 1
    case denied = 2
    case authorized = 3
    /// Only photos that the app was given.
    case limited = 4
}

/// How far an app wants to use the library.
package enum AccessLevel: String, CaseIterable, Sendable {
    /// Adding photos, without seeing any.
    case add
    /// Seeing and changing all of it.
    case readWrite = "read-write"
}

/// What an app asks a person to allow.
package struct AuthorizationRequest: Hashable, Sendable {
    package var appID: AppID
    /// The window to stand before, as the portals write it; empty for none.
    package var parentWindow: String
    package var level: AccessLevel
    /// Why the app asks, in its own words.
    package var reason: String?

    package init(
        appID: AppID, parentWindow: String, level: AccessLevel, reason: String? = nil
    ) {
        self.appID = appID
        self.parentWindow = parentWindow
        self.level = level
        self.reason = reason
    }
}

/// What a person decided about the library.
package enum AuthorizationDecision: Hashable, Sendable {
    /// One of `denied`, `authorized` and `limited`.
    case decided(Authorization)
    /// The person did not decide, or could not be asked.
    case undecided
}

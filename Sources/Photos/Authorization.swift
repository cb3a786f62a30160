// SPDX-License-Identifier: MIT

/// Whether an app may use the photo library as a whole.
///
/// The raw values are those of `GetAuthorization`.
package enum Authorization: UInt32, CaseIterable, Sendable {
    /// The person has not decided yet.
    case notDetermined = 0
    /// A policy forbids it, and the person cannot allow it.
    case restricted = 1
    case denied = 2
    case authorized = 3
    /// Only photos that the app has received.
    case limited = 4
}

/// The kinds of access to the library.
package enum AccessLevel: String, CaseIterable, Sendable {
    /// Adding photos, without seeing any.
    case add
    /// Seeing and changing the whole library.
    case readWrite = "read-write"
}

/// An app's request for access to the library.
package struct AuthorizationRequest: Hashable, Sendable {
    package var appID: AppID
    /// The parent window, in the notation of the portals; empty for none.
    package var parentWindow: String
    package var level: AccessLevel
    /// The reason, in the app's own words.
    package var reason: String?
    /// Whether a person who said no earlier is reminded of that, and can change their mind.
    package var isReminder: Bool

    package init(
        appID: AppID, parentWindow: String, level: AccessLevel, reason: String? = nil,
        isReminder: Bool = false
    ) {
        self.appID = appID
        self.parentWindow = parentWindow
        self.level = level
        self.reason = reason
        self.isReminder = isReminder
    }
}

/// The person's decision about the library.
package enum AuthorizationDecision: Hashable, Sendable {
    /// Either `denied`, `authorized` or `limited`.
    case decided(Authorization)
    /// The person did not decide, or could not be asked.
    case undecided
}

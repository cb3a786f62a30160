// SPDX-License-Identifier: MIT

/// The app behind a request, as far as the desktop can tell the person.
///
/// Good enough to be read and to choose a default, never to grant anything.
package struct RequestingApp: Hashable, Sendable {
    /// Its id, or the name of its desktop file without `.desktop`; empty if nothing is known.
    package var id: String
    /// Nil if the app is unknown.
    package var name: String?
    /// The name of its icon in the icon theme, or a path.
    package var icon: String?
    /// Whether files that it gets are likely to leave this computer, or are meant not to: a browser,
    /// a program for mail or chat, and every app in a sandbox.
    package var isPrivacyExpected: Bool

    package init(
        id: String = "", name: String? = nil, icon: String? = nil, isPrivacyExpected: Bool = false
    ) {
        self.id = id
        self.name = name
        self.icon = icon
        self.isPrivacyExpected = isPrivacyExpected
    }
}

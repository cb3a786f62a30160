// SPDX-License-Identifier: MIT

internal import Photos
package import SDBus

/// The errors that the portals of the desktop share.
package enum PortalError {
    package static func failed(_ message: String) -> DBusError {
        DBusError(name: .portalFailed, message: message)
    }

    package static func invalidArgument(_ message: String) -> DBusError {
        DBusError(name: .portalInvalidArgument, message: message)
    }

    package static func notFound(_ message: String) -> DBusError {
        DBusError(name: .portalNotFound, message: message)
    }

    package static func notAllowed(_ message: String) -> DBusError {
        DBusError(name: .portalNotAllowed, message: message)
    }
}

extension String {
    /// The beginning of an app's text for an error message, which other programs may show in a terminal.
    package var excerpt: String { cut(to: 64).printable }
}

/// - Source: xdg-desktop-portal, `XdpPortalError`.
extension ErrorName {
    package static let portalFailed: ErrorName = "org.freedesktop.portal.Error.Failed"
    package static let portalInvalidArgument: ErrorName =
        "org.freedesktop.portal.Error.InvalidArgument"
    package static let portalNotAllowed: ErrorName = "org.freedesktop.portal.Error.NotAllowed"
    package static let portalNotFound: ErrorName = "org.freedesktop.portal.Error.NotFound"

    /// Whether a portal refused the request, rather than being missing or broken.
    package var isFromPortal: Bool { rawValue.hasPrefix("org.freedesktop.portal.Error.") }
}

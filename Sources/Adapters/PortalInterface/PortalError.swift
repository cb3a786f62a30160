// SPDX-License-Identifier: MIT

package import SDBus

/// The errors that the portals of the desktop share.
package enum PortalError {
    package static func failed(_ message: String) -> DBusError {
        DBusError(name: "org.freedesktop.portal.Error.Failed", message: message)
    }

    package static func invalidArgument(_ message: String) -> DBusError {
        DBusError(name: "org.freedesktop.portal.Error.InvalidArgument", message: message)
    }

    package static func notAllowed(_ message: String) -> DBusError {
        DBusError(name: "org.freedesktop.portal.Error.NotAllowed", message: message)
    }
}

// SPDX-License-Identifier: MIT

package import SDBus

/// The limit of a text that is an argument of its own, and no option.
package enum CallText {
    private static let mostBytes = 4096

    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument`.
    package static func check(_ text: String, named name: String) throws(DBusError) {
        guard text.utf8.count <= mostBytes else {
            throw PortalError.invalidArgument(
                "Expected at most \(mostBytes) bytes for '\(name)', got \(text.utf8.count)")
        }
    }
}

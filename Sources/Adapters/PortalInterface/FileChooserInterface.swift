// SPDX-License-Identifier: MIT

package import SDBus

/// `org.freedesktop.impl.portal.FileChooser`, see dbus/org.freedesktop.impl.portal.FileChooser.xml.
package enum FileChooserInterface {
    package typealias Choose = Method<
        Arguments<ObjectPath, String, String, String, Vardict>, Arguments<UInt32, Vardict>
    >

    package static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    /// xdg-desktop-portal, which vouches for the `app_id` of a call.
    package static let frontend: BusName = "org.freedesktop.portal.Desktop"

    package static let openFile = choose("OpenFile")
    package static let saveFile = choose("SaveFile")
    package static let saveFiles = choose("SaveFiles")
    /// All methods; they have the same arguments and results.
    package static let methods = [openFile, saveFile, saveFiles]
    package static let version = Property<UInt32>("version")

    package static let interface = Interface(
        "org.freedesktop.impl.portal.FileChooser", methods + [version])

    private static func choose(_ name: MemberName) -> Choose {
        Choose(
            name, takes: ["handle", "app_id", "parent_window", "title", "options"],
            returns: ["response", "results"])
    }
}

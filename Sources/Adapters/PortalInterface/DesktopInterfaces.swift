// SPDX-License-Identifier: MIT

package import Files
package import SDBus

/// `org.freedesktop.portal.Documents`, as far as we call it: files for apps in a sandbox.
///
/// - Source: xdg-desktop-portal 1.16, `org.freedesktop.portal.Documents.xml`; a test compares it
///   with the running portal.
package enum DocumentsInterface {
    package static let busName: BusName = "org.freedesktop.portal.Documents"
    package static let path: ObjectPath = "/org/freedesktop/portal/documents"

    package static let addFull = Method<
        Arguments<[Descriptor], UInt32, String, [String]>, Arguments<[String], Vardict>
    >(
        "AddFull", takes: ["o_path_fds", "flags", "app_id", "permissions"],
        returns: ["doc_ids", "extra_out"])
    package static let lookup = Method<Arguments<[UInt8]>, Arguments<String>>(
        "Lookup", takes: ["filename"], returns: ["doc_id"])
    package static let grantPermissions = Method<
        Arguments<String, String, [String]>, Arguments<>
    >("GrantPermissions", takes: ["doc_id", "app_id", "permissions"])
    package static let revokePermissions = Method<
        Arguments<String, String, [String]>, Arguments<>
    >("RevokePermissions", takes: ["doc_id", "app_id", "permissions"])
    /// The path of a document, and what each app may do with it.
    package static let info = Method<
        Arguments<String>, Arguments<[UInt8], [String: [String]]>
    >("Info", takes: ["doc_id"], returns: ["path", "apps"])
    package static let delete = Method<Arguments<String>, Arguments<>>(
        "Delete", takes: ["doc_id"])

    package static let interface = Interface(
        "org.freedesktop.portal.Documents",
        [addFull, lookup, grantPermissions, revokePermissions, info, delete])
}

/// `org.freedesktop.impl.portal.PermissionStore`, as far as we call it: what apps may do.
///
/// - Source: xdg-desktop-portal 1.16, `org.freedesktop.impl.portal.PermissionStore.xml`; a test
///   compares it with the running store.
package enum PermissionStoreInterface {
    package static let busName: BusName = "org.freedesktop.impl.portal.PermissionStore"
    package static let path: ObjectPath = "/org/freedesktop/impl/portal/PermissionStore"

    package static let getPermission = Method<
        Arguments<String, String, String>, Arguments<[String]>
    >("GetPermission", takes: ["table", "id", "app"], returns: ["permissions"])
    package static let setPermission = Method<
        Arguments<String, Bool, String, String, [String]>, Arguments<>
    >("SetPermission", takes: ["table", "create", "id", "app", "permissions"])
    package static let deletePermission = Method<
        Arguments<String, String, String>, Arguments<>
    >("DeletePermission", takes: ["table", "id", "app"])
    package static let lookup = Method<
        Arguments<String, String>, Arguments<[String: [String]], Variant>
    >("Lookup", takes: ["table", "id"], returns: ["permissions", "data"])

    package static let changed = Signal<
        Arguments<String, String, Bool, Variant, [String: [String]]>
    >("Changed", carries: ["table", "id", "deleted", "data", "permissions"])

    package static let interface = Interface(
        "org.freedesktop.impl.portal.PermissionStore",
        [getPermission, setPermission, deletePermission, lookup, changed])
}

/// `org.freedesktop.portal.Settings`, as far as we call it: how the person wants windows to look.
///
/// - Source: xdg-desktop-portal 1.16, `org.freedesktop.portal.Settings.xml`; a test compares it with
///   the running portal.
package enum SettingsPortalInterface {
    package static let busName: BusName = "org.freedesktop.portal.Desktop"
    package static let path: ObjectPath = "/org/freedesktop/portal/desktop"

    package static let readAll = Method<Arguments<[String]>, Arguments<[String: Vardict]>>(
        "ReadAll", takes: ["namespaces"], returns: ["value"])
    package static let settingChanged = Signal<Arguments<String, String, Variant>>(
        "SettingChanged", carries: ["namespace", "key", "value"])

    package static let interface = Interface(
        "org.freedesktop.portal.Settings", [readAll, settingChanged])
}

/// `org.freedesktop.Notifications`, as far as we call it: what the person is told without a window.
///
/// - Source: Desktop Notifications Specification 1.2, “D-BUS Protocol”.
package enum NotificationsInterface {
    package static let busName: BusName = "org.freedesktop.Notifications"
    package static let path: ObjectPath = "/org/freedesktop/Notifications"

    package static let notify = Method<
        Arguments<String, UInt32, String, String, String, [String], Vardict, Int32>,
        Arguments<UInt32>
    >(
        "Notify",
        takes: [
            "app_name", "replaces_id", "app_icon", "summary", "body", "actions", "hints",
            "expire_timeout",
        ], returns: ["id"])
    package static let closeNotification = Method<Arguments<UInt32>, Arguments<>>(
        "CloseNotification", takes: ["id"])
    package static let notificationClosed = Signal<Arguments<UInt32, UInt32>>(
        "NotificationClosed", carries: ["id", "reason"])

    package static let interface = Interface(
        "org.freedesktop.Notifications", [notify, closeNotification, notificationClosed])
}

/// `org.freedesktop.DBus.Properties`, as far as we use it.
///
/// - Source: D-Bus Specification, “Standard Interfaces”.
package enum PropertiesInterface {
    package static let name: InterfaceName = "org.freedesktop.DBus.Properties"
    package static let getAll = Method<Arguments<String>, Arguments<Vardict>>(
        "GetAll", takes: ["interface_name"], returns: ["props"])
    package static let propertiesChanged = Signal<Arguments<String, Vardict, [String]>>(
        "PropertiesChanged",
        carries: ["interface_name", "changed_properties", "invalidated_properties"])
}

/// The names of services whose properties we read: whether the computer saves power.
///
/// - Source: UPower 0.99, `org.freedesktop.UPower.xml`; power-profiles-daemon 0.12 and, under its later
///   name, 0.20, `org.freedesktop.UPower.PowerProfiles.xml`.
package enum PowerInterfaces {
    /// A service that has an object with an interface of the same name.
    package struct Service: Hashable, Sendable {
        package let busName: BusName
        package let path: ObjectPath
    }

    /// Whether the computer runs on its battery.
    package static let power = Service(
        busName: "org.freedesktop.UPower", path: "/org/freedesktop/UPower")
    /// Whether the person wants to save power.
    package static let profiles = [
        Service(
            busName: "org.freedesktop.UPower.PowerProfiles",
            path: "/org/freedesktop/UPower/PowerProfiles"),
        Service(busName: "net.hadess.PowerProfiles", path: "/net/hadess/PowerProfiles"),
    ]
}

/// `org.freedesktop.portal.Camera`, as far as we use it: whether PipeWire offers a camera.
///
/// - Source: xdg-desktop-portal 1.16, `org.freedesktop.portal.Camera.xml`; a test compares it with the
///   running portal.
package enum CameraPortalInterface {
    package static let busName: BusName = "org.freedesktop.portal.Desktop"
    package static let path: ObjectPath = "/org/freedesktop/portal/desktop"

    package static let isCameraPresent = Property<Bool>("IsCameraPresent", emitsChange: true)

    package static let interface = Interface("org.freedesktop.portal.Camera", [isCameraPresent])
}

/// `org.freedesktop.impl.portal.Lockdown`, as far as we use it: whether the desktop forbids cameras.
///
/// A backend of xdg-desktop-portal has it; that of GTK reads `disable-camera` of `org.gnome.desktop.privacy`.
///
/// - Source: xdg-desktop-portal 1.16, `org.freedesktop.impl.portal.Lockdown.xml`.
package enum LockdownInterface {
    package static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    package static let name: InterfaceName = "org.freedesktop.impl.portal.Lockdown"

    /// The name of a property of type `b`.
    ///
    /// It is no name that D-Bus allows for a member, because of its hyphen, so that no descriptor has it.
    package static let disablesCamera = "disable-camera"
}

/// What locks the screen, on the session bus.
///
/// - Source: gnome-shell 43, `org.gnome.ScreenSaver.xml`; kscreenlocker 5.27, `org.freedesktop.ScreenSaver.xml`,
///   which light-locker and xfce4-screensaver have too.
package enum ScreenLockInterfaces {
    package static let getActive = Method<Arguments<>, Arguments<Bool>>(
        "GetActive", returns: ["active"])
    package static let activeChanged = Signal<Arguments<Bool>>("ActiveChanged", carries: ["active"])

    /// Services whose interface has the same name.
    package static let busNames: [BusName] = [
        "org.gnome.ScreenSaver", "org.freedesktop.ScreenSaver", "org.cinnamon.ScreenSaver",
        "org.mate.ScreenSaver",
    ]
}

/// How a device is held, on the system bus.
///
/// - Source: iio-sensor-proxy 3.4, `net.hadess.SensorProxy.xml`.
package enum SensorInterface {
    package static let busName: BusName = "net.hadess.SensorProxy"
    package static let path: ObjectPath = "/net/hadess/SensorProxy"

    package static let claimAccelerometer = Method<Arguments<>, Arguments<>>("ClaimAccelerometer")
    package static let releaseAccelerometer = Method<Arguments<>, Arguments<>>(
        "ReleaseAccelerometer")

    package static let interface = Interface(
        "net.hadess.SensorProxy", [claimAccelerometer, releaseAccelerometer])
}

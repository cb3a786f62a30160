// SPDX-License-Identifier: MIT

package import SDBus

/// `org.freedesktop.portal.PhotoPicker`, see dbus/org.freedesktop.portal.PhotoPicker.xml.
package enum PhotoPickerInterface {
    package typealias Pick = Method<Arguments<String, String, Vardict>, Arguments<ObjectPath>>

    package static let busName: BusName = "org.freedesktop.portal.PhotoPicker"
    package static let path: ObjectPath = "/org/freedesktop/portal/desktop"

    package static let openImage = Pick(
        "OpenImage", takes: ["parent_window", "title", "options"], returns: ["handle"])
    package static let pickImages = Pick(
        "PickImages", takes: ["parent_window", "title", "options"], returns: ["handle"])
    package static let previewImages = Method<
        Arguments<String, String, [Vardict], Vardict>, Arguments<ObjectPath>
    >(
        "PreviewImages", takes: ["parent_window", "title", "images", "options"],
        returns: ["handle"], takesDescriptors: true)
    package static let awaitResponse = Method<
        Arguments<ObjectPath>, Arguments<UInt32, Vardict>
    >("AwaitResponse", takes: ["handle"], returns: ["response", "results"])
    package static let supportedMediaTypes = Property<[String]>("SupportedMediaTypes")
    package static let supportedOptions = Property<[String]>("SupportedOptions")
    package static let cameraPresent = Property<Bool>("CameraPresent", emitsChange: true)
    package static let version = Property<UInt32>("version")

    package static let interface = Interface(
        "org.freedesktop.portal.PhotoPicker",
        [
            openImage, pickImages, previewImages, awaitResponse,
            supportedMediaTypes, supportedOptions, cameraPresent, version,
        ],
        errors: [
            .accessDenied, .limitsExceeded, .notSupported, .portalFailed, .portalInvalidArgument,
            .portalNotAllowed, .portalNotFound, .unknownObject,
        ])
}

/// `org.freedesktop.portal.Request`, see dbus/org.freedesktop.portal.Request.xml.
package enum RequestInterface {
    package static let close = Method<Arguments<>, Arguments<>>("Close")
    package static let response = Signal<Arguments<UInt32, Vardict>>(
        "Response", carries: ["response", "results"])

    package static let interface = Interface(
        "org.freedesktop.portal.Request", [close, response])
}

/// `org.freedesktop.portal.PhotoSelection`, see dbus/org.freedesktop.portal.PhotoSelection.xml.
package enum PhotoSelectionInterface {
    package static let deselect = Method<Arguments<[String]>, Arguments<>>(
        "Deselect", takes: ["ids"])
    package static let update = Method<Arguments<Vardict>, Arguments<>>(
        "Update", takes: ["options"])
    package static let selectionChanged = Signal<Arguments<Vardict>>(
        "SelectionChanged", carries: ["selection"])

    package static let interface = Interface(
        "org.freedesktop.portal.PhotoSelection", [deselect, update, selectionChanged],
        errors: [.portalInvalidArgument, .limitsExceeded, .unknownObject])
}

/// `org.freedesktop.impl.portal.PhotoPicker`, see dbus/org.freedesktop.impl.portal.PhotoPicker.xml.
package enum PickerBackendInterface {
    package typealias Pick = Method<
        Arguments<ObjectPath, String, String, String, Vardict>, Arguments<UInt32, Vardict>
    >

    /// The bus name of our own backend.
    package static let defaultBusName: BusName = "org.freedesktop.impl.portal.desktop.photoportal"
    package static let path: ObjectPath = "/org/freedesktop/portal/desktop"

    package static let openImage = Pick(
        "OpenImage", takes: ["handle", "app_id", "parent_window", "title", "options"],
        returns: ["response", "results"])
    package static let pickImages = Pick(
        "PickImages", takes: ["handle", "app_id", "parent_window", "title", "options"],
        returns: ["response", "results"])
    package static let previewImages = Pick(
        "PreviewImages", takes: ["handle", "app_id", "parent_window", "title", "options"],
        returns: ["response", "results"], takesDescriptors: true)
    package static let authorize = Pick(
        "Authorize", takes: ["handle", "app_id", "parent_window", "level", "options"],
        returns: ["response", "results"])
    package static let confirmDeletion = Method<
        DeletionAnswer.Input, Arguments<UInt32, Vardict>
    >(
        "ConfirmDeletion", takes: ["handle", "app_id", "parent_window", "ids", "options"],
        returns: ["response", "results"])
    package static let deselect = Method<Arguments<ObjectPath, [String]>, Arguments<>>(
        "Deselect", takes: ["handle", "ids"])
    package static let update = Method<Arguments<ObjectPath, Vardict>, Arguments<>>(
        "Update", takes: ["handle", "options"])
    package static let selectionChanged = Signal<Arguments<ObjectPath, Vardict>>(
        "SelectionChanged", carries: ["handle", "results"])
    package static let version = Property<UInt32>("version")

    package static let interface = Interface(
        "org.freedesktop.impl.portal.PhotoPicker",
        [
            openImage, pickImages, previewImages, authorize, confirmDeletion, deselect, update,
            selectionChanged, version,
        ], errors: [.accessDenied, .unknownObject])
}

/// `org.freedesktop.impl.portal.Request`, see dbus/org.freedesktop.impl.portal.Request.xml.
package enum BackendRequestInterface {
    package static let close = Method<Arguments<>, Arguments<>>("Close")

    package static let interface = Interface("org.freedesktop.impl.portal.Request", [close])
}

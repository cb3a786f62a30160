// SPDX-License-Identifier: MIT

package import Files
package import SDBus

/// `org.freedesktop.portal.PhotoLibrary`, see dbus/org.freedesktop.portal.PhotoLibrary.xml.
package enum PhotoLibraryInterface {
    package static let getAuthorization = Method<Arguments<String>, Arguments<UInt32>>(
        "GetAuthorization", takes: ["level"], returns: ["authorization"])
    package static let requestAuthorization = Method<
        Arguments<String, String, Vardict>, Arguments<ObjectPath>
    >(
        "RequestAuthorization", takes: ["parent_window", "level", "options"], returns: ["handle"])
    package static let getStatus = Method<Arguments<Vardict>, Arguments<Vardict>>(
        "GetStatus", takes: ["options"], returns: ["status"])
    package static let getAlbums = Method<Arguments<Vardict>, Arguments<[Vardict]>>(
        "GetAlbums", takes: ["options"], returns: ["albums"])
    package static let getMoments = Method<Arguments<Vardict>, Arguments<[Vardict], UInt64>>(
        "GetMoments", takes: ["options"], returns: ["moments", "total"])
    package static let getAssets = Method<
        Arguments<String, Vardict>, Arguments<[Vardict], UInt64>
    >("GetAssets", takes: ["album", "options"], returns: ["assets", "total"])
    package static let lookupAssets = Method<Arguments<[String]>, Arguments<[Vardict]>>(
        "LookupAssets", takes: ["ids"], returns: ["assets"])
    package static let getThumbnail = Method<
        Arguments<String, UInt32, Vardict>, Arguments<Descriptor, Vardict>
    >("GetThumbnail", takes: ["id", "size", "options"], returns: ["pixels", "results"])
    package static let getPreview = Method<
        Arguments<String, UInt32, Vardict>, Arguments<Descriptor, Vardict>
    >("GetPreview", takes: ["id", "max_dimension", "options"], returns: ["pixels", "results"])
    package static let openAsset = Method<
        Arguments<String, Vardict>, Arguments<Descriptor, Vardict>
    >("OpenAsset", takes: ["id", "options"], returns: ["file", "results"])
    package static let performChanges = Method<
        Arguments<[ChangeOperation]>, Arguments<[Vardict]>
    >("PerformChanges", takes: ["changes"], returns: ["results"], takesDescriptors: true)
    package static let saveImage = Method<
        Arguments<String, Descriptor, Vardict>, Arguments<ObjectPath>
    >("SaveImage", takes: ["parent_window", "image", "options"], returns: ["handle"])
    package static let deleteAssets = Method<
        Arguments<String, [String], Vardict>, Arguments<ObjectPath>
    >("DeleteAssets", takes: ["parent_window", "ids", "options"], returns: ["handle"])
    package static let watchChanges = Method<Arguments<Vardict>, Arguments<UInt64, Vardict>>(
        "WatchChanges", takes: ["options"], returns: ["generation", "results"])
    package static let unwatchChanges = Method<Arguments<>, Arguments<>>("UnwatchChanges")
    package static let getChanges = Method<Arguments<UInt64, Vardict>, Arguments<UInt64, Vardict>>(
        "GetChanges", takes: ["since", "options"], returns: ["generation", "changes"])
    package static let changed = Signal<Arguments<UInt64, Vardict>>(
        "Changed", carries: ["generation", "changes"])
    package static let version = Property<UInt32>("version")

    package static let interface = Interface(
        "org.freedesktop.portal.PhotoLibrary",
        [
            getAuthorization, requestAuthorization, getStatus, getAlbums, getMoments, getAssets,
            lookupAssets,
            getThumbnail, getPreview, openAsset, performChanges, saveImage, deleteAssets,
            watchChanges,
            unwatchChanges, getChanges, changed, version,
        ],
        errors: [
            .accessDenied, .limitsExceeded, .portalFailed, .portalInvalidArgument,
            .portalNotAllowed,
            .portalNotFound,
        ])
}

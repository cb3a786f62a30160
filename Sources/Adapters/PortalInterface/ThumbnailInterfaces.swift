// SPDX-License-Identifier: MIT

package import SDBus

/// `org.freedesktop.thumbnails.Thumbnailer1`, see
/// dbus/org.freedesktop.thumbnails.Thumbnailer1.xml.
package enum ThumbnailerInterface {
    package static let busName: BusName = "org.freedesktop.thumbnails.Thumbnailer1"
    package static let path: ObjectPath = "/org/freedesktop/thumbnails/Thumbnailer1"

    package static let queue = Method<
        Arguments<[String], [String], String, String, UInt32>, Arguments<UInt32>
    >(
        "Queue", takes: ["uris", "mime_types", "flavor", "scheduler", "handle_to_unqueue"],
        returns: ["handle"])
    package static let dequeue = Method<Arguments<UInt32>, Arguments<>>(
        "Dequeue", takes: ["handle"])
    package static let getSupported = Method<Arguments<>, Arguments<[String], [String]>>(
        "GetSupported", returns: ["uri_schemes", "mime_types"])
    package static let getSchedulers = Method<Arguments<>, Arguments<[String]>>(
        "GetSchedulers", returns: ["schedulers"])
    package static let getFlavors = Method<Arguments<>, Arguments<[String]>>(
        "GetFlavors", returns: ["flavors"])
    package static let started = Signal<Arguments<UInt32>>("Started", carries: ["handle"])
    package static let finished = Signal<Arguments<UInt32>>("Finished", carries: ["handle"])
    package static let ready = Signal<Arguments<UInt32, [String]>>(
        "Ready", carries: ["handle", "uris"])
    package static let error = Signal<Arguments<UInt32, [String], Int32, String>>(
        "Error", carries: ["handle", "failed_uris", "error_code", "message"])

    package static let interface = Interface(
        "org.freedesktop.thumbnails.Thumbnailer1",
        [
            queue, dequeue, getSupported, getSchedulers, getFlavors, started, finished, ready,
            error,
        ])
}

/// `org.freedesktop.thumbnails.Cache1`, see dbus/org.freedesktop.thumbnails.Cache1.xml.
package enum ThumbnailCacheInterface {
    package typealias Rename = Method<Arguments<[String], [String]>, Arguments<>>

    package static let busName: BusName = "org.freedesktop.thumbnails.Cache1"
    package static let path: ObjectPath = "/org/freedesktop/thumbnails/Cache1"

    package static let move = Rename("Move", takes: ["from_uris", "to_uris"])
    package static let copy = Rename("Copy", takes: ["from_uris", "to_uris"])
    package static let delete = Method<Arguments<[String]>, Arguments<>>("Delete", takes: ["uris"])
    package static let cleanup = Method<Arguments<[String], UInt32>, Arguments<>>(
        "Cleanup", takes: ["base_uris", "since"])

    package static let interface = Interface(
        "org.freedesktop.thumbnails.Cache1", [move, copy, delete, cleanup])
}

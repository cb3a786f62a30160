// SPDX-License-Identifier: MIT

import Desktop
import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Thumbnails

/// A session with the service, and a file manager that receives all signals sent to it.
final class ThumbnailSession: Sendable {
    let session: Session
    let service: ChildProcess
    let manager: FileManagerApp
    var home: TestHome { session.home }
    var cache: ThumbnailCache { ThumbnailCache(folder: home.cache.appending("thumbnails")) }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - home: A home of the test's own; nil for a new one.
    ///   - prepare: Creates files in the home folder before anything runs.
    init(
        home: TestHome? = nil, settings: String = "",
        _ prepare: (TestHome) throws -> Void = { _ in }
    ) async throws {
        let home = try home ?? TestHome()
        try prepare(home)
        try home.write(
            Array(settings.utf8),
            to: home.configuration.appending("photo-portal").appending("photo-portal.conf"))
        session = try await Session.start(home: home)
        service = try await session.startService()
        try await session.waitForOwner(of: ThumbnailCacheInterface.busName.rawValue, service)
        manager = try await FileManagerApp(session)
    }

    /// Writes a photo and returns its URI.
    func photo(
        _ name: String, _ fixture: String = "jpeg/baseline.jpg", in folder: String = "Pictures"
    ) throws -> String {
        let path = home.home.appending(folder).appending(name)
        try home.write(Fixtures.bytes(fixture), to: path)
        guard let uri = FileURI.make(path) else { throw NeverHappened(description: "URI") }
        return uri
    }

    /// The output of `gio` about the thumbnail of a file.
    func validity(of uri: String) async throws -> String {
        try await session.run("gio", ["info", "-a", "thumbnail::*", uri]).output
    }
}

/// A client of the thumbnailer.
final class FileManagerApp: Sendable {
    enum Event: Equatable, Sendable {
        case started(UInt32)
        case ready(UInt32, [String])
        case failed(UInt32, [String], Int32)
        case finished(UInt32)

        var handle: UInt32 {
            switch self {
            case .started(let handle), .ready(let handle, _), .failed(let handle, _, _),
                .finished(let handle):
                handle
            }
        }
    }

    let connection: Connection
    let events = Recorder<Event>()
    private let subscriptions: [Subscription]

    init(_ session: Session) async throws {
        let connection = try await session.connect()
        let events = events
        self.connection = connection
        func subscribe<Content: ArgumentList>(
            _ signal: Signal<Content>, _ event: @escaping @Sendable (Content) -> Event
        ) async throws -> Subscription {
            try await connection.subscribe(
                to: signal, of: ThumbnailerInterface.interface.name,
                from: ThumbnailerInterface.busName, at: ThumbnailerInterface.path
            ) { _, content in events.note(event(content)) }
        }
        subscriptions = [
            try await subscribe(ThumbnailerInterface.started) { .started($0.values) },
            try await subscribe(ThumbnailerInterface.ready) { .ready($0.values.0, $0.values.1) },
            try await subscribe(ThumbnailerInterface.error) {
                .failed($0.values.0, $0.values.1, $0.values.2)
            },
            try await subscribe(ThumbnailerInterface.finished) { .finished($0.values) },
        ]
    }

    func queue(
        _ uris: [String], _ flavor: String = "normal", scheduler: String = "default",
        dequeuing handle: UInt32 = 0
    ) async throws(DBusError) -> UInt32 {
        try await connection.call(
            ThumbnailerInterface.queue, to: ThumbnailerInterface.busName,
            at: ThumbnailerInterface.path, on: ThumbnailerInterface.interface.name,
            Arguments(uris, uris.map { _ in "image/jpeg" }, flavor, scheduler, handle)
        ).values
    }

    func dequeue(_ handle: UInt32) async throws(DBusError) {
        _ = try await connection.call(
            ThumbnailerInterface.dequeue, to: ThumbnailerInterface.busName,
            at: ThumbnailerInterface.path, on: ThumbnailerInterface.interface.name,
            Arguments(handle))
    }

    /// Calls a method of the cache.
    func tell<Input: ArgumentList>(
        _ method: Method<Input, Arguments<>>, _ input: Input
    ) async throws(DBusError) {
        _ = try await connection.call(
            method, to: ThumbnailCacheInterface.busName, at: ThumbnailCacheInterface.path,
            on: ThumbnailCacheInterface.interface.name, input, timeout: .seconds(120))
    }

    /// Waits for the end of a request; returns all its signals in order.
    func events(of handle: UInt32, within limit: Duration = .seconds(60)) async throws -> [Event] {
        try await eventually("the end of \(handle)", within: limit) {
            events.all.contains(.finished(handle))
        }
        return events.all.filter { $0.handle == handle }
    }

    /// Makes a request and waits for its end.
    func make(
        _ uris: [String], _ flavor: String = "normal", scheduler: String = "default"
    ) async throws -> [Event] {
        try await events(of: queue(uris, flavor, scheduler: scheduler))
    }
}

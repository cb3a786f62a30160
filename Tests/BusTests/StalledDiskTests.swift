// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing
import Thumbnails

/// A disk that does not answer concerns nobody who needs nothing from it.
@Suite(
    .serialized, .enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
struct StalledDiskTests {
    @Test func `the service starts while the Pictures folder does not answer`() async throws {
        let home = try TestHome()
        let disk = try await StalledDisk.mountPictures(of: home)
        try disk.stall(.getattr, .open)
        let photo = home.scratch.appending("photo.jpg")
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: photo)
        let session = try await Session.start(home: home)
        let service = try await session.startService()
        let uri = try #require(FileURI.make(photo))
        _ = try await session.startBackend("pick files \(uri)")
        let client = try await Client(session)
        let response = try await client.response(try await client.open())
        #expect(response.results.value("uris", as: [String].self) == [uri])
        service.signal(SIGKILL)
        try await disk.end()
    }

    @Test func `an open file that cannot be read now is not shown, and holds nobody else`()
        async throws
    {
        let home = try TestHome()
        let place = home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) {
            try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: $0.appending("slow.jpg"))
        }
        let picker = try await PickerSession(photos: 1, home: home)
        let backend = try await picker.session.startBackend("pick newest 1")
        let file = try Descriptor.openForReading(place.appending("slow.jpg"))
        try disk.stall(.getattr, .read)
        let hostile = Task {
            try await RequestClient(on: picker.session.connect()).preview([["fd": file.variant]])
        }
        #expect(try await picker.client.response(picker.client.open()).code == 0)
        let error = await #expect(throws: DBusError.self) { try await hostile.value }
        #expect(error?.message == "Image 0: The file cannot be read")
        #expect(backend.events.count == 1)
        #expect(try await picker.client.response(picker.client.open()).code == 0)
        try disk.answer()
        picker.service.signal(SIGKILL)
        try await disk.end()
    }

    @Test(arguments: CallerKind.allCases)
    func `a photo is delivered while another folder of the library does not answer`(
        kind: CallerKind
    ) async throws {
        let home = try TestHome()
        let place = home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) { _ in }
        try home.write(
            Array("[Library]\nPictures=\(place)\n".utf8),
            to: home.configuration.appending("photo-portal").appending("photo-portal.conf"))
        let picker = try await PickerSession(kind, photos: 1, home: home)
        let first = try await picker.session.startBackend("pick newest 1")
        let id = try #require(try await picker.libraryIDs().first)
        try await picker.session.replace(first, "pick ids \(id)")
        try disk.stall(.getattr, .open)
        let response = try await picker.client.response(try await picker.client.open())
        #expect(response.code == 0)
        #expect(Delivery(response.results)?.items.count == 1)
        picker.service.signal(SIGKILL)
        try await disk.end()
    }

    @Test func `photos are found while another folder of the library does not answer`()
        async throws
    {
        let home = try TestHome()
        func add(_ name: String, to folder: FilePath, _ number: UInt8) throws {
            let path = folder.appending(name)
            try home.write(Fixtures.bytes("jpeg/grey.jpg") + [number], to: path)
            home.setDate(of: path, 1_000_000_000 + Int(number))
        }
        let place = home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) {
            try add("slow.jpg", to: $0, 20)
        }
        try disk.stall(.getattr, .open, .readdir)
        try home.write(
            Array("[Library]\nPictures=\(place)\n".utf8),
            to: home.configuration.appending("photo-portal").appending("photo-portal.conf"))
        try add("first.jpg", to: home.pictures, 1)
        let picker = try await PickerSession(photos: 0, home: home)
        _ = try await picker.session.startBackend("pick newest 1")
        func newest() async throws -> String? {
            let response = try await picker.client.response(try await picker.client.open())
            return Delivery(response.results)?.items.first?.name
        }
        #expect(try await newest() == "first.jpg")
        try add("second.jpg", to: home.pictures, 2)
        try await eventually("the new photo") { try await newest() == "second.jpg" }
        // Its own photos appear as soon as it answers.
        try disk.answer()
        try await eventually("the photo on the disk") { try await newest() == "slow.jpg" }
        // They stay when it does not answer again, and so do others.
        try disk.stall(.getattr, .open, .readdir)
        try add("third.jpg", to: home.pictures, 30)
        try await eventually("the next photo") {
            try await picker.session.run(
                "sqlite3", [home.database.string, "SELECT count(asset) FROM file"]
            ).output == "4\n"
        }
        #expect(try await newest() == "third.jpg")
        picker.service.signal(SIGKILL)
        try await disk.end()
    }

    @Test(arguments: [true, false])
    func `a photo is found and delivered while an excluded folder does not answer`(
        isInPictures: Bool
    ) async throws {
        let home = try TestHome()
        let place = (isInPictures ? home.pictures : home.scratch).appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) { content in
            try Directory.make(content.appending("private"))
        }
        try disk.stall(.getattr, .open, .readdir)
        try home.write(
            Array("[Library]\nExcluded=\(place);\(place)/private\n".utf8),
            to: home.configuration.appending("photo-portal").appending("photo-portal.conf"))
        let picker = try await PickerSession(photos: 1, home: home)
        _ = try await picker.session.startBackend("pick newest 1")
        let response = try await picker.client.response(try await picker.client.open())
        #expect(response.code == 0)
        #expect(Delivery(response.results)?.items.count == 1)
        picker.service.signal(SIGKILL)
        try await disk.end()
    }

    @Test func `thumbnails of other folders are made while a disk does not answer`() async throws {
        let home = try TestHome()
        let place = home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) { folder in
            for number in 0..<8 {
                try home.write(
                    Fixtures.bytes("jpeg/grey.jpg"), to: folder.appending("\(number).jpg"))
            }
        }
        let session = try await ThumbnailSession(home: home)
        let uris = try names(in: place).map { try #require(FileURI.make(place.appending($0))) }
        #expect(uris.count == 8)
        try disk.stall(.getattr, .open)
        let stuck = try await session.manager.queue(uris)
        let uri = try session.photo("photo.jpg")
        let other = try await FileManagerApp(session.session)
        let events = try await other.make([uri])
        #expect(events.contains(.ready(try #require(events.first?.handle), [uri])))
        // And so does the cache go on.
        try await other.tell(
            ThumbnailCacheInterface.copy, Arguments([uri], [try #require(uris.first)]))
        try await other.tell(ThumbnailCacheInterface.delete, Arguments([uri]))
        #expect((try? session.cache.path(of: uri, .normal).stat()) == nil)
        try await session.manager.dequeue(stuck)
        session.service.signal(SIGKILL)
        try await disk.end()
    }

    @Test func `the service ends although it adopts thumbnails of a disk that does not answer`()
        async throws
    {
        let home = try TestHome()
        let place = home.scratch.appending("mounted")
        let names = (1...20).map { "\($0).jpg" }
        let disk = try await StalledDisk.mount(at: place, of: home) { folder in
            for name in names {
                try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: folder.appending(name))
            }
        }
        let session = try await ThumbnailSession(home: home)
        try disk.stall(.getattr, .open)
        let new = names.compactMap { FileURI.make(place.appending($0)) }
        let old = new.map { "\($0).old" }
        let copying = Task {
            try await session.manager.tell(ThumbnailCacheInterface.copy, Arguments(old, new))
        }
        try await eventually("a call that waits") { disk.hasWaiter }
        session.service.signal(SIGTERM)
        // Each file would take twenty seconds.
        try await eventually("the end of the call") {
            try await session.manager.connection.owner(of: PhotoPickerInterface.busName) == nil
        }
        await #expect(throws: DBusError.self) { try await copying.value }
        try disk.answer()
        #expect(try await session.service.exitStatus() == 0)
        try await disk.end()
    }
}

// SPDX-License-Identifier: MIT

import Files
import Glibc
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Photos that apps add from or to disks that stop answering, and while services come and go.
@Suite(
    .serialized, .enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
struct LibraryAddingFaultTests {
    @Test func `a service that takes the lead spares what another one copies`() async throws {
        let (home, disk, source) = try await Self.slowSource()
        let first = try await LibrarySession(.host, photos: 1, home: home)
        _ = try await first.open()
        let second = try await Session.start(home: home)
        let service = try await second.startService()
        let portals = try await PortalStack.start(on: second, [.permissionStore])
        try await second.setLibraryPermission("yes", of: "")
        let library = LibraryClient(on: try await second.connect())
        let adding = Task { try await library.perform([Self.adding(source)]) }
        try await eventually("the copy: \(service.errorText)") {
            try await Self.arrivals(first.picker) == 1
        }
        try disk.stall(.read)
        try await eventually("the middle of the copy") { disk.hasWaiter }
        #expect(try await first.picker.service.stop() == 0)
        try await eventually("the lead: \(service.errorText)") {
            service.errorText.contains("Looked through the library")
        }
        try disk.answer()
        let results = try await adding.value
        #expect(results.first?.value("asset", as: String.self) != nil)
        #expect(names(in: home.pictures).count == 2)
        #expect(Self.hidden(home) == [])
        #expect(try await Self.arrivals(first.picker) == 0)
        #expect(try await service.stop() == 0)
        withExtendedLifetime(portals) {}
        try await disk.end()
    }

    @Test func `a request that is closed while its photo is written leaves no file`()
        async throws
    {
        let home = try TestHome()
        let disk = try await StalledDisk.mountPictures(of: home)
        let session = try await LibrarySession(.host, photos: 0, home: home)
        try await session.setPermission("yes", of: "", for: "add")
        let photo = try Descriptor.openForReading(Fixtures.path("formats/blocks.jpg"))
        try disk.stall(.flush)
        let connection = session.picker.client.connection
        let saving = Task { try await RequestClient(on: connection).save(photo) }
        try await eventually("a file that is written") { disk.hasWaiter }
        saving.cancel()
        await #expect(throws: DBusError.cancelled) { try await saving.value }
        // The request is closed before the service answers this.
        _ = try await session.library.authorization(for: .add)
        try disk.answer()
        try await eventually("the end of the copy") {
            try await Self.arrivals(session.picker) == 0
        }
        #expect(names(in: home.pictures) == [])
        // And the app can go on.
        #expect(try await RequestClient(on: connection).save(photo).code == .success)
        #expect(names(in: home.pictures).count == 1)
        #expect(try await session.picker.service.stop() == 0)
        try await disk.end()
    }

    @Test func `a service that is killed while it copies to a disk in a network leaves no file`()
        async throws
    {
        let home = try TestHome()
        let disk = try await StalledDisk.mountPictures(of: home)
        let source = home.scratch.appending("mounted").appending("source.jpg")
        try Self.writeLarge(to: home.scratch.appending("disk").appending("source.jpg"), home)
        let session = try await LibrarySession(.host, photos: 0, home: home)
        _ = try await session.open()
        let operation = Self.adding(source)
        try disk.slowDown()
        let adding = Task { try await session.library.perform([operation]) }
        try await eventually("a part of the file") { Self.hidden(home) != [] }
        try await session.picker.service.stop(SIGKILL)
        await #expect(throws: DBusError.self) { try await adding.value }
        try disk.answer()
        let service = try await session.picker.session.startService()
        try await eventually("the library: \(service.errorText)") {
            service.errorText.contains("Looked through the library")
        }
        #expect(Self.hidden(home) == [])
        #expect(try await Self.arrivals(session.picker) == 0)
        #expect(try await service.stop() == 0)
        try await disk.end()
    }

    @Test func `an app whose file cannot be closed keeps no other app waiting`() async throws {
        let (home, disk, source) = try await Self.slowSource()
        let session = try await LibrarySession(.host, photos: 1, home: home)
        _ = try await session.open()
        try await session.setPermission("yes", of: "", for: "add")
        // A program of its own, because it cannot close its file either.
        let app = try session.picker.session.start("portal-pick", ["save", source.string])
        try await eventually("the copy") { try await Self.arrivals(session.picker) == 1 }
        try disk.stall(.flush)
        try await eventually("the photo: \(session.picker.service.errorText)") {
            names(in: home.pictures).count == 2 && Self.hidden(home) == []
        }
        try await eventually("a file that is closed") { disk.hasWaiter }
        #expect(try await session.library.albums().isEmpty == false)
        #expect(try await session.library.assets(in: "all").total == 2)
        try disk.answer()
        #expect(try await app.exitStatus() == 0, "\(app.errorText)")
        #expect(try await session.picker.service.stop() == 0)
        try await disk.end()
    }

    @Test func `photos are shown while others are added to a disk that does not answer`()
        async throws
    {
        let home = try TestHome()
        let disk = try await StalledDisk.mountPictures(of: home)
        let local = home.scratch.appending("local")
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: local.appending("photo.jpg"))
        try home.write(
            Array("[Library]\nPictures=\(local)\n".utf8),
            to: home.configuration.appending("photo-portal").appending("photo-portal.conf"))
        let session = try await LibrarySession(.host, photos: 0, home: home)
        let id = try #require(try await session.open().first)
        try await session.setPermission("yes", of: "", for: "add")
        // More than may be in progress at a time, in one folder and on one disk.
        var apps: [ChildProcess] = []
        try disk.stall(.getattr, .open, .readdir)
        for number in 0..<12 {
            let path = home.scratch.appending("from \(number % 3)").appending("\(number).jpg")
            try home.write(Fixtures.bytes("jpeg/grey.jpg") + [UInt8(number)], to: path)
            apps.append(try session.picker.session.start("portal-pick", ["save", path.string]))
        }
        let service = session.picker.service
        try await eventually("eight threads that wait: \(service.errorText)") {
            Self.threadCount(of: service, named: "file") >= 8
        }
        let (_, results) = try await session.library.thumbnail(of: id, size: 128)
        #expect(results.value("width", as: UInt32.self) ?? 0 > 0)
        for app in apps { app.signal(SIGKILL) }
        service.signal(SIGKILL)
        try await disk.end()
    }

    // MARK: -

    /// A home, and a disk that reads a large photo slowly.
    private static func slowSource() async throws -> (TestHome, StalledDisk, FilePath) {
        let home = try TestHome()
        let place = home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) { content in
            try writeLarge(to: content.appending("source.jpg"), home)
        }
        try disk.slowDown()
        return (home, disk, place.appending("source.jpg"))
    }

    /// Writes a photo that takes many seconds to read from a slow disk.
    private static func writeLarge(to path: FilePath, _ home: TestHome) throws {
        try home.write(Fixtures.bytes("formats/blocks.jpg"), to: path)
        try #require(truncate(path.string, 64 << 20) == 0)
    }

    private static func adding(_ path: FilePath) -> ChangeOperation {
        var options: Vardict = [:]
        // A file that is missing is an option that is missing.
        options["file"] = (try? Descriptor.openForReading(path))?.variant
        return ChangeOperation("create-asset", options)
    }

    /// How many files are on their way.
    private static func arrivals(_ picker: PickerSession) async throws -> Int? {
        let (_, output, _) = try await picker.session.run(
            "sqlite3", [picker.home.database.string, "SELECT count(*) FROM arrival"])
        return output.split(separator: "\n").first.flatMap { Int($0) }
    }

    /// What is on its way in the Pictures folder.
    private static func hidden(_ home: TestHome) -> [String] {
        names(in: home.pictures).map(\.string).filter { $0.hasPrefix(".") }
    }

    private static func threadCount(of process: ChildProcess, named name: String) -> Int {
        let tasks = FilePath("/proc/\(process.processID)/task")
        return names(in: tasks).filter { task in
            let file = tasks.appending(task).appending("comm")
            let bytes = (try? Descriptor.openForReading(file).read(upTo: 64)) ?? []
            return bytes == Array("\(name)\n".utf8)
        }.count
    }
}

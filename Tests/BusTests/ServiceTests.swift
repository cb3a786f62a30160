// SPDX-License-Identifier: MIT

import Files
import Glibc
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The service as the service manager and an administrator see it.
@Suite(.serialized) struct ServiceTests {
    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `a signal ends open requests, closes their windows and exits with 0`(signal: Int32)
        async throws
    {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("hang")
        let handle = try await picker.client.open()
        try await eventually("the question") { backend.events.count == 1 }
        #expect(try await picker.service.stop(signal) == 0)
        #expect(try await picker.client.response(handle).code == 2)
        try await eventually("the end of the window") { backend.events.last == "{\"closed\":true}" }
    }

    @Test func `an instance that is replaced ends its open requests and exits`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("hang")
        let handle = try await picker.client.open()
        let next = try await picker.session.startService(["--replace"])
        #expect(try await picker.service.exitStatus() == 0)
        #expect(try await picker.client.response(handle).code == 2)
        try await next.stop()
    }

    // The status is the same while the service is still starting, so the timing does not matter.
    @Test func `a bus that ends ends the service, which is a failure`() async throws {
        let picker = try await PickerSession(photos: 0)
        try await picker.session.bus.stop()
        #expect(try await picker.service.exitStatus() == 1)
    }

    /// The kernel would wait for its decoders instead, whose ids other programs could get meanwhile.
    @Test func `a service waits for its own processes although its starter waits for none`()
        async throws
    {
        let session = try await Session.start()
        let program = Programs.path("photo-portal")
        let service = try session.start(
            "/usr/bin/python3",
            [
                "-c",
                """
                import os, signal
                signal.signal(signal.SIGCHLD, signal.SIG_IGN)
                os.execv("\(program)", ["\(program)"])
                """,
            ])
        try await session.waitForOwner(of: PhotoPickerInterface.busName.rawValue, service)
        let status = try Descriptor.openForReading(FilePath("/proc/\(service.processID)/status"))
            .read(upTo: 1 << 16)
        let ignored = String(decoding: status, as: UTF8.self)
            .firstMatch(of: #/SigIgn:\s+([0-9a-f]+)/#).flatMap { UInt64($0.1, radix: 16) }
        #expect(try #require(ignored) & 1 << UInt64(SIGCHLD - 1) == 0)
    }

    @Test func `the service manager is told of readiness, life and the end`() async throws {
        let session = try await Session.start()
        let socket = session.home.scratch.appending("notify")
        let manager = try session.start("socat", ["-u", "UNIX-RECV:\(socket)", "STDOUT"])
        try await eventually("the manager") { (try? socket.stat()) != nil }
        let service = try session.start(
            "photo-portal",
            environment: ["NOTIFY_SOCKET": socket.string, "WATCHDOG_USEC": "200000"])
        try await eventually("ready") { manager.outputText.contains("READY=1") }
        try await eventually("signs of life") {
            manager.outputText.matches(of: #/WATCHDOG=1/#).count > 3
        }
        try await service.stop()
        try await eventually("ending") { manager.outputText.contains("STOPPING=1") }
    }

    @Test func `errors in the configuration are reported with their line, and ignored`()
        async throws
    {
        let home = try TestHome()
        let file = home.configuration.appending("photo-portal").appending("photo-portal.conf")
        try home.write(Array("[Limits]\nRequests=many\nSpeed=9\n[Nonsense]\na=b\n".utf8), to: file)
        let session = try await Session.start(home: home)
        let service = try await session.startService()
        #expect(service.errorText.contains("\(file):2: 'Requests'"))
        #expect(service.errorText.contains("\(file):3: there is no key 'Speed'"))
        #expect(service.errorText.contains("\(file):5: there is no group [Nonsense]"))
    }

    @Test func `configured folders and limits are used`() async throws {
        let home = try TestHome()
        let more = home.scratch.appending("more")
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: more.appending("a.jpg"))
        try home.write(
            Fixtures.bytes("jpeg/baseline.jpg"), to: more.appending("raw").appending("b.jpg"))
        try home.write(
            Array(
                """
                [Library]
                Pictures=\(more)
                Excluded=\(more)/raw
                [Limits]
                RequestsPerCaller=1
                [Backends]
                Picker=org.example.Backend
                """.utf8),
            to: home.configuration.appending("photo-portal").appending("photo-portal.conf"))
        let session = try await Session.start(home: home)
        let service = try await session.startService()
        try await eventually("the library") {
            service.errorText.contains("Looked through the library")
        }
        let backend = try session.start(
            "photo-portal-script",
            ["--name", "org.example.Backend", "--answer", "pick newest 9", "--answer", "hang"])
        try await session.waitForOwner(of: "org.example.Backend", backend)
        let client = try await Client(session)
        let response = try await client.response(client.pick())
        #expect(Delivery(response.results)?.items.map(\.name) == ["a.jpg"])
        _ = try await client.open()
        let error = await #expect(throws: DBusError.self) { try await client.open() }
        #expect(error?.name == .limitsExceeded)
    }

    @Test func `the log identifies a request by its handle, and names no photo`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("pick newest 3")
        let handle = try await picker.client.pick()
        _ = try await picker.client.response(handle)
        func entries() -> [Substring] {
            picker.service.errorText.split(separator: "\n").filter { $0.contains(handle.rawValue) }
        }
        // It is logged after the response was sent.
        try await eventually("the end of the request") {
            entries().contains { $0.contains("Ended") }
        }
        #expect(entries().contains { $0.contains("Opened") })
        #expect(!picker.service.errorText.contains("photo "))
        #expect(!picker.service.errorText.contains(picker.home.pictures.string))
    }

    @Test func `a full disk loses no photo`() async throws {
        let home = try TestHome()
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: home.pictures.appending("a.jpg"))
        let session = try await Session.start(home: home)
        // The library is on a separate disk of two megabytes.
        let disk = home.database.removingLastComponent()
        try Directory.make(disk)
        let service = try session.start(
            "bwrap",
            [
                "--die-with-parent", "--dev-bind", "/", "/", "--size", "2097152", "--tmpfs",
                disk.string, "--",
                Programs.path("photo-portal"), "--verbose",
            ])
        try await eventually("the library: \(service.errorText)") {
            service.errorText.contains("Looked through the library")
        }
        let connection = try await session.connect()
        let processID = try #require(
            try await connection.credentials(of: PhotoPickerInterface.busName).processID)
        let file = try FileDescriptor.open(
            FilePath("/proc/\(processID)/root\(disk)/filling"), .writeOnly, options: .create,
            permissions: .ownerReadWrite)
        let block = [UInt8](repeating: 1, count: 4096)
        var blocks = 0
        while blocks <= 512, (try? file.writeAll(block)) != nil { blocks += 1 }
        try file.close()
        try #require(blocks < 512, "the disk is not full")
        let client = try await Client(session)
        let uri = "file://\(home.pictures)/a.jpg"
        _ = try await session.startBackend("pick files \(uri)")
        for _ in 0..<3 {
            let response = try await client.response(client.pick())
            #expect(response.code == 0)
            #expect(Delivery(response.results)?.items.map(\.uri) == [uri])
        }
        kill(Int32(processID), SIGTERM)
        #expect(try await service.exitStatus() == 0)
    }

    /// Why the library cannot be written.
    enum Fault: CaseIterable {
        case full, fullFromTheStart, readOnly, readOnlyFromTheStart

        var isKnown: Bool { self == .full || self == .readOnly }
        var isReadOnly: Bool { self == .readOnly || self == .readOnlyFromTheStart }
    }

    @Test(arguments: Fault.allCases)
    func `photos can be picked when the library cannot be written at the start`(fault: Fault)
        async throws
    {
        let home = try TestHome()
        let photo = home.pictures.appending("a.jpg")
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: photo)
        let session = try await Session.start(home: home)
        let disk = home.database.removingLastComponent()
        let earlier = home.scratch.appending("earlier")
        for folder in [disk, earlier] { try Directory.make(folder) }
        if fault.isKnown {
            let service = try await session.startService()
            try await eventually("the library: \(service.errorText)") {
                service.errorText.contains("Looked through the library")
            }
            #expect(try await service.stop() == 0)
            #expect(try await session.run("cp", ["-a", "\(disk)/.", earlier.string]).status == 0)
        }
        // The service and the backend, which reads the library, see the same disk.
        var words = ["--die-with-parent", "--dev-bind", "/", "/"]
        words +=
            fault.isReadOnly
            ? ["--ro-bind", disk.string, disk.string]
            : ["--size", "1048576", "--tmpfs", disk.string]
        let prepare =
            fault.isReadOnly
            ? "" : "cp -a \(earlier)/. \(disk); head -c 2000000 /dev/zero > \(disk)/fill; "
        let program = try session.start(
            "bwrap",
            words + [
                "--", "sh", "-c",
                prepare
                    + "\(Programs.path("photo-portal-script")) --answer 'pick newest 1' & "
                    + "exec \(Programs.path("photo-portal")) --verbose",
            ])
        try await session.waitForOwner(of: "org.freedesktop.portal.PhotoPicker", program)
        try await session.waitForOwner(
            of: "org.freedesktop.impl.portal.desktop.photoportal", program)
        try await eventually("the library: \(program.errorText)") {
            program.errorText.contains("Looked through the library")
        }
        let client = try await Client(session)
        let response = try await client.response(client.pick())
        #expect(response.code == 0, "\(program.errorText)")
        #expect(Delivery(response.results)?.items.map(\.uri) == ["file://\(photo)"])
        #expect(program.errorText.contains("cannot be written"))
        #expect(program.errorText.contains(home.database.string))
        // Photos that are taken now appear, too.
        try home.write(
            Fixtures.bytes("jpeg/baseline.jpg"), to: home.pictures.appending("b.jpg"))
        try await eventually("the new photo") {
            let response = try await client.response(client.pick())
            return Delivery(response.results)?.items.first?.name == "b.jpg"
        }
        // What would be gone with the session is not pretended to be done.
        let portals = try await PortalStack.start(on: session, [.permissionStore])
        try await session.setLibraryPermission("yes", of: "")
        let error = await #expect(throws: DBusError.self) {
            try await LibraryClient(on: client.connection).perform([
                ChangeOperation("create-album", ["title": "Sicily".variant])
            ])
        }
        #expect(error?.name == .portalFailed)
        withExtendedLifetime(portals) {}
        kill(program.processID, SIGKILL)
        _ = try await program.exitStatus()
        try await eventually("the end of the service") {
            try await client.connection.owner(of: PhotoPickerInterface.busName) == nil
        }
        // The next service finds room, and nobody reads what took the library's place.
        let service = try await session.startService()
        try await eventually("the library: \(service.errorText)") {
            service.errorText.contains("Looked through the library")
        }
        #expect(!service.errorText.contains("cannot be written"))
        #expect(
            names(in: home.runtime.appending("photo-portal")).filter {
                $0.string.contains("library")
            }.isEmpty)
    }

    @Test func `a restricted app cannot ask for photos`() async throws {
        let home = try TestHome()
        try home.write(
            Array("[Policy]\nRestricted=org.example.Fake\n".utf8),
            to: home.configuration.appending("photo-portal").appending("photo-portal.conf"))
        let picker = try await PickerSession(.flatpak, home: home)
        let backend = try await picker.session.startBackend("cancel")
        let error = await #expect(throws: DBusError.self) { try await picker.client.open() }
        #expect(error?.name == .portalNotAllowed)
        let other = try await FlatpakApp.start(on: picker.session, appID: "org.example.Other")
        let client = try await Client(picker.session, at: other.address)
        #expect(try await client.response(client.open()).code == 1)
        #expect(backend.events.count == 1)
    }

    @Test func `the library is readable by its owner alone, however the service is started`()
        async throws
    {
        let session = try await Session.start()
        // A library of an earlier version.
        let folder = session.home.database.removingLastComponent()
        try session.home.write([], to: session.home.database)
        session.home.database.withPlatformString { _ = chmod($0, 0o644) }
        let service = try session.start(
            "sh", ["-c", "umask 022; exec \(Programs.path("photo-portal")) --verbose"])
        try await eventually("the library: \(service.errorText)") {
            service.errorText.contains("Looked through the library")
        }
        for name in names(in: folder) {
            let mode = try folder.appending(name).stat().permissions
            #expect(
                mode.isDisjoint(with: [.groupReadWriteExecute, .otherReadWriteExecute]), "\(name)")
        }
    }

    @Test func `a second instance leaves the library of the first one alone`() async throws {
        let picker = try await PickerSession()
        let second = try picker.session.start("photo-portal", ["--verbose"])
        #expect(try await second.exitStatus() == 1)
        #expect(second.errorText.contains("Another instance is running"))
        #expect(try await isIndexing(picker) == "0\n")
    }

    /// It said that the library was being read until the first one was started again, and both of them
    /// changed the index.
    @Test func `a service in another session leaves the library to the first one`() async throws {
        let picker = try await PickerSession()
        let other = try await Session.start(home: picker.home)
        let second = try await other.startService()
        _ = try await other.startBackend("pick newest 1")
        let client = try await Client(other)
        #expect(try await client.response(client.open()).code == 0)
        #expect(try await isIndexing(picker) == "0\n")
        #expect(try await second.stop() == 0)
        #expect(!second.errorText.contains("Looked through the library"))
        #expect(try await isIndexing(picker) == "0\n")
    }

    @Test func `a service goes on with the library when that of another session ends`() async throws
    {
        let picker = try await PickerSession()
        let other = try await Session.start(home: picker.home)
        let second = try await other.startService()
        #expect(try await picker.service.stop() == 0)
        try await eventually("the library: \(second.errorText)") {
            second.errorText.contains("Looked through the library")
        }
        try picker.home.write(
            Fixtures.bytes("jpeg/grey.jpg"), to: picker.home.pictures.appending("new.jpg"))
        _ = try await other.startBackend("pick newest most")
        let client = try await Client(other)
        try await eventually("the new photo") {
            let response = try await client.response(
                client.pick(["max_count": UInt32(9).variant]))
            return Delivery(response.results)?.items.contains { $0.name == "new.jpg" } == true
        }
        #expect(try await second.stop() == 0)
    }

    /// It said that the disk was full, and used a copy until it was started again.
    @Test func `a service starts although that of another session hangs while it writes`()
        async throws
    {
        let picker = try await PickerSession()
        let script = """
            import sqlite3, time
            library = sqlite3.connect("\(picker.home.database)", isolation_level=None)
            library.execute("BEGIN IMMEDIATE")
            print("locked", flush=True)
            time.sleep(1000)
            """
        let hanging = try picker.session.start("/usr/bin/python3", ["-c", script])
        try await eventually("the lock: \(hanging.errorText)") {
            hanging.outputText == "locked\n"
        }
        let other = try await Session.start(home: picker.home)
        let second = try await other.startService()
        _ = try await other.startBackend("pick newest 1")
        let client = try await Client(other)
        #expect(try await client.response(client.open()).code == 0)
        #expect(!second.errorText.contains("a copy takes its place"))
        try await second.stop(SIGKILL)
        try await hanging.stop(SIGKILL)
    }

    /// It renamed the library, and the first one went on in the renamed file.
    @Test func `a service leaves a damaged library to that of another session`() async throws {
        let picker = try await PickerSession()
        let folder = picker.home.database.removingLastComponent()
        // It would end when it finds the damage, and leave the library to the other one.
        picker.service.signal(SIGSTOP)
        for part in ["", "-wal"] {
            let path = FilePath(picker.home.database.string + part)
            let size = Int(try path.stat().size)
            let file = try FileDescriptor.open(path, .writeOnly)
            _ = try file.closeAfter {
                try file.writeAll(
                    toAbsoluteOffset: 0, [UInt8](repeating: 0xA5, count: size))
            }
        }
        let other = try await Session.start(home: picker.home)
        let second = try await other.startService()
        try await eventually("the library: \(second.errorText)") {
            second.errorText.contains("Looked through the library")
        }
        #expect(second.errorText.contains("The library is damaged"))
        #expect(!names(in: folder).contains { $0.string.contains("corrupt") })
        _ = try await other.startBackend("pick newest 1")
        let client = try await Client(other)
        #expect(try await client.response(client.open()).code == 0)
        try await second.stop()
        // The next one that keeps it up to date makes a new one.
        try await picker.service.stop(SIGKILL)
        let next = try await picker.session.startService()
        try await eventually("the library: \(next.errorText)") {
            next.errorText.contains("Looked through the library")
        }
        #expect(names(in: folder).contains { $0.string.contains("corrupt") })
        #expect(try await next.stop() == 0)
    }

    /// It removed the copy, which windows of both sessions read.
    @Test func `a service uses the copy of the library that one of another session uses`()
        async throws
    {
        let home = try TestHome()
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: home.pictures.appending("a.jpg"))
        // There cannot be a library.
        let folder = home.database.removingLastComponent()
        try home.write([], to: folder)
        let session = try await Session.start(home: home)
        let service = try await session.startService()
        try await eventually("the library: \(service.errorText)") {
            service.errorText.contains("Looked through the library")
        }
        // There can be one again.
        try AtomicFile.remove(folder)
        let other = try await Session.start(home: home)
        let second = try await other.startService()
        _ = try await other.startBackend("pick newest 1")
        let client = try await Client(other)
        #expect(try await client.response(client.open()).code == 0)
        let copy = home.runtime.appending("photo-portal").appending("library.db")
        #expect((try? copy.stat()) != nil)
        #expect((try? home.database.stat()) == nil)
        // It keeps the copy up to date when the first one has ended.
        #expect(try await service.stop() == 0)
        try await eventually("the library: \(second.errorText)") {
            second.errorText.contains("Looked through the library")
        }
        #expect(try await second.stop() == 0)
    }

    private func isIndexing(_ picker: PickerSession) async throws -> String {
        try await picker.session.run(
            "sqlite3",
            [picker.home.database.string, "SELECT value FROM state WHERE key = 'isIndexing'"]
        ).output
    }

    @Test func `requests that arrive before the library is open wait for it`() async throws {
        let home = try TestHome()
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: home.pictures.appending("a.jpg"))
        let session = try await Session.start(home: home)
        _ = try await session.startBackend("pick newest 1")
        let service = try session.start("photo-portal", ["--verbose"])
        try await session.waitForOwner(of: "org.freedesktop.portal.PhotoPicker", service)
        let client = try await Client(session)
        #expect(try await client.response(client.open()).code == 0)
    }
}

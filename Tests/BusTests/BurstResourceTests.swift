// SPDX-License-Identifier: MIT

import Desktop
import Files
import PhotoLibrary
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Bursts, as apps see them.
@Suite(.serialized) struct BurstResourceTests {
    @Test(arguments: CallerKind.allCases)
    func `an app sees one photo, and opens each of its pictures`(kind: CallerKind) async throws {
        let session = try await session(kind)
        let asset = try await burst(in: session)
        #expect(asset.value("name") == "b.jpg")
        #expect(asset.value("resources") == ["primary", "burst"])
        #expect(asset.value("frames") == UInt32(3))
        let id: String = try #require(asset.value("id"))
        for (index, name) in ["a.jpg", "b.jpg", "c.jpg"].enumerated() {
            let opened = try await open(id, .burst, index, in: session)
            #expect(opened.name == name)
            #expect(try opened.content == content(of: name, in: session))
        }
        let shown = try await open(id, .primary, in: session)
        #expect(shown.name == "b.jpg")
        #expect(try shown.content == content(of: "b.jpg", in: session))
        let albums = try await session.library.albums()
        #expect(albums.first { $0.value("id") == "bursts" }?.value("count") == UInt64(1))
        #expect(albums.first { $0.value("id") == "all" }?.value("count") == UInt64(1))
    }

    @Test func `there is no picture behind the last one, nor a burst of one photo`() async throws {
        let session = try await session(.host, others: ["plain.jpg": "jpeg/grey.jpg"])
        let assets = try await session.library.assets(in: "all").assets
        let burst: String = try #require(
            assets.first { $0.value("frames") == UInt32(3) }?.value("id"))
        let plain = try #require(assets.first { $0.value("name") == "plain.jpg" })
        #expect(plain.value("resources") == ["primary"])
        #expect(plain["frames"] == nil)
        let id: String = try #require(plain.value("id"))
        for (id, index) in [(burst, UInt32(3)), (burst, .max), (id, 0)] {
            let missing = await #expect(throws: DBusError.self) {
                _ = try await session.library.open(id, .current, .burst, index: index)
            }
            #expect(missing?.name == .portalNotFound, "\(index)")
        }
    }

    @Test func `an app in a sandbox gets a picture without the location`() async throws {
        let session = try await session(.flatpak) { home in
            try ExifTool.run([
                "-n", "-overwrite_original", "-GPSLatitude=48.8584", "-GPSLatitudeRef=N",
                "-GPSLongitude=2.2945", "-GPSLongitudeRef=E",
                home.pictures.appending("c.jpg").string,
            ])
        }
        let id: String = try #require(try await burst(in: session).value("id"))
        let opened = try await open(id, .burst, 2, in: session)
        let path = session.picker.home.scratch.appending("opened.jpg")
        try session.picker.home.write(opened.content, to: path)
        let original = session.picker.home.pictures.appending("c.jpg")
        let (was, isNow) = (
            try ExifTool.run(["-n", "-s3", "-GPSLatitude", original.string]),
            try ExifTool.run(["-n", "-s3", "-GPSLatitude", path.string])
        )
        #expect(String(decoding: was, as: UTF8.self).hasPrefix("48.8584"))
        #expect(isNow.isEmpty)
    }

    @Test func `a limited app sees the picture that it was given alone`() async throws {
        let session = try await session(.host)
        let id: String = try #require(try await burst(in: session).value("id"))
        _ = try await session.picker.session.startBackend("pick ids \(id)")
        let client = session.picker.client
        #expect(try await client.response(client.pick()).code == 0)
        try await session.setPermission("limited", of: "")
        try await eventually("what was given") {
            try await session.library.assets(in: "all").total == 1
        }
        let refused = await #expect(throws: DBusError.self) {
            _ = try await session.library.open(id, .current, .burst)
        }
        #expect(refused?.name == .portalNotAllowed)
    }

    @Test(arguments: CallerKind.allCases)
    func `an app receives the picture of a burst that the person chose, and learns of no other`(
        kind: CallerKind
    ) async throws {
        let session = try await session(kind)
        let picker = session.picker
        let frames = try await frames(in: session)
        #expect(frames.count == 3)
        let chosen = frames[2]
        let backend = try await picker.session.startBackend(
            "pick ids \(chosen)", "pick preselected")
        let first = try #require(
            Delivery(try await picker.client.response(picker.client.pick()).results))
        #expect(first.items.map(\.name) == ["c.jpg"])
        #expect(first.failures.isEmpty)
        let id = try #require(first.items.first?.id)
        #expect((id == "\(chosen)") == (kind == .host))
        if kind == .host {
            let path = first.items.first.flatMap { FileURI.path($0.uri) }
            #expect(path == picker.home.pictures.appending("c.jpg"))
        }
        // It may choose this one in advance, and no other.
        let others = frames.dropLast().map { "\($0)" }
        let handle = try await picker.client.pick(["preselected": ([id] + others).variant])
        let second = try #require(Delivery(try await picker.client.response(handle).results))
        #expect(second.items.map(\.id) == [id])
        #expect(backend.events.last?.contains("\"preselected\":[\"\(chosen)\"]") == true)
        // It sees that it was given one photo.
        try await session.setPermission("limited", of: picker.app?.appID ?? "")
        try await eventually("what was given") {
            try await session.library.assets(in: "all").total == 1
        }
        let seen = try await session.library.assets(in: "all").assets
        #expect(seen.map { $0.value("id") } == [id])
        #expect(seen.first?.value("name") == "c.jpg")
        #expect(seen.first?["frames"] == nil)
        #expect(seen.first?.value("resources") == ["primary"])
        #expect(try await session.library.assets(others) == [])
        let opened = try await open(id, .primary, in: session)
        #expect(opened.name == "c.jpg")
    }

    @Test func `S2.5 several pictures of one burst are delivered in the order of choice`()
        async throws
    {
        let session = try await session(.host)
        let frames = try await frames(in: session)
        let words = [frames[2], frames[0], frames[1]].map { "\($0)" }.joined(separator: " ")
        _ = try await session.picker.session.startBackend("pick ids \(words)")
        let client = session.picker.client
        let delivery = try #require(
            Delivery(
                try await client.response(client.pick(["max_count": UInt32(3).variant])).results))
        #expect(delivery.items.map(\.name) == ["c.jpg", "a.jpg", "b.jpg"])
    }

    @Test func `a picture of a burst that breaks a rule of the app is not delivered`() async throws
    {
        let session = try await session(.host)
        let frames = try await frames(in: session)
        let client = session.picker.client
        _ = try await session.picker.session.startBackend("pick ids \(frames[0])")
        let filter: Vardict = ["newer_than": Int64(1_000_001).variant]
        let response = try await client.response(client.pick(["filter": filter.variant]))
        let delivery = try #require(Delivery(response.results))
        #expect(delivery.items.isEmpty)
        #expect(delivery.failures.map(\.code) == [.unfit])
    }

    @Test func `all pictures are deleted together, and come back as one photo`() async throws {
        let session = try await session(.host)
        let id: String = try #require(try await burst(in: session).value("id"))
        _ = try await session.picker.session.startBackend("allow")
        let deleted = try await RequestClient(on: session.picker.client.connection).delete([id])
        #expect(deleted.code == .success, "\(deleted)")
        let home = session.picker.home
        let trash = home.data.appending("Trash").appending("files")
        let names = ["a.jpg", "b.jpg", "c.jpg"]
        #expect(Set(try Directory.entries(of: trash).map(\.name.string)) == Set(names))
        #expect(try await session.library.assets(in: "all").total == 0)
        for name in names {
            try AtomicFile.rename(trash.appending(name), to: home.pictures.appending(name))
        }
        try await eventually("the burst") {
            let assets = try await session.library.assets(in: "all").assets
            return assets.count == 1 && assets[0].value("frames") == UInt32(3)
                && assets[0].value("id") == id
        }
    }

    @Test func `a command writes one of the pictures, and tells how many there are`()
        async throws
    {
        let session = try await session(.host)
        let id: String = try #require(try await burst(in: session).value("id"))
        func run(_ words: String...) async throws -> (status: Int32, output: [UInt8]) {
            let bus = session.picker.session
            let command = try ChildProcess(
                Programs.path("portal-pick"), words, environment: bus.environment,
                scratch: bus.home.scratch)
            let status = try await command.exitStatus()
            return (status, try Descriptor.openForReading(command.output).read(upTo: 1 << 20))
        }
        let third = try await run("read", "--frame", "3", id)
        #expect(third.status == 0)
        #expect(try third.output == content(of: "c.jpg", in: session))
        let shown = try await run("show", id)
        let text = String(decoding: shown.output, as: UTF8.self)
        #expect(text.contains("frames: 3\n"))
        #expect(text.contains("resources: primary, burst\n"))
        #expect(try await run("read", "--frame", "4", id).status != 0)
        #expect(try await run("read", "--frame", "0", id).status != 0)
        #expect(try await run("read", "--frame", "1", "--raw", id).status != 0)
    }

    // MARK: -

    /// A library with a burst of three pictures, of which the camera took the second for the best.
    private func session(
        _ kind: CallerKind, others: [String: String] = [:],
        prepare: (TestHome) async throws -> Void = { _ in }
    ) async throws -> LibrarySession {
        let home = try TestHome()
        for (index, name) in ["a.jpg", "b.jpg", "c.jpg"].enumerated() {
            let fixture = name == "b.jpg" ? "burst/primary.jpg" : "burst/google.jpg"
            let path = home.pictures.appending(name)
            try home.write(Fixtures.bytes(fixture) + [UInt8(index)], to: path)
        }
        for (name, fixture) in others {
            try home.write(Fixtures.bytes(fixture), to: home.pictures.appending(name))
        }
        try await prepare(home)
        for (index, name) in ["a.jpg", "b.jpg", "c.jpg"].enumerated() {
            home.setDate(of: home.pictures.appending(name), 1_000_000 + index)
        }
        let session = try await LibrarySession(kind, photos: 0, home: home)
        _ = try await session.open()
        return session
    }

    private func burst(in session: LibrarySession) async throws -> Vardict {
        try #require(
            try await session.library.assets(in: "all").assets.first {
                $0.value("frames") == UInt32(3)
            })
    }

    /// The pictures of the burst in the order in which they were taken, by the ids of the library.
    private func frames(in session: LibrarySession) async throws -> [AssetID] {
        _ = try await burst(in: session)
        let reader = try LibraryReader(at: session.picker.home.database)
        let shown = try #require(try await reader.photos(in: SmartAlbum.bursts.id).ids.first)
        return try #require(try await reader.burst(of: shown, .images)).frames.ids
    }

    private func content(of name: String, in session: LibrarySession) throws -> [UInt8] {
        let path = session.picker.home.pictures.appending(name)
        return try Descriptor.openForReading(path).read(upTo: 1 << 20)
    }

    /// Opens a file of a photo, in a sandbox with a library for D-Bus that passes descriptors there.
    private func open(
        _ id: String, _ role: ResourceRole, _ index: Int = 0, in session: LibrarySession
    ) async throws -> (name: String?, content: [UInt8]) {
        guard let app = session.picker.app else {
            let (file, results) = try await session.library.open(
                id, .current, role, index: UInt32(clamping: index))
            return (results.value("name"), try file.read(upTo: 1 << 20))
        }
        let script = """
            import dbus, os, sys
            portal = dbus.Interface(
                dbus.SessionBus().get_object(
                    "org.freedesktop.portal.PhotoPicker", "/org/freedesktop/portal/desktop"),
                "org.freedesktop.portal.PhotoLibrary")
            file, results = portal.OpenAsset(
                sys.argv[1], {"resource": sys.argv[2], "index": dbus.UInt32(sys.argv[3])})
            content = os.read(file.take(), int(results["size"]) + 1)
            print(results["name"], content.hex(), sep="\\n")
            """
        let run = try await app.run("python3", ["-c", script, id, role.rawValue, "\(index)"])
        let lines = run.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 2, "\(run)")
        let digits = lines[1].compactMap { $0.hexDigitValue.map { UInt8($0) } }
        let content = stride(from: 0, to: digits.count - 1, by: 2).map {
            digits[$0] << 4 | digits[$0 + 1]
        }
        return (lines[0], content)
    }
}

// SPDX-License-Identifier: MIT

import Desktop
import Files
import Foundation
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Files of photos that apps open; the names begin with the ids of the behaviours.
@Suite(.serialized) struct LibraryOpeningTests {
    @Test func `S3.17 a host app opens the current version or the original`() async throws {
        let session = try await LibrarySession(.host)
        let id = try await session.open()[0]
        let asset = try #require(try await session.library.assets([id]).first)
        let name = try #require(asset.value("name", as: String.self))
        let content = try Descriptor.openForReading(
            session.picker.home.pictures.appending(name)
        ).read(upTo: 1 << 20)
        for version in AssetVersion.allCases {
            let (file, results) = try await session.library.open(id, version)
            #expect(try file.read(upTo: 1 << 20) == content)
            #expect(results.value("media_type") == "image/jpeg")
            #expect(results.value("name") == name)
            #expect(results.value("size") == UInt64(content.count))
            #expect(results.value("adjusted") == false)
            #expect(results["data"] == nil)
            #expect(throws: Errno.badFileDescriptor) { try file.fileDescriptor.writeAll([0]) }
        }
        let data = [UInt8](0...255)
        _ = try await session.library.perform([
            Adjusting.set(id, "formats/blocks.png", data: data)
        ])
        let current = try await session.library.open(id)
        #expect(try current.file.read(upTo: 1 << 20) == Fixtures.bytes("formats/blocks.png"))
        #expect(current.results.value("media_type") == "image/png")
        #expect(current.results.value("adjusted") == true)
        #expect(current.results["data"] == nil)
        let original = try await session.library.open(id, .original)
        #expect(try original.file.read(upTo: 1 << 20) == content)
        #expect(original.results.value("media_type") == "image/jpeg")
        #expect(original.results.value("data") == data)
        #expect(original.results.value("format") == "org.example.Editor")
        #expect(original.results.value("version") == "1.0")
    }

    @Test func `S3.17 an adjusted version has the name that people gave the photo`() async throws {
        let session = try await LibrarySession(.host)
        let id = try await session.open()[0]
        let name = try #require(
            try await session.library.assets([id]).first?.value("name", as: String.self))
        let stem = try #require(name.wholeMatch(of: /(photo \d)\.jpg/)).output.1
        _ = try await session.picker.session.startBackend(
            "pick ids \(id)", "pick ids \(id)", "pick ids \(id)", "pick ids \(id)")
        let client = session.picker.client
        func delivery(_ options: Vardict = [:]) async throws -> Delivery {
            try #require(Delivery(try await client.response(client.pick(options)).results))
        }
        for (fixture, wanted) in [
            ("formats/blocks.jpg", name), ("formats/blocks.png", "\(stem).png"),
        ] {
            _ = try await session.library.perform([Adjusting.set(id, fixture)])
            let opened = try await session.library.open(id).results
            #expect(opened.value("name", as: String.self) == wanted)
            #expect(try await delivery().items.map(\.name) == [wanted])
            let refused = try await delivery(["media_types": ["image/webp"].variant])
            #expect(refused.failures.first?.message.hasPrefix("“\(wanted)” is ") == true)
        }
        let original = try await session.library.open(id, .original).results
        #expect(original.value("name", as: String.self) == name)
    }

    @Test func `a photo that is unknown, gone or another one is not opened`() async throws {
        let session = try await LibrarySession(.host)
        let ids = try await session.open()
        let connection = session.picker.client.connection
        for (id, options, name) in [
            ("00112233445566778899aabbccddeeff", [:], ErrorName.portalNotFound),
            ("", [:], .portalNotFound), ("../../etc/passwd", [:], .portalNotFound),
            (ids[0], ["version": "best".variant], .portalInvalidArgument),
            (ids[0], ["version": true.variant], .portalInvalidArgument),
        ] as [(String, Vardict, ErrorName)] {
            let error = await #expect(throws: DBusError.self) {
                _ = try await connection.call(
                    PhotoLibraryInterface.openAsset, to: PhotoPickerInterface.busName,
                    at: PhotoPickerInterface.path, on: PhotoLibraryInterface.interface.name,
                    Arguments(id, options))
            }
            #expect(error?.name == name, "\(id) \(options)")
        }
        // Its file becomes another one, which the library has not examined yet.
        let name = try #require(
            try await session.library.assets([ids[0]]).first?.value("name", as: String.self))
        let home = session.picker.home
        let status = try await session.picker.session.run(
            "sqlite3",
            [
                "-cmd", ".timeout 5000", home.database.string,
                "UPDATE file SET changed = changed + 1 WHERE name = CAST('\(name)' AS BLOB)",
            ]
        ).status
        #expect(status == 0)
        let error = await #expect(throws: DBusError.self) { try await session.library.open(ids[0]) }
        #expect(error?.name == .portalFailed)
        #expect(error?.message.contains("changed") == true)
    }

    @Test func `a limited app opens what it was given, in the current version alone`() async throws
    {
        let session = try await LibrarySession(.host)
        let ids = try await session.open()
        _ = try await session.library.perform([
            Adjusting.set(ids[0], "formats/blocks.png")
        ])
        let backend = try await session.picker.session.startBackend("pick ids \(ids[0]) \(ids[1])")
        let client = session.picker.client
        #expect(
            try await client.response(client.pick(["max_count": UInt32(2).variant])).code == 0)
        #expect(backend.events.count == 1)
        try await session.setPermission("limited", of: "")
        try await eventually("what was given") {
            try await session.library.assets(in: "all").total == 2
        }
        let file = try await session.library.open(ids[0]).file
        #expect(try file.read(upTo: 1 << 20) == Fixtures.bytes("formats/blocks.png"))
        _ = try await session.library.open(ids[1], .original)
        for (id, version, name) in [
            (ids[0], AssetVersion.original, ErrorName.portalNotAllowed),
            (ids[2], .current, .portalNotFound), (ids[2], .original, .portalNotFound),
        ] {
            let error = await #expect(throws: DBusError.self) {
                try await session.library.open(id, version)
            }
            #expect(error?.name == name)
        }
        // One that may only add opens nothing.
        try await session.setPermission("no", of: "")
        try await session.setPermission("yes", of: "", for: "add")
        let error = await #expect(throws: DBusError.self) { try await session.library.open(ids[0]) }
        #expect(error?.name == .portalNotAllowed)
    }

    @Test func `an app in a sandbox cannot write to what it opens, nor find out its path`()
        async throws
    {
        let home = try TestHome()
        let place = home.pictures.appending("place.jpg")
        try home.write(Fixtures.bytes("location/exif.jpg"), to: place)
        let session = try await LibrarySession(.flatpak, home: home)
        let ids = try await session.open()
        #expect(ids.count == 6)
        let before = try names(in: home.pictures).map {
            try Descriptor.openForReading(home.pictures.appending($0)).information()
                .modifiedNanoseconds
        }
        for id in ids {
            let seen = try await open(id, in: session)
            #expect(seen["write"] == "EACCES" || seen["write"] == "EPERM", "\(seen)")
            #expect(seen["append"] == "EACCES" || seen["append"] == "EPERM", "\(seen)")
            #expect(seen["chmod"] != "done", "\(seen)")
            #expect(seen["path"]?.isEmpty == false, "\(seen)")
            #expect(seen["path"]?.contains("Pictures") == false, "\(seen)")
            #expect(seen["location"] == "False", "\(seen)")
            #expect(seen["size"] == seen["told"], "\(seen)")
        }
        let after = try names(in: home.pictures).map {
            try Descriptor.openForReading(home.pictures.appending($0)).information()
                .modifiedNanoseconds
        }
        #expect(before == after)
        // No copies stay behind.
        let cache = home.cache.appending("photo-portal")
        for name in ["derived", "opened"] {
            #expect(names(in: cache.appending(name)) == [], "\(name)")
        }
        // Nor do their documents, once the app has ended.
        let connection = try await session.picker.session.connect()
        func documents() async throws -> Int {
            let paths = try await connection.call(
                Method<Arguments<String>, Arguments<[String: [UInt8]]>>(
                    "List", takes: ["app_id"], returns: ["docs"]),
                to: DocumentsInterface.busName, at: DocumentsInterface.path,
                on: DocumentsInterface.interface.name, Arguments("")
            ).values
            return paths.values.count {
                String(decoding: $0, as: UTF8.self).hasPrefix("\(cache)/")
            }
        }
        #expect(try await documents() > 0)
        try await session.picker.app?.end()
        try await eventually("the end of the documents", is: 0) { try await documents() }
    }

    @Test func `S3.17 an app in a sandbox adjusts a photo and reads the original`() async throws {
        let session = try await LibrarySession(.flatpak)
        let id = try await session.open()[0]
        let adjusted = try await adjust(id, with: Fixtures.path("formats/blocks.png"), in: session)
        #expect(adjusted["count"] == "1", "\(adjusted)")
        let asset = try #require(try await session.library.assets([id]).first)
        #expect(asset.value("adjusted") == true)
        #expect(asset.value("media_type") == "image/png")
        #expect(try await open(id, in: session)["type"] == "image/png")
        let original = try await open(id, "original", in: session)
        #expect(original["type"] == "image/jpeg", "\(original)")
        #expect(original["data"] == "[1, 2, 3]", "\(original)")
        #expect(original["write"] == "EACCES" || original["write"] == "EPERM", "\(original)")
    }

    @Test
    func `S3.17 an app in a sandbox may write to photos that it was given, not to their versions`()
        async throws
    {
        let session = try await LibrarySession(.flatpak)
        let ids = try await session.open()
        _ = try await adjust(ids[0], with: Fixtures.path("formats/blocks.png"), in: session)
        _ = try await session.picker.session.startBackend("grant writable; pick newest 2")
        let client = session.picker.client
        let response = try await client.response(
            client.pick(["writable": true.variant, "max_count": UInt32(2).variant]))
        let items = try #require(Delivery(response.results)?.items, "\(response)")
        #expect(items.map(\.mediaType) == [.png, .jpeg])
        #expect(items.map(\.id) == Array(ids.prefix(2)))
        let app = try #require(session.picker.app)
        for (item, isWritable) in zip(items, [false, true]) {
            let path = try #require(FileURI.path(item.uri))
            let run = try await app.run(
                "python3", ["-c", "import sys; open(sys.argv[1], 'r+b').close()", path.string])
            #expect((run.status == 0) == isWritable, "\(item.uri) \(run.errors)")
        }
    }

    @Test func `portal-pick reads, adjusts and reverts photos`() async throws {
        let session = try await LibrarySession(.host)
        let id = try await session.open()[0]
        let name = try #require(
            try await session.library.assets([id]).first?.value("name", as: String.self))
        func size(_ words: String...) async throws -> Int {
            let script = "\(Programs.path("portal-pick")) \(words.joined(separator: " ")) | wc -c"
            let run = try await session.picker.session.run("sh", ["-c", script])
            #expect(run.errors.isEmpty, "\(run.errors)")
            return Int(run.output.filter(\.isNumber)) ?? -1
        }
        let content = try Descriptor.openForReading(
            session.picker.home.pictures.appending(name)
        ).read(upTo: 1 << 20)
        let version = Fixtures.path("formats/blocks.png")
        #expect(try await size("read", id) == content.count)
        let adjusted = try await session.picker.session.run(
            "portal-pick", ["adjust", id, version.string])
        #expect(adjusted.status == 0, "\(adjusted.errors)")
        #expect(try await size("read", id) == Fixtures.bytes("formats/blocks.png").count)
        #expect(try await size("read", "--original", id) == content.count)
        let reverted = try await session.picker.session.run("portal-pick", ["revert", id])
        #expect(reverted.status == 0, "\(reverted.errors)")
        #expect(try await size("read", id) == content.count)
        let missing = try await session.picker.session.run(
            "portal-pick", ["adjust", id, "/nowhere.jpg"])
        #expect(missing.status == 2)
        #expect(missing.errors.contains("/nowhere.jpg"))
    }

    // MARK: - As an app in a sandbox, whose library for D-Bus passes descriptors

    private static let prelude = """
        import dbus, errno, os, sys
        portal = dbus.Interface(
            dbus.SessionBus().get_object(
                "org.freedesktop.portal.PhotoPicker", "/org/freedesktop/portal/desktop"),
            "org.freedesktop.portal.PhotoLibrary")
        def attempt(name, body):
            try:
                body()
                print(name, "done", sep="\\t")
            except OSError as error:
                print(name, errno.errorcode[error.errno], sep="\\t")

        """

    private func open(
        _ id: String, _ version: String = "current", in session: LibrarySession
    ) async throws -> [String: String] {
        let script = """
            file, results = portal.OpenAsset(sys.argv[1], {"version": sys.argv[2]})
            fd = file.take()
            again = f"/proc/self/fd/{fd}"
            attempt("write", lambda: os.open(again, os.O_RDWR))
            attempt("append", lambda: os.open(again, os.O_WRONLY | os.O_APPEND))
            attempt("chmod", lambda: os.fchmod(fd, 0o666))
            content = os.read(fd, 1 << 24)
            print("path", os.readlink(again), sep="\\t")
            print("location", b"GPS" in content or b"\\x88\\x25" in content[:400], sep="\\t")
            print("size", len(content), sep="\\t")
            print("told", int(results["size"]), sep="\\t")
            print("type", results["media_type"], sep="\\t")
            print("data", [int(byte) for byte in results.get("data", [])], sep="\\t")
            """
        return try await run(script, [id, version], [], in: session)
    }

    private func adjust(
        _ id: String, with file: FilePath, in session: LibrarySession
    ) async throws -> [String: String] {
        let script = """
            with open(sys.argv[2], "rb") as version:
                results = portal.PerformChanges([("set-adjustment", {
                    "asset": sys.argv[1], "file": dbus.types.UnixFd(version), "version": "1",
                    "format": "org.example.Fake", "data": dbus.ByteArray(bytes([1, 2, 3]))})])
            print("count", int(results[0]["count"]), sep="\\t")
            """
        return try await run(script, [id, file.string], [file], in: session)
    }

    private func run(
        _ script: String, _ words: [String], _ files: [FilePath], in session: LibrarySession
    ) async throws -> [String: String] {
        let app = try #require(session.picker.app)
        let run = try await app.run(
            "python3", ["-c", Self.prelude + script] + words, files: files)
        var answers = ["errors": run.errors]
        for line in run.output.split(separator: "\n") {
            let fields = line.split(separator: "\t", maxSplits: 1).map(String.init)
            if fields.count == 2 { answers[fields[0]] = fields[1] }
        }
        return answers
    }
}

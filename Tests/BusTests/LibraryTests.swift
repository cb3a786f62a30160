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

/// `org.freedesktop.portal.PhotoLibrary`, for apps with and without a sandbox; the names begin with the
/// ids of the behaviours.
@Suite(.serialized) struct LibraryTests {
    // MARK: - Authorization

    @Test(arguments: CallerKind.allCases)
    func `S3.12 an app that is not authorized can only ask`(kind: CallerKind) async throws {
        let session = try await LibrarySession(kind)
        let backend = try await session.picker.session.startBackend("deny")
        #expect(try await session.library.authorization(for: .readWrite) == .notDetermined)
        #expect(try await session.library.authorization(for: .add) == .notDetermined)
        #expect(await session.errors() == [.portalNotAllowed])
        let (code, authorization) = try await session.ask()
        #expect(code == .success)
        #expect(authorization == 2)
        #expect(backend.events.count == 1)
        #expect(try await session.library.authorization(for: .readWrite) == .denied)
        #expect(await session.errors() == [.portalNotAllowed])
    }

    @Test(arguments: CallerKind.allCases)
    func `S3.13 an app that is decided gets its answer without a window`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let backend = try await session.picker.session.startBackend("allow", "deny", "deny")
        #expect(try await session.ask(.readWrite, ["reason": "For you".variant]).authorization == 3)
        #expect(backend.events.count == 1)
        #expect(backend.events.first?.contains(#""reason":"For you""#) == true)
        #expect(try await session.ask().authorization == 3)
        // Whoever may see everything may add.
        #expect(try await session.ask(.add).authorization == 3)
        #expect(backend.events.count == 1)
        #expect(await session.errors() == [nil, .portalNotFound])
    }

    @Test(arguments: CallerKind.allCases)
    func `S3.12 a decision that another program changes takes effect at once`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let app = session.picker.app?.appID ?? ""
        for (word, errors) in [
            ("yes", [nil, ErrorName.portalNotFound]), ("no", [.portalNotAllowed]),
            ("limited", [nil, .portalNotFound]), ("perhaps", [.portalNotAllowed]),
        ] as [(String, Set<ErrorName?>)] {
            try await session.setPermission(word, of: app)
            #expect(await session.errors() == errors, "\(word)")
        }
    }

    @Test func `a sandboxed app that was uninstalled is undecided`() async throws {
        let session = try await LibrarySession(.flatpak)
        let app = try #require(session.picker.app?.appID)
        let home = session.picker.home
        _ = try await session.open()
        let installed = home.data.appending("flatpak/app").appending(app)
        try Directory.make(installed)
        try Directory.make(home.home.appending(".var/app").appending(app))
        try Directory.make(home.home.appending(".var/app/org.example.Gone"))
        try await session.setPermission("yes", of: "org.example.Gone")
        #expect(try await session.picker.service.stop() == 0)
        let service = try await session.picker.session.startService()
        try await eventually("the removal", within: .seconds(60)) {
            service.errorText.contains("org.example.Gone")
        }
        #expect(try await session.library.authorization(for: .readWrite) == .authorized)
        #expect(try await service.stop() == 0)
        removeTree(installed)
        _ = try await session.picker.session.startService()
        try await eventually("the removal") {
            try await session.library.authorization(for: .readWrite) == .notDetermined
        }
        #expect(await session.errors() == [.portalNotAllowed])
    }

    @Test func `a person who closes the window decides nothing`() async throws {
        let session = try await LibrarySession(.host)
        let backend = try await session.picker.session.startBackend("cancel", "allow")
        #expect(try await session.ask() == (.cancelled, 0))
        #expect(try await session.ask() == (.success, 3))
        #expect(backend.events.count == 2)
    }

    @Test func `without a backend nobody can be asked, and the app is told`() async throws {
        let session = try await LibrarySession(.host)
        let answer = try await RequestClient(on: session.picker.client.connection)
            .authorize(.readWrite)
        #expect(answer.code == .ended)
        #expect(answer.results.value("authorization", as: UInt32.self) == 0)
        #expect(answer.results.value("message", as: String.self)?.isEmpty == false)
    }

    @Test func `without a permission store nothing is allowed`() async throws {
        let picker = try await PickerSession(photos: 1)
        let library = LibraryClient(on: picker.client.connection)
        let error = await #expect(throws: DBusError.self) { try await library.albums() }
        #expect(error?.name == .portalFailed)
        // The service goes on.
        _ = try await picker.session.startBackend("pick newest 1")
        #expect(try await picker.client.response(picker.client.pick()).code == 0)
    }

    @Test func `an app that ends its question closes the window`() async throws {
        let session = try await LibrarySession(.host)
        let backend = try await session.picker.session.startBackend("hang")
        let connection = session.picker.client.connection
        let handle = try await connection.call(
            PhotoLibraryInterface.requestAuthorization, to: PhotoPickerInterface.busName,
            at: PhotoPickerInterface.path, on: PhotoLibraryInterface.interface.name,
            Arguments("", "read-write", ["handle_token": "mine".variant])
        ).values
        #expect(handle.rawValue.hasSuffix("/mine"))
        try await eventually("the question") { backend.events.count == 1 }
        try await session.picker.client.close(handle)
        try await eventually("the end of the window") {
            backend.events.last?.contains("closed") == true
        }
        #expect(session.picker.client.responses.count == 0)
    }

    // MARK: - Reading

    @Test(arguments: CallerKind.allCases)
    func `S3.2 S3.16 an authorized app lists albums and photos, and finds photos by id`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        _ = try await session.picker.session.startBackend("allow")
        _ = try await session.ask()
        let albums = try await session.library.albums()
        #expect(
            albums.compactMap { $0.value("id", as: String.self) }.prefix(2) == ["all", "recent"])
        #expect(albums[0].value("count", as: UInt64.self) == 5)
        #expect(albums[0].value("kind", as: String.self) == "smart")
        #expect(albums.last?.value("kind", as: String.self) == "folder")
        #expect(albums.last?.value("title", as: String.self) == "Pictures")
        let (assets, total) = try await session.library.assets(in: "all")
        #expect(total == 5)
        #expect(
            Set(assets.compactMap { $0.value("name", as: String.self) })
                == Set((1...5).map { "photo \($0).jpg" }))
        let ids = assets.compactMap { $0.value("id", as: String.self) }
        #expect(albums[0].value("cover", as: String.self) == ids[0])
        for asset in assets {
            #expect(asset.value("media_type", as: String.self) == "image/jpeg")
            #expect(asset.value("width", as: UInt32.self) == 64)
            #expect(asset.value("height", as: UInt32.self) == 48)
            #expect(asset.value("size", as: UInt64.self) ?? 0 > 100)
            #expect(asset.value("modified", as: Int64.self) ?? 0 > 1_700_000_000)
        }
        // A part of it, and nothing behind the end.
        let part = try await session.library.assets(
            in: "all", ["offset": UInt32(1).variant, "limit": UInt32(2).variant])
        #expect(part.assets.compactMap { $0.value("id") } == Array(ids[1...2]))
        #expect(part.total == 5)
        #expect(
            try await session.library.assets(in: "all", ["offset": UInt32(5).variant])
                == ([], 5))
        #expect(
            try await session.library.assets(
                in: "all", ["media_types": ["video/*"].variant]) == ([], 0))
        // Unknown ids are left out, and the order is that of the call.
        let unknown = ["00112233445566778899aabbccddeeff", "", "x"]
        let found = try await session.library.assets([ids[3]] + unknown + [ids[0]])
        #expect(found == [assets[3], assets[0]])
    }

    @Test func `portal-pick status tells what the library is doing`() async throws {
        let session = try await LibrarySession(.host)
        try session.picker.home.write(
            Array("no photo".utf8), to: session.picker.home.pictures.appending("a.jpg"))
        _ = try await session.open()
        try await eventually("the text") {
            try await session.library.status().value("skipped") == UInt64(1)
        }
        let (status, output, errors) = try await session.picker.session.run(
            "portal-pick", ["status"])
        #expect(status == 0, "\(errors)")
        #expect(
            output
                == "files\t6\nindexing\tfalse\npending\t0\nskipped\t1\nunwatched\tfalse\nwaiting\tfalse\n"
        )
        let json = try await session.picker.session.run(
            "portal-pick", ["status", "--format", "json"])
        #expect(json.output.contains(#""files" : 6"#), "\(json.output)")
    }

    @Test(arguments: CallerKind.allCases)
    func `a limited app finds what it was given, and nothing else`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        _ = try await session.picker.session.startBackend("allow limited", "pick newest 2")
        #expect(try await session.ask().authorization == 4)
        #expect(try await session.library.assets(in: "all") == ([], 0))
        let picker = session.picker.client
        let response = try await picker.response(picker.pick())
        let given = try #require(Delivery(response.results)).items.map(\.id)
        try await eventually("what was given") {
            try await session.library.assets(in: "all").total == 2
        }
        let assets = try await session.library.assets(in: "all").assets
        #expect(assets.compactMap { $0.value("id") } == given)
        #expect(try await session.library.assets(given).count == 2)
        #expect(try await session.library.status() == ["indexing": false.variant])
        let albums = try await session.library.albums()
        #expect(albums.count == 1)
        #expect(albums.first?.value("count", as: UInt64.self) == 2)
        #expect(albums.first?.value("cover", as: String.self) == given.first)
        let days = try await session.library.moments().moments
        #expect(days.compactMap { $0.value("count", as: UInt64.self) }.reduce(0, +) == 2)
        #expect(days.first?.value("cover", as: String.self) == given.first)
        // The relay of an app in a sandbox passes no descriptors.
        if kind == .host { _ = try await session.library.thumbnail(of: given[0], size: 100) }
        // Neither another album, nor another photo.
        let error = await #expect(throws: DBusError.self) {
            try await session.library.assets(in: "recent").total
        }
        #expect(error?.name == .portalNotFound)
        let others = try await session.picker.libraryIDs()
        #expect(try await session.library.assets(others).isEmpty || kind == .host)
    }

    @Test func `an app cannot use the ids of another app`() async throws {
        let session = try await LibrarySession(.flatpak)
        _ = try await session.picker.session.startBackend("allow", "allow")
        _ = try await session.ask()
        let ids = try await session.library.assets(in: "all").assets
            .compactMap { $0.value("id", as: String.self) }
        let app = try await FlatpakApp.start(on: session.picker.session, appID: "org.example.Other")
        let connection = try await Connection.open(address: app.address)
        let other = LibraryClient(on: connection)
        _ = try await RequestClient(on: connection).authorize(.readWrite)
        let own = try await other.assets(in: "all").assets
            .compactMap { $0.value("id", as: String.self) }
        #expect(own.count == ids.count)
        #expect(Set(own).isDisjoint(with: ids))
        #expect(try await other.assets(ids).isEmpty)
    }

    /// Gets a thumbnail, and reports it and whether it can be changed.
    private static let app = """
        import os, sys
        from gi.repository import Gio, GLib
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        reply, files = bus.call_with_unix_fd_list_sync(
            'org.freedesktop.portal.PhotoPicker', '/org/freedesktop/portal/desktop',
            'org.freedesktop.portal.PhotoLibrary', 'GetThumbnail',
            GLib.Variant('(sua{sv})', (sys.argv[1], 200, {})), GLib.VariantType('(ha{sv})'), 0, -1,
            None, None)
        number, results = reply.unpack()
        file = files.get(number)
        pixels = os.read(file, 1 << 20)
        print(results['width'], results['height'], results['stride'], results['format'], len(pixels))
        print(*pixels[144 * 8 + 24:][:3])
        for change in [lambda: os.write(file, b'x'), lambda: os.truncate(file, 1),
                       lambda: os.open('/proc/self/fd/%d' % file, os.O_WRONLY) and os.write(file, b'x')]:
            try:
                change()
                print('changed')
            except OSError:
                print('kept')
        """

    @Test(arguments: CallerKind.allCases)
    func `a thumbnail comes as pixels that nobody can change`(kind: CallerKind) async throws {
        let session = try await LibrarySession(kind, photos: 0)
        let picker = session.picker
        // Upright, 48 × 32, red at the left.
        try picker.home.write(
            Fixtures.bytes("orientation/6.jpg"), to: picker.home.pictures.appending("turned.jpg"))
        _ = try await picker.session.startBackend("allow")
        _ = try await session.ask()
        let asset = try await eventually("the photo") {
            try await session.library.assets(in: "all").assets.first
        }
        let id = try #require(asset.value("id", as: String.self))
        for _ in 0..<2 {
            let words = ["-c", Self.app, id]
            let result =
                if let app = picker.app {
                    try await app.run("/usr/bin/python3", words)
                } else {
                    try await picker.session.run("python3", words)
                }
            let lines = result.output.split(separator: "\n")
            try #require(lines.count == 5, "\(result.errors)")
            #expect(lines[0] == "48 32 144 rgb 4608")
            let colours = lines[1].split(separator: " ").compactMap { Int($0) }
            #expect(colours[0] > 200 && colours[1] < 60)
            #expect(lines[2...].allSatisfy { $0 == "kept" })
        }
    }

    @Test func `a thumbnail that cannot be made is an error with a reason`() async throws {
        let session = try await LibrarySession(.host, photos: 1)
        try await session.setPermission("yes", of: "")
        let id = try #require(
            try await session.library.assets(in: "all").assets.first?.value("id", as: String.self))
        for (id, size, name) in [
            (id, 0, ErrorName.portalInvalidArgument), (id, 1025, .portalInvalidArgument),
            ("00112233445566778899aabbccddeeff", 128, .portalNotFound), ("", 128, .portalNotFound),
        ] {
            let error = await #expect(throws: DBusError.self) {
                try await session.library.thumbnail(of: id, size: UInt32(size)).results
            }
            #expect(error?.name == name)
        }
    }

    @Test func `a preview is as large as the app wants, and no larger than the photo`() async throws
    {
        let session = try await LibrarySession(.host, photos: 1)
        try await session.setPermission("yes", of: "")
        let id = try #require(
            try await session.library.assets(in: "all").assets.first?.value("id", as: String.self))
        for (side, width, height) in [(8192, 64, 48), (32, 32, 24), (1, 1, 1)]
            as [(UInt32, UInt32, UInt32)]
        {
            let (pixels, results) = try await session.library.preview(of: id, maxDimension: side)
            #expect(results.value("width", as: UInt32.self) == width)
            #expect(results.value("height", as: UInt32.self) == height)
            let stride = try #require(results.value("stride", as: UInt32.self))
            #expect(try pixels.read(upTo: 1 << 20).count == Int(stride * height))
        }
        for (id, side, name) in [
            (id, 0, ErrorName.portalInvalidArgument), (id, 8193, .portalInvalidArgument),
            ("x", 64, .portalNotFound),
        ] as [(String, UInt32, ErrorName)] {
            let error = await #expect(throws: DBusError.self) {
                try await session.library.preview(of: id, maxDimension: side).results
            }
            #expect(error?.name == name)
        }
        try await session.setPermission("no", of: "")
        let error = await #expect(throws: DBusError.self) {
            try await session.library.preview(of: id, maxDimension: 64).results
        }
        #expect(error?.name == .portalNotAllowed)
    }

    @Test func `a photo that is exchanged for a link out of the library is not shown`() async throws
    {
        let session = try await LibrarySession(.host, photos: 1)
        _ = try await session.picker.session.startBackend("allow")
        _ = try await session.ask()
        let id = try #require(
            try await session.library.assets(in: "all").assets.first?.value("id", as: String.self))
        let secret = session.picker.home.scratch.appending("secret.jpg")
        try session.picker.home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: secret)
        let photo = try #require(session.picker.files.first)
        photo.withPlatformString { _ = unlink($0) }
        try #require(symlink(secret.string, photo.string) == 0)
        let error = await #expect(throws: DBusError.self) {
            try await session.library.thumbnail(of: id, size: 128).results
        }
        // Not found as soon as the library knows that the photo is gone.
        #expect([.portalFailed, .portalNotFound].contains(error?.name))
    }

    // MARK: - Bad input

    @Test(
        arguments: [
            ("offset", .string("1"), "Expected type 'u' for option 'offset', got '1' of type 's'"),
            ("limit", .uint32(0), "Expected 1 to 1000 for option 'limit', got 0"),
            ("limit", .uint32(1001), "Expected 1 to 1000 for option 'limit', got 1001"),
            (
                "media_types", .array(element: "s", []),
                "Expected at least one type for option 'media_types', got []"
            ),
        ] as [(String, Variant, String)])
    func `a wrong option is named, with what was expected`(
        key: String, value: Variant, message: String
    ) async throws {
        let session = try await LibrarySession(.host, photos: 1)
        try await session.setPermission("yes", of: "")
        let error = await #expect(throws: DBusError.self) {
            try await session.library.assets(in: "all", [key: value]).total
        }
        #expect(error?.name == .portalInvalidArgument)
        #expect(error?.message == message)
    }

    @Test(arguments: ["", "../etc", "ALL", "a b"])
    func `a text that cannot be the id of an album is that of none`(album: String) async throws {
        let session = try await LibrarySession(.host, photos: 1)
        try await session.setPermission("yes", of: "")
        let error = await #expect(throws: DBusError.self) {
            try await session.library.assets(in: album).total
        }
        #expect(error?.name == .portalNotFound)
        #expect(error?.message == "There is no album with the id '\(album)'")
    }

    @Test func `too many ids, another level and a long reason are refused`() async throws {
        let session = try await LibrarySession(.host, photos: 1)
        try await session.setPermission("yes", of: "")
        let ids = Array(repeating: "x", count: 1001)
        var error = await #expect(throws: DBusError.self) { try await session.library.assets(ids) }
        #expect(error?.name == .portalInvalidArgument)
        for (window, level, options) in [
            ("", "read", [:]), (String(repeating: "x", count: 4097), "add", [:]),
            ("", "add", ["reason": String(repeating: "a", count: 257).variant]),
            ("", "add", ["handle_token": "a/b".variant]),
        ] as [(String, String, Vardict)] {
            error = await #expect(throws: DBusError.self) {
                try await session.picker.client.connection.call(
                    PhotoLibraryInterface.requestAuthorization, to: PhotoPickerInterface.busName,
                    at: PhotoPickerInterface.path, on: PhotoLibraryInterface.interface.name,
                    Arguments(window, level, options))
            }
            #expect(error?.name == .portalInvalidArgument, "\(level)")
        }
    }

    // MARK: - At a shell

    @Test func `portal-pick asks, and lists albums and photos`() async throws {
        let session = try await LibrarySession(.host, photos: 3)
        _ = try await session.picker.session.startBackend("allow")
        func shell(_ words: String...) async throws -> (Int32, String, String) {
            let result = try await session.picker.session.run("portal-pick", words)
            return (result.status, result.output, result.errors)
        }
        let refused = try await shell("albums")
        #expect(refused.0 == 2)
        #expect(
            refused.2.contains(
                "has not let this app use the library yet; try 'portal-pick authorize'"))
        #expect(try await shell("authorize", "--no-question").1 == "undecided\n")
        #expect(try await shell("authorize", "--reason", "For a test") == (0, "authorized\n", ""))
        #expect(try await shell("authorize", "--add", "--no-question") == (0, "authorized\n", ""))
        let albums = try await shell("albums").1.split(separator: "\n")
        #expect(albums.first == "all\t3\t")
        #expect(albums.last?.hasSuffix("\t3\tPictures") == true)
        let photos = try await shell("list").1.split(separator: "\n")
        #expect(photos.count == 3)
        #expect(photos.allSatisfy { $0.contains("\timage/jpeg\tphoto ") })
        #expect(
            try await shell("list", "all", "--offset", "1", "--limit", "1").1 == photos[1] + "\n")
        #expect(try await shell("list", "--type", "video/*") == (0, "", ""))
        #expect(try await shell("list", "no-such-album").0 == 2)
        #expect(try await shell("list", "no-such-album", "--limit", "0").0 == 2)
        #expect(try await shell("list", "--limit", "0") == (0, "", ""))
        #expect(try await shell("list", "--type", "text/plain").0 == 64)
        let id = String(photos[0].prefix(32))
        let shown = try await shell("show", id)
        #expect(shown.1.contains("id: \(id)\n"))
        #expect(shown.1.contains("width: 64\n"))
        #expect(try await shell("show", id, "unknown").0 == 2)
        #expect(try await shell("list", "--format", "json").1.contains(#""id" : "\#(id)""#))
    }

    @Test func `busctl lists the albums`() async throws {
        let session = try await LibrarySession(.host, photos: 2)
        try await session.setPermission("yes", of: "")
        let result = try await session.picker.session.run(
            "busctl",
            [
                "--address=\(session.picker.session.bus.address)", "--json=short", "call",
                "org.freedesktop.portal.PhotoPicker", "/org/freedesktop/portal/desktop",
                "org.freedesktop.portal.PhotoLibrary", "GetAlbums", "a{sv}", "0",
            ])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains(#""id":{"type":"s","data":"all"}"#))
    }
}

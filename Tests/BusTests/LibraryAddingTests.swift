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

/// Photos that apps add; the names begin with the ids of the behaviours.
@Suite(.serialized) struct LibraryAddingTests {
    @Test func `S3.3 S3.8 S3.9 S3.19 one change set adds photos and puts them into an album`()
        async throws
    {
        let session = try await LibrarySession(.host)
        let ids = try await session.open()
        let results = try await session.library.perform([
            Self.adding("dates/canon.jpg", as: "first"),
            Self.adding("formats/blocks.png", as: "second"),
            ChangeOperation(
                "ensure-album", ["title": "Sicily".variant, "placeholder": "it".variant]),
            ChangeOperation(
                "insert-assets",
                ["album": "@it".variant, "assets": ["@second", ids[0], "@first"].variant]),
            ChangeOperation(
                "set-favorite", ["assets": ["@first"].variant, "favorite": true.variant]),
        ])
        let added = results.prefix(2).compactMap { $0.value("asset", as: String.self) }
        try #require(added.count == 2)
        let album = try #require(results[2].value("album", as: String.self))
        let members = try await session.library.assets(in: album).assets
        #expect(members.compactMap { $0.value("id") } == [added[1], ids[0], added[0]])
        let favorites = try await session.library.assets(in: "favorites").assets
        #expect(favorites.compactMap { $0.value("id") } == [added[0]])
        #expect(try await session.library.assets(in: "all").total == 7)
        // Named by date and content, readable as other pictures are, and complete.
        let names = try await session.library.assets(added).compactMap {
            $0.value("name", as: String.self)
        }
        let taken = /20\d{6}-\d{6}-[0-9a-f]{8}\.jpg/
        #expect(try taken.wholeMatch(in: names.first { $0.hasSuffix("jpg") } ?? "") != nil)
        for name in names {
            let path = session.picker.home.pictures.appending(name)
            let fixture = name.hasSuffix("jpg") ? "dates/canon.jpg" : "formats/blocks.png"
            let wanted = try Fixtures.bytes(fixture)
            #expect(try Descriptor.openForReading(path).read(upTo: 1 << 20) == wanted)
        }
        #expect(hidden(session) == [])
        // The index finds what it knows already.
        #expect(try await session.picker.service.stop() == 0)
        _ = try await session.picker.session.startService()
        try await eventually("the photos") {
            try await session.library.assets(in: "all").total == 7
        }
        let again = try await session.library.assets(in: album).assets
        #expect(again.compactMap { $0.value("id") } == [added[1], ids[0], added[0]])
    }

    @Test func `S5.5 a photo that is added again is the same photo`() async throws {
        let session = try await LibrarySession(.host)
        let ids = try await session.open()
        func add(_ fixture: String) async throws -> String {
            try #require(
                try await session.library.perform([Self.adding(fixture)]).first?
                    .value("asset", as: String.self))
        }
        let first = try await add("formats/blocks.png")
        #expect(try await add("formats/blocks.png") == first)
        #expect(names(in: session.picker.home.pictures).count == 6)
        // The folder has it under another name.
        let known = try MemoryFile.make(
            named: "known", holding: try Fixtures.bytes("jpeg/grey.jpg") + [1])
        let result = try await session.library.perform([
            ChangeOperation("create-asset", ["file": known.variant])
        ])
        #expect(ids.contains(result[0].value("asset") ?? ""))
        #expect(names(in: session.picker.home.pictures).count == 6)
        // Another folder has it.
        try session.picker.home.write(
            Fixtures.bytes("formats/blocks.bmp"),
            to: session.picker.home.pictures.appending("Trip/blocks.bmp"))
        let elsewhere = try await eventually("the photo in another folder") {
            let assets = try await session.library.assets(in: "all").assets
            return assets.first { $0.value("name") == "blocks.bmp" }?.value("id", as: String.self)
        }
        #expect(try await add("formats/blocks.bmp") == elsewhere)
        // Twice in one set, and by eight programs at once; its date names it.
        let twice = try await session.library.perform([
            Self.adding("dates/canon.jpg"), Self.adding("dates/canon.jpg"),
        ])
        #expect(Set(twice.compactMap { $0.value("asset", as: String.self) }).count == 1)
        let picture = Fixtures.path("dates/canon.jpg").string
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    try await session.picker.session.run("portal-pick", ["save", picture, picture])
                }
            }
            var added: Set<Substring> = []
            for try await program in group {
                #expect(program.status == 0, "\(program.errors)")
                added.formUnion(program.output.split(separator: "\n"))
            }
            #expect(added.count == 1)
        }
        #expect(names(in: session.picker.home.pictures).count == 9)
        #expect(try await session.library.assets(in: "all").total == 8)
        #expect(hidden(session) == [])
    }

    @Test func `a photo that differs only in its middle is another photo, and its file is kept`()
        async throws
    {
        let session = try await LibrarySession(.host)
        _ = try await session.open()
        // Of the same date, size, beginning and end.
        let photo = try Fixtures.bytes("dates/canon.jpg") + [UInt8](repeating: 0, count: 200_000)
        var added: Set<String> = []
        for round in 0..<3 {
            var other = photo
            other[photo.count - 100_000] = UInt8(round)
            // Twice, the second time without effect.
            for _ in 0..<2 {
                let file = try MemoryFile.make(named: "photo", holding: other)
                let result = try await session.library.perform([
                    ChangeOperation("create-asset", ["file": file.variant])
                ])
                added.insert(result[0].value("asset") ?? "")
            }
            let names = names(in: session.picker.home.pictures)
            #expect(names.count == 6 + round)
            let contents = try names.map {
                try Descriptor.openForReading(session.picker.home.pictures.appending($0))
                    .read(upTo: 1 << 20)
            }
            #expect(contents.contains(other), "\(round)")
        }
        #expect(hidden(session) == [])
    }

    @Test func `what is no photo is refused, and nothing of the change set is done`()
        async throws
    {
        let session = try await LibrarySession(.host)
        _ = try await session.open()
        let home = session.picker.home
        func file(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
            let path = home.scratch.appending(name)
            try home.write(bytes, to: path)
            return path
        }
        let photo = try Fixtures.bytes("formats/blocks.jpg")
        var pipes: [CInt] = [0, 0]
        var sockets: [CInt] = [0, 0]
        try #require(pipe(&pipes) == 0)
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        func own(_ number: CInt) -> Descriptor {
            Descriptor(owning: FileDescriptor(rawValue: number))
        }
        func opened(_ path: FilePath, _ flags: CInt) -> Descriptor {
            own(open(path.string, flags | O_CLOEXEC))
        }
        let sparse = try file("sparse.jpg", photo)
        try #require(truncate(sparse.string, 5 << 30) == 0)
        let kept = try file("kept.jpg", photo)
        let cases: [(String, Descriptor, String)] = [
            ("folder", try Descriptor.openFolder(home.pictures), "regular file"),
            ("pipe", own(pipes[0]), "regular file"),
            ("socket", own(sockets[0]), "regular file"),
            ("process", opened("/proc/self/status", O_RDONLY), "regular file"),
            ("device", opened("/dev/zero", O_RDONLY), "regular file"),
            ("empty", opened(try file("empty.jpg", []), O_RDONLY), "empty"),
            ("text", opened(try file("text.jpg", Array("Hello".utf8)), O_RDONLY), "not supported"),
            ("header", opened(try file("h.jpg", Array(photo.prefix(300))), O_RDONLY), "damaged"),
            ("for writing", opened(kept, O_WRONLY), "cannot be read"),
            ("a path", opened(kept, 0o10_000_000), "cannot be read"),
            ("sparse", opened(sparse, O_RDONLY), "4294967296"),
        ]
        let before = names(in: home.pictures).map(\.string).sorted()
        for (name, descriptor, text) in cases {
            let error = await #expect(throws: DBusError.self, "\(name)") {
                try await session.library.perform([
                    ChangeOperation("create-album", ["title": "Sicily".variant]),
                    Self.adding("formats/blocks.png"),
                    ChangeOperation("create-asset", ["file": descriptor.variant]),
                ])
            }
            #expect(error?.name == .portalInvalidArgument, "\(name)")
            #expect(error?.message.contains(text) == true, "\(name): \(error?.message ?? "")")
            #expect(error?.message.hasPrefix("Change 2: ") == true, "\(error?.message ?? "")")
        }
        // A later operation is not possible.
        for later in [
            ChangeOperation("delete-album", ["album": "user-0".variant]),
            ChangeOperation(
                "insert-assets", ["album": "@it".variant, "assets": ["@it"].variant]),
            ChangeOperation("create-asset", [:]),
            ChangeOperation("create-asset", ["file": "x".variant]),
        ] {
            await #expect(throws: DBusError.self) {
                try await session.library.perform([
                    Self.adding("formats/blocks.png", as: "it"), later,
                ])
            }
        }
        #expect(names(in: home.pictures).map(\.string).sorted() == before)
        #expect(hidden(session) == [])
        #expect(try await session.library.assets(in: "all").total == 5)
        #expect(try await session.library.albums().allSatisfy { $0.value("kind") != "user" })
        for number in [pipes[1], sockets[1]] { close(number) }
        // A memory file is a file.
        let memory = try MemoryFile.make(named: "photo", holding: photo)
        let result = try await session.library.perform([
            ChangeOperation("create-asset", ["file": memory.variant])
        ])
        #expect(result[0].value("asset", as: String.self) != nil)
    }

    @Test func `S3.3 S3.8 SaveImage adds to the folder and the album of the app`() async throws {
        let session = try await LibrarySession(.flatpak)
        let home = session.picker.home
        try home.write(
            Array("[Desktop Entry]\nType=Application\nName=Fake/Photos\nExec=true\n".utf8),
            to: home.data.appending("applications").appending("org.example.Fake.desktop"))
        _ = try await session.picker.session.startBackend("allow")
        // Asked once, for adding alone.
        let first = try await save("formats/blocks.jpg", in: session)
        #expect(first.code == 0, "\(first)")
        let second = try await save("formats/blocks.png", in: session)
        #expect(second.code == 0, "\(second)")
        #expect(first.album == second.album)
        #expect(await session.errors() == [.portalNotAllowed])
        let folder = home.pictures.appending("Fake-Photos")
        #expect(names(in: folder).count == 2)
        // Whoever may read finds the album, with the same ids.
        try await session.setPermission("yes", of: "org.example.Fake")
        let album = try #require(
            try await session.library.albums().first { $0.value("title") == "Fake-Photos" })
        #expect(album.value("id", as: String.self) == first.album)
        #expect(album.value("kind", as: String.self) == "folder")
        let assets = try await session.library.assets(in: first.album ?? "").assets
        #expect(
            Set(assets.compactMap { $0.value("id", as: String.self) }) == [first.id, second.id])
        // And a limited app finds what it added.
        try await session.setPermission("limited", of: "org.example.Fake")
        #expect(try await session.library.assets(in: "all").total == 2)
    }

    @Test func `SaveImage of an app that may not add adds nothing`() async throws {
        let session = try await LibrarySession(.flatpak)
        _ = try await session.picker.session.startBackend("deny")
        #expect(try await save("formats/blocks.jpg", in: session).code == 1)
        let again = try await save("formats/blocks.jpg", in: session)
        #expect(again.errors.contains("org.freedesktop.portal.Error.NotAllowed"))
        #expect(names(in: session.picker.home.pictures).count == 5)
        try await session.setPermission("yes", of: "org.example.Fake", for: "add")
        let text = session.picker.home.scratch.appending("text.jpg")
        try session.picker.home.write(Array("Hello".utf8), to: text)
        let refused = try await save(text, in: session)
        #expect(refused.code == 2)
        #expect(refused.message?.contains("not supported") == true)
        #expect(names(in: session.picker.home.pictures).filter { $0.string == "Fake" }.isEmpty)
    }

    @Test func `portal-pick save adds files`() async throws {
        let session = try await LibrarySession(.host)
        try await session.setPermission("yes", of: "", for: "add")
        let paths = ["formats/blocks.jpg", "formats/blocks.png"].map { Fixtures.path($0).string }
        let saved = try await session.picker.session.run("portal-pick", ["save"] + paths)
        #expect(saved.status == 0, "\(saved.errors)")
        let ids = saved.output.split(separator: "\n").map(String.init)
        #expect(ids.count == 2)
        let missing = try await session.picker.session.run(
            "portal-pick", ["save", "/nowhere.jpg", paths[0]])
        #expect(missing.status == 2)
        #expect(missing.output.isEmpty)
        #expect(missing.errors.contains("/nowhere.jpg"))
        try await session.setPermission("yes", of: "")
        #expect(try await session.library.assets(ids).count == 2)
    }

    // MARK: -

    private static func adding(
        _ fixture: String, as placeholder: String? = nil
    ) -> ChangeOperation {
        var options: Vardict = [:]
        // A fixture that is missing is an option that is missing.
        options["file"] = (try? Descriptor.openForReading(Fixtures.path(fixture)))?.variant
        options["placeholder"] = placeholder?.variant
        return ChangeOperation("create-asset", options)
    }

    /// What is on its way in the folders for pictures.
    private func hidden(_ session: LibrarySession) -> [String] {
        names(in: session.picker.home.pictures).map(\.string).filter { $0.hasPrefix(".") }
    }

    private struct Saved {
        var code: Int?
        var id = ""
        var album: String?
        var message: String?
        var errors = ""
    }

    private func save(_ fixture: String, in session: LibrarySession) async throws -> Saved {
        try await save(Fixtures.path(fixture), in: session)
    }

    /// Saves a file as an app in a sandbox, whose library for D-Bus passes descriptors.
    private func save(_ file: FilePath, in session: LibrarySession) async throws -> Saved {
        let app = try #require(session.picker.app)
        let script = """
            import dbus, dbus.mainloop.glib, sys
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus, loop = dbus.SessionBus(), GLib.MainLoop()
            def respond(code, results):
                print(int(code), results.get("id", "-"), results.get("album", "-"),
                    results.get("message", "-"), sep="\\t")
                loop.quit()
            bus.add_signal_receiver(
                respond, "Response", "org.freedesktop.portal.Request")
            portal = dbus.Interface(
                bus.get_object(
                    "org.freedesktop.portal.PhotoPicker", "/org/freedesktop/portal/desktop"),
                "org.freedesktop.portal.PhotoLibrary")
            with open(sys.argv[1], "rb") as photo:
                portal.SaveImage("", dbus.types.UnixFd(photo), {})
            GLib.timeout_add_seconds(60, loop.quit)
            loop.run()
            """
        let run = try await app.run(
            "python3", ["-c", script, file.string], files: [file])
        var saved = Saved(errors: run.errors)
        let fields = run.output.split(separator: "\n").first?.split(separator: "\t")
            .map(String.init)
        guard let fields, fields.count == 4 else { return saved }
        saved.code = Int(fields[0])
        saved.id = fields[1]
        saved.album = fields[2] == "-" ? nil : fields[2]
        saved.message = fields[3]
        return saved
    }
}

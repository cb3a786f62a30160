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

/// `SaveImage`: its request, its album, and what stops it; the names begin with the ids of the behaviours.
@Suite(.serialized) struct LibrarySavingTests {
    @Test func `S3.5 SaveImage returns a handle at once, and the response tells the outcome`()
        async throws
    {
        let session = try await LibrarySession(.host)
        let backend = try await session.picker.session.startBackend("delay 300ms; allow")
        let client = session.picker.client
        let photo = try Fixtures.open("formats/blocks.jpg")
        let handle = try await client.connection.call(
            PhotoLibraryInterface.saveImage, to: PhotoPickerInterface.busName,
            at: PhotoPickerInterface.path, on: PhotoLibraryInterface.interface.name,
            Arguments("", photo, ["handle_token": "mine".variant])
        ).values
        // The person has not answered yet.
        #expect(client.responses.count == 0)
        #expect(names(in: session.picker.home.pictures).count == 5)
        let response = try await client.response(handle)
        #expect(response.code == 0)
        #expect(response.results.value("id", as: String.self) != nil)
        #expect(names(in: session.picker.home.pictures).count == 6)
        #expect(backend.events.count == 1)
        // The command waits for it, and tells success and failure by its exit status.
        let saved = try await session.picker.session.run(
            "portal-pick", ["save", Fixtures.path("formats/blocks.png").string])
        #expect(saved.status == 0, "\(saved.errors)")
        #expect(names(in: session.picker.home.pictures).count == 7)
        let text = session.picker.home.scratch.appending("text.jpg")
        try session.picker.home.write(Array("Hello".utf8), to: text)
        let refused = try await session.picker.session.run("portal-pick", ["save", text.string])
        #expect(refused.status == 2)
        #expect(refused.errors.contains(text.string))
        // An id is hardly the title of an album.
        let untitled = try await session.picker.session.run(
            "portal-pick", ["add", String(repeating: "0a", count: 16)])
        #expect(untitled.status == 64)
        #expect(untitled.errors.contains("title"))
        #expect(refused.errors.contains("not supported"))
    }

    @Test(arguments: CallerKind.allCases)
    func `S3.5 an app goes on while the person is asked, and is told the outcome`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let backend = try await session.picker.session.startBackend("delay 300ms; allow")
        let text = session.picker.home.scratch.appending("text.jpg")
        try session.picker.home.write(Array("Hello".utf8), to: text)
        let answers = try await session.answers(
            to: """
                def save(path, token):
                    with open(path, "rb") as photo:
                        return library.SaveImage(
                            "", dbus.types.UnixFd(photo), {"handle_token": token})
                handle = save(sys.argv[1], "mine")
                while GLib.MainContext.default().iteration(False):
                    pass
                show("handle", handle.endswith("/mine"), handle in responses)
                code, results = wait(handle)
                show("saved", code, len(results["id"]))
                code, results = wait(save(sys.argv[2], "other"))
                show("refused", code, "id" in results)
                """, [Fixtures.path("formats/blocks.jpg"), text])
        #expect(answers == ["handle True False", "saved 0 32", "refused 2 False"])
        #expect(backend.events.count == 1)
        let folders = names(in: session.picker.home.pictures).map {
            session.picker.home.pictures.appending($0)
        }
        // An app in a sandbox has a folder of its own.
        let photos = folders.flatMap { folder in
            folder.extension == nil
                ? names(in: folder).map { folder.appending($0) } : [folder]
        }
        #expect(photos.count == 6, "\(photos)")
    }

    /// The person was asked, and what they allowed failed.
    @Test func `S3.8 nobody is asked about a descriptor that is none of a file`() async throws {
        let session = try await LibrarySession(.host)
        let backend = try await session.picker.session.startBackend("allow")
        let client = session.picker.client
        let scratch = session.picker.home.scratch
        let empty = scratch.appending("empty")
        try session.picker.home.write([], to: empty)
        let writable = scratch.appending("writable.jpg")
        try session.picker.home.write(Fixtures.bytes("formats/blocks.jpg"), to: writable)
        var pipes: [CInt] = [0, 0]
        try #require(pipe(&pipes) == 0)
        defer { close(pipes[1]) }
        let photo = Fixtures.path("formats/blocks.jpg")
        let files: [(String, Descriptor, String)] = [
            ("/dev/zero", try Descriptor.openForReading("/dev/zero"), "regular file"),
            ("folder", try Descriptor.openFolder(session.picker.home.pictures), "regular file"),
            ("pipe", Descriptor(owning: FileDescriptor(rawValue: pipes[0])), "regular file"),
            ("process", try Descriptor.openForReading("/proc/self/status"), "regular file"),
            ("empty", try Descriptor.openForReading(empty), "empty"),
            (
                "only for writing",
                Descriptor(owning: FileDescriptor(rawValue: open(writable.string, O_WRONLY))),
                "cannot be read"
            ),
        ]
        for (name, file, text) in files {
            let error = await #expect(throws: DBusError.self, "\(name)") {
                try await RequestClient(on: client.connection).save(file, options: [:])
            }
            #expect(error?.name == .portalInvalidArgument)
            #expect(error?.message.contains(text) == true, "\(name): \(error?.message ?? "")")
        }
        #expect(backend.events.isEmpty)
        // What can be one is asked about.
        let answer = try await RequestClient(on: client.connection)
            .save(Descriptor.openForReading(photo), options: [:])
        #expect(answer.code == .success)
        #expect(backend.events.count == 1)
    }

    @Test(arguments: CallerKind.allCases)
    func `S3.18 nothing of a change set stays after its first error`(
        kind: CallerKind
    ) async throws {
        let session = try await LibrarySession(kind)
        let ids = try await session.open()
        let unknown = "00112233445566778899aabbccddeeff"
        let error = await #expect(throws: DBusError.self) {
            try await session.library.perform([
                ChangeOperation(
                    "ensure-album", ["title": "Sicily".variant, "placeholder": "it".variant]),
                ChangeOperation(
                    "set-favorite", ["assets": [ids[0]].variant, "favorite": true.variant]),
                ChangeOperation(
                    "insert-assets", ["album": "@it".variant, "assets": [ids[0], unknown].variant]),
                // Not possible either, but not the first.
                ChangeOperation("delete-album", ["album": "user-0".variant]),
            ])
        }
        #expect(error?.message.hasPrefix("Change 2: ") == true, "\(error?.message ?? "")")
        #expect(try await session.library.albums().allSatisfy { $0.value("kind") != "user" })
        #expect(try await session.library.assets([ids[0]]).first?.value("favorite") == false)
    }

    @Test func `S3.18 a change set stops at its first error, and no later change sees it`()
        async throws
    {
        let session = try await LibrarySession(.host)
        let ids = try await session.open()
        let text = try MemoryFile.make(named: "text", holding: Array("Hello".utf8))
        func adding(_ file: Descriptor, _ name: String) -> ChangeOperation {
            ChangeOperation(
                "create-asset", ["file": file.variant, "placeholder": name.variant])
        }
        let error = await #expect(throws: DBusError.self) {
            try await session.library.perform([
                ChangeOperation(
                    "ensure-album", ["title": "Sicily".variant, "placeholder": "it".variant]),
                adding(try Fixtures.open("formats/blocks.png"), "good"), adding(text, "bad"),
                ChangeOperation(
                    "insert-assets",
                    ["album": "@it".variant, "assets": [ids[0], "@good", "@bad"].variant]),
                // Not possible either, but not the first.
                ChangeOperation("delete-album", ["album": "user-0".variant]),
            ])
        }
        #expect(error?.message.hasPrefix("Change 2: ") == true, "\(error?.message ?? "")")
        #expect(try await session.library.albums().allSatisfy { $0.value("kind") != "user" })
        #expect(names(in: session.picker.home.pictures).count == 5)
        #expect(try await session.library.assets(in: "all").total == 5)
    }

    @Test
    func `S3.7 S3.9 S3.19 SaveImage adds to an album with a title, photo and album or neither`()
        async throws
    {
        let session = try await LibrarySession(.host)
        try await session.setPermission("yes", of: "", for: "add")
        func save(
            _ fixture: String, _ title: Variant
        ) async throws(DBusError) -> RequestClient.Answer {
            guard let photo = try? Fixtures.open(fixture) else { throw .failed("no fixture") }
            return try await RequestClient(on: session.picker.client.connection)
                .save(photo, options: ["album": title])
        }
        let first = try await save("formats/blocks.jpg", "Sicily".variant)
        #expect(first.code == .success, "\(first)")
        let second = try await save("formats/blocks.png", "Sicily".variant)
        let album = try #require(first.results.value("album", as: String.self))
        #expect(second.results.value("album") == album)
        // An app that may only add sees nothing of it.
        #expect(await session.errors() == [.portalNotAllowed])
        for (fixture, title, name) in [
            ("formats/blocks.webp", "".variant, ErrorName.portalInvalidArgument),
            ("formats/blocks.webp", "a\nb".variant, .portalInvalidArgument),
            ("formats/blocks.webp", " \u{200B}".variant, .portalInvalidArgument),
            ("formats/blocks.webp", true.variant, .portalInvalidArgument),
        ] {
            let error = await #expect(throws: DBusError.self) { try await save(fixture, title) }
            #expect(error?.name == name)
        }
        let count = names(in: session.picker.home.pictures).count
        #expect(count == 7)
        try await session.setPermission("yes", of: "")
        let members = try await session.library.assets(in: album).assets
        #expect(
            members.map { $0.value("id", as: String.self) }
                == [first, second].map { $0.results.value("id", as: String.self) })
        let titles = try await session.library.albums().filter { $0.value("kind") == "user" }
        #expect(titles.map { $0.value("title", as: String.self) } == ["Sicily"])
        let text = session.picker.home.scratch.appending("text.jpg")
        try session.picker.home.write(Array("Hello".utf8), to: text)
        let refused = try await session.picker.session.run(
            "portal-pick", ["save", "--album", "Rome", text.string])
        #expect(refused.status == 2)
        let saved = try await session.picker.session.run(
            "portal-pick", ["save", "--album", "Rome", Fixtures.path("formats/blocks.webp").string])
        #expect(saved.status == 0, "\(saved.errors)")
        let albums = try await session.library.albums().filter { $0.value("kind") == "user" }
        #expect(albums.map { $0.value("title", as: String.self) } == ["Rome", "Sicily"])
        #expect(albums.map { $0.value("count", as: UInt64.self) } == [1, 2])
    }
}

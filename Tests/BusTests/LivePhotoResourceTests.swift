// SPDX-License-Identifier: MIT

import Desktop
import Files
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Live Photos and motion photos, as apps see them.
@Suite(.serialized) struct LivePhotoResourceTests {
    @Test(arguments: CallerKind.allCases)
    func `an app sees one photo, and opens its picture or its video`(kind: CallerKind) async throws
    {
        let session = try await session(
            kind, ["a.jpg": "live/photo.jpg", "a.mov": "live/video.mov"])
        let asset = try await asset(in: session)
        #expect(asset.value("media_type") == "image/jpeg")
        #expect(asset.value("resources") == ["primary", "paired-video"])
        let id: String = try #require(asset.value("id"))
        let video = try await open(id, .pairedVideo, in: session)
        #expect(video.type == "video/quicktime")
        #expect(video.name == "a.mov")
        #expect(try video.content == Fixtures.bytes("live/video.mov"))
        let picture = try await open(id, .primary, in: session)
        #expect(picture.name == "a.jpg")
        #expect(try picture.content == Fixtures.bytes("live/photo.jpg"))
        let albums = try await session.library.albums()
        #expect(albums.first { $0.value("id") == "live" }?.value("count") == UInt64(1))
        #expect(!albums.contains { $0.value("id") == "videos" })
        let videos = try await session.library.assets(
            in: "all", ["media_types": ["video/*"].variant])
        #expect(videos.total == 0)
    }

    @Test func `a command writes the video`() async throws {
        let session = try await session(
            .host, ["a.jpg": "live/photo.jpg", "a.mov": "live/video.mov"])
        let id: String = try #require(try await asset(in: session).value("id"))
        let bus = session.picker.session
        let command = try ChildProcess(
            Programs.path("portal-pick"), ["read", "--video", id], environment: bus.environment,
            scratch: bus.home.scratch)
        #expect(try await command.exitStatus() == 0, "\(command.errorText)")
        #expect(
            try content(Descriptor.openForReading(command.output))
                == Fixtures.bytes("live/video.mov"))
    }

    @Test func `an app in a sandbox gets a video without the location`() async throws {
        let session = try await session(.flatpak, ["a.jpg": "live/photo.jpg"]) { home in
            try home.write(
                Fixtures.bytes("live/video.mov"), to: home.pictures.appending("a.mov"))
            try ExifTool.run([
                "-n", "-overwrite_original", "-Keys:GPSCoordinates=48.8584 2.2945 35",
                home.pictures.appending("a.mov").string,
            ])
        }
        let id: String = try #require(try await asset(in: session).value("id"))
        let bytes = try await open(id, .pairedVideo, in: session).content
        let original = try content(
            Descriptor.openForReading(session.picker.home.pictures.appending("a.mov")))
        #expect(original.contains(Self.place))
        #expect(bytes.count == original.count)
        #expect(!bytes.contains(Self.place))
        // What pairs it with its picture stays.
        #expect(bytes.contains(Array("11111111-2222".utf8)))
    }

    @Test(arguments: CallerKind.allCases)
    func `the video of a motion photo is copied out of its file`(kind: CallerKind) async throws {
        let session = try await session(kind, ["PXL.MP.jpg": "motion/google.jpg"])
        let asset = try await asset(in: session)
        #expect(asset.value("resources") == ["primary", "paired-video"])
        let id: String = try #require(asset.value("id"))
        let video = try await open(id, .pairedVideo, in: session)
        #expect(video.type == "video/mp4")
        #expect(video.name == "PXL.MP.mp4")
        #expect(try video.content == Fixtures.bytes("motion/video.mp4"))
        #expect(!video.isWritable)
    }

    @Test(arguments: [
        ["a.jpg": "live/photo.jpg", "a.mov": "live/video.mov"], ["a.jpg": "motion/google.jpg"],
    ])
    func `the video is still there while a photo has an adjusted version`(files: [String: String])
        async throws
    {
        let session = try await session(.host, files)
        let id: String = try #require(try await asset(in: session).value("id"))
        let video = try await open(id, .pairedVideo, in: session).content
        _ = try await session.library.perform([
            Adjusting.set(id, "formats/blocks.png", data: [])
        ])
        let adjusted = try await asset(in: session)
        #expect(adjusted.value("media_type") == "image/png")
        #expect(adjusted.value("resources") == ["primary", "paired-video"])
        #expect(try await open(id, .pairedVideo, in: session).content == video)
    }

    @Test
    func `a limited app sees the picture alone, and a photo without a video has none to open`()
        async throws
    {
        let session = try await session(
            .host, ["a.jpg": "live/photo.jpg", "a.mov": "live/video.mov"])
        let id: String = try #require(try await asset(in: session).value("id"))
        _ = try await session.picker.session.startBackend("pick ids \(id)")
        let client = session.picker.client
        #expect(try await client.response(client.pick()).code == 0)
        try await session.setPermission("limited", of: "")
        try await eventually("what was given") {
            try await session.library.assets(in: "all").total == 1
        }
        let refused = await #expect(throws: DBusError.self) {
            _ = try await session.library.open(id, .current, .pairedVideo)
        }
        #expect(refused?.name == .portalNotAllowed)
        try await session.setPermission("yes", of: "")
        try AtomicFile.remove(session.picker.home.pictures.appending("a.mov"))
        try await eventually("the picture alone") {
            try await asset(in: session).value("resources") == ["primary"]
        }
        let missing = await #expect(throws: DBusError.self) {
            _ = try await session.library.open(id, .current, .pairedVideo)
        }
        #expect(missing?.name == .portalNotFound)
    }

    @Test func `both files are deleted together`() async throws {
        let session = try await session(
            .host, ["a.jpg": "live/photo.jpg", "a.mov": "live/video.mov"])
        let id: String = try #require(try await asset(in: session).value("id"))
        _ = try await session.picker.session.startBackend("allow")
        let deleted = try await RequestClient(on: session.picker.client.connection).delete([id])
        #expect(deleted.code == .success, "\(deleted)")
        let trash = session.picker.home.data.appending("Trash").appending("files")
        #expect(
            Set(try Directory.entries(of: trash).map(\.name.string)) == ["a.jpg", "a.mov"])
    }

    @Test(arguments: CallerKind.allCases)
    func `a request for videos alone does not deliver the video of a Live Photo`(kind: CallerKind)
        async throws
    {
        let session = try await session(
            kind, ["a.jpg": "live/photo.jpg", "a.mov": "live/video.mov"])
        let picker = session.picker
        _ = try await picker.session.startBackend("pick newest 1", "pick newest 1")
        let videos = try await picker.client.response(
            picker.client.pick(["media_types": ["video/*"].variant]))
        #expect(Delivery(videos.results)?.items.isEmpty != false, "\(videos)")
        let both = try await picker.client.response(
            picker.client.pick(["media_types": ["image/*", "video/*"].variant]))
        let item = try #require(Delivery(both.results)?.items.first, "\(both)")
        #expect(item.mediaType == .jpeg)
        #expect(item.name == "a.jpg")
    }

    // MARK: -

    private static let place = Array("+48.8584+002.2945".utf8)

    private func session(
        _ kind: CallerKind, _ files: [String: String],
        prepare: (TestHome) async throws -> Void = { _ in }
    ) async throws -> LibrarySession {
        let home = try TestHome()
        for (name, fixture) in files {
            try home.write(Fixtures.bytes(fixture), to: home.pictures.appending(name))
        }
        try await prepare(home)
        return try await LibrarySession(kind, photos: 0, home: home)
    }

    /// The only photo, when all of its files are known.
    private func asset(in session: LibrarySession) async throws -> Vardict {
        _ = try await session.open()
        return try #require(try await session.library.assets(in: "all").assets.first)
    }

    /// What an app gets when it opens a resource.
    private struct Opened {
        let type: String?
        let name: String?
        let isWritable: Bool
        let content: [UInt8]
    }

    /// Opens a resource, in a sandbox with a library for D-Bus that passes descriptors there.
    private func open(
        _ id: String, _ role: ResourceRole, in session: LibrarySession
    ) async throws -> Opened {
        guard let app = session.picker.app else {
            let (file, results) = try await session.library.open(id, .current, role)
            let isWritable = (try? file.fileDescriptor.writeAll([0])) != nil
            return Opened(
                type: results.value("media_type"), name: results.value("name"),
                isWritable: isWritable, content: try content(file))
        }
        let script = """
            import dbus, os, sys
            portal = dbus.Interface(
                dbus.SessionBus().get_object(
                    "org.freedesktop.portal.PhotoPicker", "/org/freedesktop/portal/desktop"),
                "org.freedesktop.portal.PhotoLibrary")
            file, results = portal.OpenAsset(sys.argv[1], {"resource": sys.argv[2]})
            fd = file.take()
            content = os.read(fd, int(results["size"]) + 1)
            try:
                os.open(f"/proc/self/fd/{fd}", os.O_WRONLY)
                os.write(fd, b"0")
                print("writable")
            except OSError:
                print("sealed")
            print(results["media_type"], results["name"], content.hex(), sep="\\n")
            """
        let run = try await app.run("python3", ["-c", script, id, role.rawValue])
        let lines = run.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 4, "\(run)")
        return Opened(
            type: lines[1], name: lines[2], isWritable: lines[0] == "writable",
            content: Self.bytes(ofHex: lines[3]))
    }

    private static func bytes(ofHex text: String) -> [UInt8] {
        let digits = text.compactMap { $0.hexDigitValue.map { UInt8($0) } }
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            digits[$0] << 4 | digits[$0 + 1]
        }
    }

    private func content(_ file: Descriptor) throws -> [UInt8] {
        try file.read(upTo: 1 << 20)
    }
}

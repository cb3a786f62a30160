// SPDX-License-Identifier: MIT

import Desktop
import ImageWork
import Photos
import Platform
import SystemPackage
import TestSupport
import Testing
import Thumbnails

/// Other programs of the desktop read what we write, and we read what they write.
@Suite(.serialized) struct InteroperationTests {
    private let session: Session
    private let photo: FilePath
    private let cache: ThumbnailCache
    private let uri: String

    init() async throws {
        session = try await Session.start()
        photo = session.home.pictures.appending("ä b%.jpg")
        try session.home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: photo)
        cache = ThumbnailCache(folder: session.home.cache.appending("thumbnails"))
        uri = try #require(FileURI.make(photo))
    }

    @Test func `GIO says that our thumbnail is valid`() async throws {
        _ = try await load(.normal)
        let (status, output, _) = try await session.run(
            "gio", ["info", "-a", "thumbnail::*", photo.string])
        #expect(status == 0)
        #expect(output.contains("thumbnail::is-valid: TRUE"))
        #expect(output.contains("thumbnail::path: \(cache.path(of: uri, .normal))"))
    }

    @Test(arguments: [ThumbnailSize.normal, .large])
    func `GNOME's factory finds our thumbnail`(size: ThumbnailSize) async throws {
        _ = try await load(size)
        let found = try await factory(
            "print(factory.lookup(uri, mtime))", size)
        #expect(found == "\(cache.path(of: uri, size))\n")
    }

    @Test func `GNOME's factory finds no thumbnail of an older photo`() async throws {
        _ = try await load(.normal)
        #expect(try await factory("print(factory.lookup(uri, mtime + 1))", .normal) == "None\n")
    }

    @Test func `we use what GNOME's factory has written`() async throws {
        _ = try await factory(
            """
            pixbuf = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, False, 8, 50, 20)
            pixbuf.fill(0x3366ccff)
            factory.save_thumbnail(pixbuf, uri, mtime, None)
            """, .normal)
        #expect(try await load(.normal).size == PixelSize(width: 50, height: 20))
    }

    @Test func `we use what tumbler has written`() async throws {
        let tumbler = try session.start("/usr/lib/x86_64-linux-gnu/tumbler-1/tumblerd")
        try await session.waitForOwner(of: "org.freedesktop.thumbnails.Thumbnailer1", tumbler)
        let (status, _, errors) = try await session.run(
            "gdbus",
            [
                "call", "--session", "--dest", "org.freedesktop.thumbnails.Thumbnailer1",
                "--object-path", "/org/freedesktop/thumbnails/Thumbnailer1", "--method",
                "org.freedesktop.thumbnails.Thumbnailer1.Queue", "['\(uri)']", "['image/jpeg']",
                "normal", "default", "0",
            ])
        #expect(status == 0, "\(errors)")
        let path = cache.path(of: uri, .normal)
        let theirs = try await eventually("tumbler's thumbnail") { try? path.stat() }
        #expect(try await load(.normal).size == PixelSize(width: 128, height: 96))
        // Ours would be another file.
        #expect(try path.stat().inode == theirs.inode)
        try await tumbler.stop()
    }

    private func load(_ size: ThumbnailSize) async throws -> RawPicture {
        try await ThumbnailLoader(
            cache: cache,
            decoders: DecoderPool(
                program: FilePath(Programs.path("photo-portal-decoder")), workers: 1, idleTime: 0)
        ).thumbnail(of: photo, size, priority: .visible)
    }

    /// Runs some lines of Python with a thumbnail factory of libgnome-desktop.
    private func factory(_ lines: String, _ size: ThumbnailSize) async throws -> String {
        let script = session.home.scratch.appending("factory.py")
        try session.home.write(
            Array(
                """
                import gi, sys
                gi.require_version("GnomeDesktop", "4.0")
                from gi.repository import GdkPixbuf, GnomeDesktop
                uri, mtime = sys.argv[1], int(sys.argv[2])
                size = GnomeDesktop.DesktopThumbnailSize.\(size == .normal ? "NORMAL" : "LARGE")
                factory = GnomeDesktop.DesktopThumbnailFactory.new(size)
                \(lines)
                """.utf8), to: script)
        let (status, output, errors) = try await session.run(
            "/usr/bin/python3",
            [script.string, uri, "\(photo.stat().modifiedSeconds)"])
        try #require(status == 0, "\(errors)")
        return output
    }
}

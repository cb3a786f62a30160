// SPDX-License-Identifier: MIT

import Desktop
import Files
import ImageWork
import Photos
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

    /// GLib 2.74 reports the largest existing thumbnail.
    ///
    /// From 2.76 on each size has its own attributes, whose names begin with these.
    @Test(arguments: ThumbnailSize.allCases)
    func `GIO says that our thumbnail is valid, until the photo changes`(
        size: ThumbnailSize
    ) async throws {
        _ = try await load(size)
        let valid = try await thumbnailAttributes()
        #expect(valid.contains { $0.hasPrefix("thumbnail::is-valid") && $0.hasSuffix(": TRUE") })
        #expect(
            valid.contains {
                $0.hasPrefix("thumbnail::path") && $0.hasSuffix(": \(cache.path(of: uri, size))")
            })
        session.home.setDate(of: photo, 1_000_000)
        let stale = try await thumbnailAttributes()
        #expect(stale.contains { $0.hasPrefix("thumbnail::is-valid") && $0.hasSuffix(": FALSE") })
        #expect(!stale.contains { $0.hasSuffix(": TRUE") })
    }

    /// KIO reads with QImage: the URI unchanged, the date and the size as integers.
    @Test(arguments: ThumbnailSize.allCases)
    func `Qt reads the attributes that KDE checks`(size: ThumbnailSize) async throws {
        let picture = try await load(size)
        let (status, output, errors) = try await session.run(
            "/usr/bin/python3",
            [
                "-c",
                """
                import sys
                from PyQt5.QtGui import QImage
                image = QImage(sys.argv[1])
                print(image.text("Thumb::URI"), image.text("Thumb::MTime"),
                      image.text("Thumb::Size"), image.width(), image.height())
                """, cache.path(of: uri, size).string,
            ])
        try #require(status == 0, "\(errors)")
        let information = try photo.stat()
        #expect(
            output == """
                \(uri) \(information.modifiedSeconds) \(information.size) \(picture.size.width) \
                \(picture.size.height)

                """)
    }

    @Test(arguments: ThumbnailSize.allCases)
    func `GNOME's factory finds our thumbnail`(size: ThumbnailSize) async throws {
        _ = try await load(size)
        let found = try await factory(
            "print(factory.lookup(uri, mtime))", size)
        #expect(found == "\(cache.path(of: uri, size))\n")
    }

    @Test(arguments: ThumbnailSize.allCases)
    func `GNOME's factory finds no thumbnail of an older photo`(size: ThumbnailSize) async throws {
        _ = try await load(size)
        #expect(try await factory("print(factory.lookup(uri, mtime + 1))", size) == "None\n")
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
        // Our thumbnail would be another file.
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

    private static func gnomeName(of size: ThumbnailSize) -> String {
        size.folderName.replacing("-", with: "").uppercased()
    }

    /// The output of `gio` about the thumbnail, by line.
    private func thumbnailAttributes() async throws -> [String] {
        let (status, output, errors) = try await session.run(
            "gio", ["info", "-a", "thumbnail::*", photo.string])
        try #require(status == 0, "\(errors)")
        return output.split(separator: "\n").map { String($0.drop { $0 == " " }) }
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
                size = GnomeDesktop.DesktopThumbnailSize.\(Self.gnomeName(of: size))
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

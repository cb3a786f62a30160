// SPDX-License-Identifier: MIT

import Files
import Glibc
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// Links, mounts and depth: what belongs to the library is below its roots.
@Suite(.serialized) struct LinkTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test func `links that leave the roots are not followed`() async throws {
        try home.add(as: "seen.jpg", number: 1)
        let secrets = home.home.appending("Secrets")
        try home.write(
            Fixtures.bytes("jpeg/grey.jpg") + [2], to: secrets.appending("secret.jpg"))
        try Directory.make(home.downloads)
        symlink(home.home.string, home.downloads.appending("all").string)
        symlink("/", home.downloads.appending("root").string)
        symlink("../Secrets", home.pictures.appending("relative").string)
        symlink(
            secrets.appending("secret.jpg").string, home.downloads.appending("file.jpg").string)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        #expect(try await library.names() == ["seen.jpg"])
        #expect(try await library.reader.photos(in: SmartAlbum.recent.id).count == 1)
        await library.close()
    }

    @Test func `links between roots and inside a root are followed`() async throws {
        try home.write(
            Fixtures.bytes("jpeg/grey.jpg") + [1], to: home.downloads.appending("new/a.jpg"))
        try home.add(as: "2026/b.jpg", number: 2)
        symlink(
            home.downloads.appending("new").string, home.pictures.appending("fresh").string)
        symlink(
            home.pictures.appending("2026/b.jpg").string, home.pictures.appending("best.jpg").string
        )
        symlink("2026", home.pictures.appending("this year").string)
        let library = try LiveLibrary(home)
        let photos = try await library.settle(photos: 2)
        var paths: Set<FilePath> = []
        for id in photos.ids { paths.formUnion(try await library.reader.paths(of: id)) }
        // Each folder is visited once, under one of its names.
        #expect(paths.count == 3)
        #expect(paths.contains(home.pictures.appending("best.jpg")))
        #expect(paths.contains(home.pictures.appending("fresh/a.jpg")))
        await library.close()
    }

    @Test func `a Pictures folder that is itself a link is indexed`() async throws {
        let disk = home.root.appending("disk")
        removeTree(home.pictures)
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: disk.appending("deep/a.jpg"))
        symlink(disk.string, home.pictures.string)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 1)
        #expect(try await library.names() == ["a.jpg"])
        await library.close()
    }

    @Test func `a link brings no hidden folder in, but a hidden file of the same root`()
        async throws
    {
        try home.add(as: ".hidden/a.jpg", number: 1)
        try home.add(as: ".annex/objects/b", number: 2)
        try Directory.make(home.downloads)
        symlink(".hidden", home.pictures.appending("shown").string)
        symlink(
            home.pictures.appending(".hidden/a.jpg").string,
            home.downloads.appending("a.jpg").string)
        symlink(".annex/objects/b", home.pictures.appending("b.jpg").string)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        #expect(try await library.names() == ["b.jpg"])
        await library.close()
    }

    @Test func `a link to an excluded folder is not followed`() async throws {
        try home.add(as: "private/a.jpg")
        symlink("private", home.pictures.appending("link").string)
        let library = try LiveLibrary(home, excluded: [home.pictures.appending("private")])
        _ = try await library.settle(files: 0)
        await library.close()
    }

    @Test func `file systems of the kernel are not indexed`() async throws {
        try home.add(as: "a.jpg")
        let library = try LiveLibrary(home, others: ["/proc/self", "/sys/kernel"])
        _ = try await library.settle(files: 1)
        #expect(try await library.reader.albums().count { $0.kind != .smart } == 1)
        await library.close()
    }

    @Test func `folders without end are visited to a depth`() async throws {
        var folder = home.pictures
        for _ in 0..<100 { folder.append("d") }
        try home.write(Fixtures.bytes("jpeg/grey.jpg") + [1], to: folder.appending("deep.jpg"))
        try home.add(as: "d/d/d/d/d/d/d/d/d/d/a.jpg", number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        #expect(try await library.names() == ["a.jpg"])
        await library.close()
    }

    @Test func `a file that is exchanged for a link out of the roots is not opened`() throws {
        let secret = home.home.appending("secret.jpg")
        try home.write([1, 2, 3], to: secret)
        let path = try home.add(as: "a.jpg")
        let bounds = LibraryBounds(LibraryRoots(pictures: [home.pictures]))
        #expect(try bounds.open(path).read(upTo: 2) == [0xFF, 0xD8])
        symlink(secret.string, home.pictures.appending("b.jpg").string)
        try AtomicFile.rename(home.pictures.appending("b.jpg"), to: path)
        #expect(throws: Errno.permissionDenied) { try bounds.open(path) }
        // Nor through a folder.
        symlink(home.home.string, home.pictures.appending("up").string)
        #expect(throws: Errno.permissionDenied) {
            try bounds.open(home.pictures.appending("up/secret.jpg"))
        }
    }

    @Test func `an event in a linked folder does not make its photos appear twice`() async throws {
        try home.add(as: "a/one.jpg", number: 1)
        symlink(home.pictures.string, home.pictures.appending("a/loop").string)
        try home.add(as: "b.jpg", number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        try home.add(as: "a/three.jpg", number: 3)
        _ = try await library.settle(files: 3)
        #expect(try await library.reader.photos(in: .all).count == 3)
        await library.close()
    }
}

// SPDX-License-Identifier: MIT

import Files
import Glibc
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// Folders that take the places of others while the library runs.
@Suite(.serialized) struct ReplacedFolderTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    private func folder(_ name: String) -> FilePath { home.pictures.appending(name) }

    /// Puts `two` in the place of `one`, which leaves the library.
    private func replace() throws {
        try AtomicFile.rename(folder("one"), to: home.scratch.appending("out"))
        try AtomicFile.rename(folder("two"), to: folder("one"))
    }

    @Test func `no photo stays that was deep below a folder another has replaced`() async throws {
        try home.add(as: "one/below/deep/a.jpg", number: 1)
        try home.add(as: "two/below/b.jpg", number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 2)
        try replace()
        try await eventually("the other photo alone") { try await library.names() == ["b.jpg"] }
        await library.close()
    }

    @Test func `a folder of pictures that is a link is followed when it leads elsewhere`()
        async throws
    {
        try home.add(as: "one/a.jpg", number: 1)
        try home.add(as: "two/b.jpg", number: 2)
        let places = home.scratch.appending("places")
        try AtomicFile.rename(home.pictures, to: places)
        func lead(to name: String) throws {
            let link = home.scratch.appending("link")
            #expect(symlink(places.appending(name).string, link.string) == 0)
            try AtomicFile.rename(link, to: home.pictures)
        }
        try lead(to: "one")
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 1)
        try lead(to: "two")
        try await eventually("the other photo alone") { try await library.names() == ["b.jpg"] }
        // In a folder that takes the place of the link, too.
        try AtomicFile.remove(home.pictures)
        try AtomicFile.rename(places.appending("one"), to: home.pictures)
        try await eventually("the first photo") { try await library.names() == ["a.jpg"] }
        try home.add(as: "c.jpg", number: 3)
        try await eventually("a new photo") {
            try await Set(library.names()) == ["a.jpg", "c.jpg"]
        }
        await library.close()
    }

    @Test func `no photo stays whose folder was replaced by one that is left out`() async throws {
        try home.add(as: "one/below/a.jpg", number: 1)
        try home.write([], to: folder("two").appending("below").appending(".nomedia"))
        try home.add(as: "two/b.jpg", number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 2)
        try replace()
        try await eventually("the other photo alone") { try await library.names() == ["b.jpg"] }
        await library.close()
    }

    @Test func `photos come back with the folder that was replaced`() async throws {
        try home.add(as: "one/below/a.jpg", number: 1)
        try home.add(as: "two/below/b.jpg", number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 2)
        try replace()
        try await eventually("the other photo alone") { try await library.names() == ["b.jpg"] }
        try AtomicFile.rename(folder("one"), to: folder("two"))
        try AtomicFile.rename(home.scratch.appending("out"), to: folder("one"))
        try await eventually("both photos") {
            try await Set(library.names()) == ["a.jpg", "b.jpg"]
        }
        await library.close()
    }

    @Test func `a Pictures folder that is removed and made again is found`() async throws {
        try home.add(as: "a.jpg", number: 1)
        // If one of the roots were missing, the folder of all would be watched.
        try Directory.make(home.downloads)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 1)
        removeTree(home.pictures)
        _ = try await library.settle(photos: 0)
        try home.add(as: "b.jpg", number: 2)
        _ = try await library.settle(photos: 1)
        await library.close()
    }

    @Test(
        .enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)),
        arguments: [true, false])
    func `photos appear when their root may be read again`(isDeniedAtStart: Bool) async throws {
        let disk = try await StalledDisk.mount(at: home.scratch.appending("mounted"), of: home) {
            try home.write(
                Fixtures.bytes("jpeg/grey.jpg"), to: $0.appending("Photos").appending("a.jpg"))
        }
        try Directory.make(home.downloads)
        let root = home.scratch.appending("mounted").appending("Photos")
        func change(_ mode: UInt32) { #expect(root.withPlatformString { chmod($0, mode) } == 0) }
        if isDeniedAtStart { try disk.deny() }
        let library = try LiveLibrary(home, others: [root])
        _ = try await library.settle(files: isDeniedAtStart ? 0 : 1)
        if !isDeniedAtStart {
            try disk.deny()
            change(0o600)
            _ = try await library.settle(files: 0)
        }
        try disk.answer()
        change(0o700)
        _ = try await library.settle(files: 1)
        await library.close()
        try await disk.end()
    }
}

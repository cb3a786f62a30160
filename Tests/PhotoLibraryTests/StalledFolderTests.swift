// SPDX-License-Identifier: MIT

import Files
import Foundation
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// A disk inside a folder of the library that stops answering.
@Suite(
    .serialized, .enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
struct StalledFolderTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test(
        arguments: [StalledDisk.Call.getattr, .readdir, .open, .read], ["Slow", "Trip/Far/Slow"])
    func `while a disk in a folder does not answer, photos elsewhere are found`(
        call: StalledDisk.Call, place: String
    ) async throws {
        let disk = try await mount(place)
        // In the folder of the disk.
        let folder = FilePath(place).removingLastComponent()
        try home.add(as: folder.appending("z.jpg").string, number: 7)
        try disk.stall(call)
        try home.add(as: "a.jpg", number: 1)
        try home.add(as: "Zoo/b.jpg", number: 2)
        let library = try LiveLibrary(home, patience: .milliseconds(500))
        _ = try await library.settle(photos: 3)
        // What comes later is found, too.
        try home.add(as: "Later/c.jpg", number: 3)
        _ = try await library.settle(photos: 4)
        try disk.answer()
        try await eventually("the photos of the disk") {
            await library.request()
            return try await library.reader.photos(in: .all).count == 6
        }
        await library.close()
        try await disk.end()
    }

    @Test(arguments: [StalledDisk.Call.getattr, .read])
    func `photos stay while their disk does not answer, and others are followed`(
        call: StalledDisk.Call
    ) async throws {
        let disk = try await mount()
        try home.add(as: "a.jpg", number: 1)
        let library = try LiveLibrary(home, patience: .milliseconds(500))
        _ = try await library.settle(photos: 3)
        try home.add(as: "Slow/new.jpg", number: 9)
        try disk.stall(call)
        try home.add(as: "b.jpg", number: 2)
        try await eventually("the photo on the other disk") {
            try await library.id(of: home.pictures.appending("b.jpg")) != nil
        }
        #expect(try await library.reader.photos(in: .all).count >= 4)
        try disk.answer()
        try await eventually("the new photo on the disk") {
            await library.request()
            return try await library.reader.photos(in: .all).count == 5
        }
        await library.close()
        try await disk.end()
    }

    @Test func `two scans that differ in the middle stay two, however long comparing takes`()
        async throws
    {
        let disk = try await StalledDisk.mount(
            at: home.pictures.appending("Slow"), of: home
        ) { content in
            for (name, byte) in [("one.bmp", UInt8(1)), ("two.bmp", 2)] {
                let head = try Fixtures.bytes("formats/blocks.bmp")
                let rest = [UInt8](repeating: 0, count: 1 << 20)
                try home.write(
                    head + rest + rest + rest + [byte] + rest, to: content.appending(name))
            }
        }
        try disk.slowDown()
        // Longer than a read, and shorter than all that it takes to find the difference.
        let library = try LiveLibrary(home, patience: .milliseconds(500))
        try await eventually("both scans") {
            await library.request()
            return try await library.reader.photos(in: .all).count == 2
        }
        await library.close()
        try await disk.end()
    }

    @Test func `a new photo appears at once, because known folders below are not read again`()
        async throws
    {
        let disk = try await mount()
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 2)
        try disk.stall(.readdir)
        let path = try home.add(as: "b.jpg", number: 2)
        // Otherwise the indexer would wait for ten seconds.
        try await eventually("the photo", within: .seconds(8)) {
            try await library.id(of: path) != nil
        }
        try disk.answer()
        await library.close()
        try await disk.end()
    }

    @Test func `a folder that takes the place of another is read`() async throws {
        try home.add(as: "one/below/a.jpg", number: 1)
        try home.add(as: "one/other/deep/d.jpg", number: 4)
        try home.add(as: "two/below/b.jpg", number: 2)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 3)
        func folder(_ name: String) -> FilePath { home.pictures.appending(name) }
        try AtomicFile.rename(folder("one"), to: home.scratch.appending("out"))
        try AtomicFile.rename(folder("two"), to: folder("one"))
        try await eventually("the other photo") {
            let paths = try await library.names()
            let moved = folder("one").appending("below").appending("b.jpg")
            guard paths == ["b.jpg"] else { return false }
            return try await library.id(of: moved) != nil
        }
        // It is watched as well.
        try home.add(as: "one/below/c.jpg", number: 3)
        _ = try await library.settle(photos: 2)
        await library.close()
    }

    @Test func `a folder that is removed and made again is read`() async throws {
        let library = try LiveLibrary(home)
        for number in UInt8(1)...5 {
            // File systems give its number to the next folder.
            try home.add(as: "one/below/\(number).jpg", number: number)
            try await eventually("the photo") {
                try await library.names() == ["\(number).jpg"]
            }
            try FileManager.default.removeItem(atPath: home.pictures.appending("one").string)
        }
        await library.close()
    }

    @Test func `a disk that stops during an update does not hold up other folders`()
        async throws
    {
        // An update takes folders in the order of their names.
        let downloads = home.downloads
        let disk = try await StalledDisk.mount(at: downloads, of: home) { content in
            try home.write(
                Fixtures.bytes("jpeg/grey.jpg") + [21], to: content.appending("s.jpg"))
        }
        try home.add(as: "a.jpg", number: 1)
        let library = try LiveLibrary(home, patience: .milliseconds(1500))
        _ = try await library.settle(files: 2)
        try disk.stall(.readdir)
        try home.write(Fixtures.bytes("jpeg/grey.jpg") + [22], to: downloads.appending("t.jpg"))
        let new = try home.add(as: "b.jpg", number: 2)
        // The roots have been looked at by now, and answered.
        try await eventually("the update") { disk.hasWaiter }
        try disk.stall(.readdir, .getattr, .open, .read)
        try await eventually("the photo on the other disk") {
            try await library.id(of: new) != nil
        }
        try disk.answer()
        try await eventually("the new photo on the disk") {
            await library.request()
            return try await library.reader.status().files == 4
        }
        await library.close()
        try await disk.end()
    }

    /// A disk with two photos, one of them in a folder.
    private func mount(_ place: String = "Slow") async throws -> StalledDisk {
        let place = home.pictures.appending(FilePath(place).components)
        return try await StalledDisk.mount(at: place, of: home) { content in
            for (name, number) in [("s.jpg", UInt8(21)), ("Below/t.jpg", 22)] {
                try home.write(
                    Fixtures.bytes("jpeg/grey.jpg") + [number],
                    to: content.appending(FilePath(name).components))
            }
        }
    }
}

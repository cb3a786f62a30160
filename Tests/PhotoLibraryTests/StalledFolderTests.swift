// SPDX-License-Identifier: MIT

import Files
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

    @Test(arguments: [StalledDisk.Call.getattr, .readdir, .open, .read])
    func `while a disk in a folder does not answer, photos elsewhere are found`(
        call: StalledDisk.Call
    ) async throws {
        let disk = try await mount()
        try disk.stall(call)
        try home.add(as: "a.jpg", number: 1)
        try home.add(as: "Zoo/b.jpg", number: 2)
        let library = try LiveLibrary(home, patience: .milliseconds(500))
        _ = try await library.settle(photos: 2)
        // What comes later is found, too.
        try home.add(as: "Later/c.jpg", number: 3)
        _ = try await library.settle(photos: 3)
        try disk.answer()
        try await eventually("the photos of the disk") {
            await library.request()
            return try await library.reader.photos(in: .all).count == 5
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

    /// A disk with two photos, one of them in a folder.
    private func mount() async throws -> StalledDisk {
        try await StalledDisk.mount(at: home.pictures.appending("Slow"), of: home) { content in
            for (name, number) in [("s.jpg", UInt8(21)), ("Below/t.jpg", 22)] {
                try home.write(
                    Fixtures.bytes("jpeg/grey.jpg") + [number],
                    to: content.appending(FilePath(name).components))
            }
        }
    }
}

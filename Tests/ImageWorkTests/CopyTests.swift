// SPDX-License-Identifier: MIT

import Files
import Glibc
import ImageWork
import PhotoCopies
import Photos
import SystemPackage
import TestSupport
import Testing

/// Copies without location, for apps that ask for files.
@Suite(.serialized) struct CopyTests {
    @Test func `a photo that takes its decoder over cannot keep the location in other photos`()
        async throws
    {
        let home = try TestHome()
        let photo = home.pictures.appending("photo.jpg")
        try home.write(Fixtures.bytes("jpeg/baseline.jpg"), to: photo)
        // A photo that the person has seen, and that has taken its decoder over.
        let pool = DecoderPool(program: try HostileDecoder.program("spoilt", in: home), workers: 1)
        defer { pool.close() }
        _ = try await pool.run(
            .probe, on: try Descriptor.openForReading(photo), priority: .visible,
            origin: .elsewhere)
        let copies = PhotoCopies(folder: home.cache.appending("copies"), decoders: pool)
        #expect(try await copies.hasLocation(photo))
        let copy = try await copies.copy(photo, in: nil, for: "owner")
        #expect(copy != photo)
        #expect(copy.starts(with: home.cache))
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a photo that is rewritten while it is copied is not delivered with its location`()
        async throws
    {
        let home = try TestHome()
        let photo = home.pictures.appending("photo.jpg")
        try home.write(Fixtures.bytes("location/exif.jpg"), to: photo)
        let place = home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) { _ in }
        let pool = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), workers: 1)
        defer { pool.close() }
        let copies = PhotoCopies(folder: place.appending("copies"), decoders: pool)
        #expect(try await copies.hasLocation(photo))
        try disk.stall(.getattr)
        let copy = Task { try await copies.copy(photo, in: nil, for: "owner") }
        // The decoder has said by now what to change.
        try await eventually("the copy") { disk.hasWaiter }
        let file = open(photo.string, O_WRONLY | O_CLOEXEC)
        #expect(pwrite(file, "xyz", 3, 700) == 3)
        close(file)
        try disk.answer()
        await #expect(throws: PhotoCopies.Failure.changed) { try await copy.value }
        #expect(try Directory.entries(of: place.appending("copies").appending("owner")).isEmpty)
        try await disk.end()
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a place that is written to a mapped photo while it is copied is not delivered`()
        async throws
    {
        let home = try TestHome()
        let photo = home.pictures.appending("photo.jpg")
        try home.write(CommentedPhoto(Fixtures.bytes("location/exif.jpg")).bytes, to: photo)
        let mapped = try MappedFile(photo)
        let place = home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) { _ in }
        let pool = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), workers: 1)
        defer { pool.close() }
        let copies = PhotoCopies(folder: place.appending("copies"), decoders: pool)
        try disk.stall(.getattr)
        let copy = Task { try await copies.copy(photo, in: nil, for: "owner") }
        try await eventually("the copy") { disk.hasWaiter }
        mapped.write(CommentedPhoto.place, at: CommentedPhoto.offset)
        try disk.answer()
        await #expect(throws: PhotoCopies.Failure.changed) { try await copy.value }
        #expect(try Directory.entries(of: place.appending("copies").appending("owner")).isEmpty)
        try await disk.end()
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a copy of a changed photo is not taken for a full disk where its folder stays`()
        async throws
    {
        let home = try TestHome()
        let photo = home.pictures.appending("photo.jpg")
        try home.write(Fixtures.bytes("location/exif.jpg"), to: photo)
        let place = home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) { _ in }
        let pool = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), workers: 1)
        defer { pool.close() }
        let copies = PhotoCopies(folder: place.appending("copies"), decoders: pool)
        try disk.stall(.getattr)
        let copy = Task { try await copies.copy(photo, in: nil, for: "owner") }
        try await eventually("the copy") { disk.hasWaiter }
        let file = open(photo.string, O_WRONLY | O_APPEND | O_CLOEXEC)
        #expect(Glibc.write(file, "xyz", 3) == 3)
        close(file)
        try disk.keepFolders()
        await #expect(throws: PhotoCopies.Failure.changed) { try await copy.value }
        let left = try Directory.entries(of: place.appending("copies").appending("owner"))
        // The folder stays, without the photo.
        #expect(left.count == 1)
        for folder in left {
            let path = place.appending("copies").appending("owner").appending(folder.name)
            #expect(try Directory.entries(of: path).isEmpty)
        }
        try await disk.end()
    }
}

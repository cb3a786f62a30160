// SPDX-License-Identifier: MIT

import Files
import Glibc
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// A failure that passes hides no photo for good, and costs no id.
@Suite(.serialized) struct RetryTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test func `a photo whose decoder crashed appears with the next walk`() async throws {
        try home.add(as: "a.jpg")
        let status = try await run(decoder: crashing) { library in
            try await library.settle(files: 1)
        }
        #expect(status.skipped == 1)
        let photos = try await run { try await $0.settle(photos: 1) }
        #expect(photos.count == 1)
    }

    @Test func `a photo that cannot be read while it is examined keeps its id`() async throws {
        let path = try home.add(as: "a.jpg", at: 1_000_000)
        let before = try await run { try await $0.settle(photos: 1).ids }
        home.setDate(of: path, 2_000_000)
        let during = try await run(decoder: crashing) { library in
            let status = try await library.settle(files: 1)
            #expect(status.skipped == 1)
            return try await library.reader.photos(in: .all).ids
        }
        #expect(during == before)
        let after = try await run { library in
            _ = try await library.settle(files: 1)
            return try await library.reader.photos(in: .all).ids
        }
        #expect(after == before)
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a photo that its disk could not read appears with a later request`() async throws {
        let disk = try await StalledDisk.mountPictures(of: home)
        try home.add(as: "a.jpg")
        try disk.fail(from: 0)
        try await run { library in
            #expect(try await library.settle(files: 1).skipped == 1)
            try disk.answer()
            try await eventually("the photo") {
                await library.request()
                return try await library.reader.photos(in: .all).count == 1
            }
        }
        try await disk.end()
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a photo that could not be read appears when its rights change`() async throws {
        let disk = try await StalledDisk.mountPictures(of: home)
        let path = try home.add(as: "a.jpg")
        try disk.fail(from: 0)
        try await run { library in
            #expect(try await library.settle(files: 1).skipped == 1)
            try disk.answer()
            #expect(path.withPlatformString { chmod($0, 0o600) } == 0)
            _ = try await library.settle(photos: 1)
        }
        try await disk.end()
    }

    @Test func `a photo that was read while it was being written keeps its id`() async throws {
        let path = try home.add(as: "a.jpg")
        let before = try await run { try await $0.settle(photos: 1).ids }
        try home.write([], to: path)
        _ = try await run { try await $0.settle(photos: 0) }
        try home.write(Fixtures.bytes("png/rgb.png"), to: path)
        let after = try await run { try await $0.settle(photos: 1).ids }
        #expect(after == before)
    }

    @Test func `a change that keeps size and date is noticed`() async throws {
        let first = try Fixtures.bytes("orientation/6.jpg")
        let other = try Fixtures.bytes("jpeg/grey.jpg")
        let size = max(first.count, other.count)
        func padded(_ bytes: [UInt8]) -> [UInt8] {
            bytes + [UInt8](repeating: 0, count: size - bytes.count)
        }
        let path = home.pictures.appending("a.jpg")
        try home.write(padded(first), to: path)
        home.setDate(of: path, 1_000_000)
        let before = try await run { try await $0.settle(photos: 1).aspectRatios }
        // In place, so that the file stays the same one.
        let file = try FileDescriptor.open(path, .writeOnly)
        try file.writeAll(toAbsoluteOffset: 0, padded(other))
        try file.close()
        home.setDate(of: path, 1_000_000)
        let after = try await run { library in
            _ = try await library.settle(files: 1)
            return try await library.reader.photos(in: .all).aspectRatios
        }
        #expect(before != after)
    }

    @Test func `files that are made while the walk goes on are found`() async throws {
        for folder in 0..<40 {
            for number in 0..<5 {
                try home.write(
                    Fixtures.bytes("jpeg/grey.jpg") + Array("\(folder) \(number)".utf8),
                    to: home.pictures.appending("\(folder)/\(number).jpg"))
            }
        }
        let library = try LiveLibrary(home)
        for folder in 0..<40 {
            try home.write(
                Fixtures.bytes("jpeg/grey.jpg") + Array("\(folder) late".utf8),
                to: home.pictures.appending("\(folder)/late.jpg"))
            try await Task.sleep(for: .milliseconds(1))
        }
        _ = try await library.settle(files: 240)
        await library.close()
    }

    @Test func `a photo that came while nothing could be stored appears with the next request`()
        async throws
    {
        try home.add(as: "a.jpg", number: 1)
        try await run { library in
            _ = try await library.settle(photos: 1)
            try await breakDatabase()
            try home.add(as: "b.jpg", number: 2)
            try await eventually("error") { library.messages.all.contains(Self.failure) }
            try await mendDatabase()
            await library.request()
            _ = try await library.settle(photos: 2)
        }
    }

    @Test func `a folder that replaced another while nothing could be stored is read later`()
        async throws
    {
        try home.add(as: "one/below/a.jpg", number: 1)
        let one = home.pictures.appending("one")
        let two = home.scratch.appending("two")
        try home.write(
            Fixtures.bytes("jpeg/grey.jpg"), to: two.appending("below").appending("b.jpg"))
        try await run { library in
            _ = try await library.settle(photos: 1)
            try await breakDatabase()
            try AtomicFile.rename(one, to: home.scratch.appending("out"))
            try AtomicFile.rename(two, to: one)
            try await eventually("error") { library.messages.all.contains(Self.failure) }
            try await mendDatabase()
            try await eventually("the other photo alone") {
                await library.request()
                return try await library.names() == ["b.jpg"]
            }
        }
    }

    @Test func `a library that could not be stored at the start appears with the next request`()
        async throws
    {
        _ = try await run { try await $0.settle(files: 0) }
        try home.add(as: "a.jpg")
        try await breakDatabase()
        try await run { library in
            try await eventually("error") { library.messages.all.contains(Self.failure) }
            try await mendDatabase()
            try await eventually("photo") {
                await library.request()
                return try await library.reader.photos(in: .all).count == 1
            }
        }
    }

    private static let failure = "The library could not be brought up to date."

    /// Makes every attempt to store a file fail, as on a full disk.
    private func breakDatabase() async throws {
        try await change(
            "CREATE TRIGGER full BEFORE INSERT ON file BEGIN SELECT RAISE(ABORT, 'full'); END")
    }

    private func mendDatabase() async throws {
        try await change("DROP TRIGGER full")
    }

    private func change(_ statement: String) async throws {
        let shell = try ChildProcess(
            "sqlite3", ["-cmd", ".timeout 10000", home.database.string, statement],
            environment: home.environment, scratch: home.scratch)
        #expect(try await shell.exitStatus() == 0, "\(shell.errorText)")
    }

    /// A decoder that is lost with each picture.
    private var crashing: FilePath {
        get throws { try HostileDecoder.program("emptyPacket", in: home) }
    }

    /// Runs a library until its test is done.
    private func run<Result>(
        decoder: FilePath = FilePath(Programs.path("photo-portal-decoder")),
        _ body: (LiveLibrary) async throws -> Result
    ) async throws -> Result {
        let library = try LiveLibrary(home, decoder: decoder)
        let result = try await body(library)
        await library.close()
        return result
    }
}

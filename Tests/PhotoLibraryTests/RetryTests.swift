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

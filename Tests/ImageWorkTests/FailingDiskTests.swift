// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Photos
import SystemPackage
import TestSupport
import Testing

/// Files that are intact, on a disk that fails while they are read.
@Suite(
    .serialized,
    .enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
struct FailingDiskTests {
    /// The offset from which on the disk fails.
    private static let limit = 64 << 10

    @Test func `a video whose end cannot be read does not count as one without location`()
        async throws
    {
        let place = Self.box("©xyz", [0, 13, 0x15, 0xC7] + Array("+47.3+008.5/".utf8) + [0])
        let video =
            Self.box("ftyp", Array("isom".utf8) + [0, 0, 0, 0] + Array("isom".utf8))
            + Self.box("free", Self.zeros(Self.limit))
            + Self.box("moov", Self.box("mvhd", Self.zeros(100)) + Self.box("udta", place))
        try await compare(video) { pool, file in
            let derived = try await pool.run(
                .derive(Derivation(removesLocation: true)), on: file, priority: .visible)
            #expect(derived?.isLocationRemoved == true)
        }
    }

    @Test func `a picture whose middle cannot be read does not count as complete`() async throws {
        var photo = try Fixtures.bytes("jpeg/baseline.jpg")
        // A comment, so that the disk fails within the pixels.
        photo.insert(contentsOf: [0xFF, 0xFE, 0xC0, 0x00] + Self.zeros(0xBFFE), at: 2)
        #expect(photo.count > Self.limit)
        try await compare(photo) { pool, file in
            _ = try await pool.run(.pixels(side: 4096), on: file, priority: .visible)
        }
        let change = PictureChange(
            format: .png, size: PixelSize(width: 64, height: 64), quality: 90)
        try await compare(photo) { pool, file in
            _ = try await pool.run(
                .derive(Derivation(removesLocation: false, picture: change)), on: file,
                priority: .visible)
        }
    }

    @Test(arguments: ["webp", "pcx", "jp2", "exr"])
    func `a picture that cannot be read does not count as damaged`(format: String) async throws {
        var picture = try Fixtures.bytes("formats/blocks.\(format)")
        // They need not be read for the picture, but what they contain is not known then.
        picture += Self.zeros(Self.limit)
        try await compare(picture) { pool, file in
            _ = try await pool.run(.pixels(side: 64), on: file, priority: .visible)
        }
    }

    /// Does something with a file, which must succeed, and again while the disk fails.
    private func compare(
        _ content: [UInt8], _ work: (DecoderPool, Descriptor) async throws -> Void
    ) async throws {
        let home = try TestHome()
        let place = home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) {
            try home.write(content, to: $0.appending("file"))
        }
        let pool = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")),
            heif: FilePath(Programs.path("photo-portal-heif")),
            rare: FilePath(Programs.path("photo-portal-rare")), workers: 1)
        defer { pool.close() }
        try await work(pool, try Descriptor.openForReading(place.appending("file")))
        try disk.fail(from: Self.limit)
        let error = await #expect(throws: DecodeError.self) {
            try await work(pool, try Descriptor.openForReading(place.appending("file")))
        }
        #expect(error == .unreadable)
        // It does not stick to the files that come after it.
        try await work(pool, try MemoryFile.make(named: "file", holding: content))
        try await disk.end()
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let size = content.count + 8
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
            + name.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + content
    }
}

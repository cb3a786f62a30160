// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Photos
import SystemPackage
import TestSupport
import Testing

/// A HEIF sequence that has only a track, like a video, and no picture beside it.
@Suite struct SequenceTests {
    private let pool = DecoderPool(
        program: FilePath(Programs.path("photo-portal-decoder")),
        heif: FilePath(Programs.path("photo-portal-heif")),
        videos: FilePath(Programs.path("photo-portal-video")), workers: 1)
    private let size = PixelSize(width: 48, height: 32)

    private func file() throws -> Descriptor { try Fixtures.open("sequence/blocks.heics") }

    @Test func `the header of a sequence says that it moves`() async throws {
        defer { pool.close() }
        let facts = try await pool.run(.probe, on: try file(), priority: .visible)
        #expect(facts.mediaType == .heic)
        #expect(facts.size == size)
        #expect(facts.isAnimated)
    }

    @Test func `the first picture of a sequence is shown`() async throws {
        defer { pool.close() }
        let picture = try await pool.run(
            .pixels(side: 64, fidelity: .exact), on: try file(), priority: .visible)
        try expectFirstPicture(picture)
    }

    @Test func `a sequence has a thumbnail`() async throws {
        defer { pool.close() }
        let subject = ThumbnailSubject(uri: "file:///blocks.heics", modified: 1, byteCount: 1)
        let thumbnail = try await pool.run(
            .thumbnail(side: 128, of: subject), on: try file(), priority: .visible)
        try expectFirstPicture(thumbnail.picture)
    }

    @Test func `a sequence is converted to its first picture`() async throws {
        defer { pool.close() }
        let derived = try #require(
            try await pool.session().run(
                .derive(
                    Derivation(
                        removesLocation: true,
                        picture: PictureChange(format: .png, size: size, quality: 90))),
                on: try file()))
        let picture = try await pool.run(
            .pixels(side: 64, fidelity: .exact), on: derived.file, priority: .visible)
        try expectFirstPicture(picture)
    }

    private func expectFirstPicture(_ picture: RawPicture) throws {
        #expect(picture.size == size)
        let pixels = try MappedMemory(sealed: picture.file)
        let channels = picture.hasAlpha ? 4 : 3
        for (x, y, colour) in [
            (8, 8, [230, 30, 30]), (24, 8, [30, 200, 30]), (40, 8, [30, 30, 230]),
            (8, 24, [230, 230, 30]), (24, 24, [230, 30, 230]), (40, 24, [30, 230, 230]),
        ] {
            let start = (y * 48 + x) * channels
            for (found, expected) in zip(pixels.bytes[start..<start + 3], colour) {
                #expect(abs(Int(found) - expected) < 20, "at \(x), \(y)")
            }
        }
    }
}

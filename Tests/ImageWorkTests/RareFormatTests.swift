// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Photos
import Processes
import SystemPackage
import TestSupport
import Testing

/// Formats whose libraries only `photo-portal-rare` contains.
@Suite struct RareFormatTests {
    private let decoder = FilePath(Programs.path("photo-portal-decoder"))
    private let rare = FilePath(Programs.path("photo-portal-rare"))

    private static let large = ["libopenjp2", "libOpenEXR", "libraw", "librsvg", "libfontconfig"]

    /// Other pictures are decoded as fast, and in as little memory, as without these formats.
    @Test func `the decoder of other pictures does not load the large libraries`() throws {
        for (program, isExpected) in [(decoder, false), (rare, true)] {
            let output = try ProgramOutput.capture(
                "readelf", ["-d", program.string], timeout: .seconds(20))
            let text = String(decoding: output, as: UTF8.self)
            for name in Self.large {
                #expect(text.contains("[\(name)") == isExpected, "\(program): \(name)")
            }
        }
    }

    @Test(arguments: ["formats/blocks.jp2", "formats/blocks.exr", "sensor/adobe.dng"])
    func `a rare picture is decoded and derived in the sandbox`(name: String) async throws {
        let pool = DecoderPool(program: decoder, rare: rare, workers: 1)
        defer { pool.close() }
        let file = try Fixtures.open(name)
        let facts = try await pool.run(.probe, on: file, priority: .visible)
        let size = try #require(facts.size)
        let picture = try await pool.run(
            .pixels(side: 48, fidelity: .exact), on: file, priority: .visible)
        #expect(picture.size == PixelSize(width: 48, height: 32))
        let pixels = try MappedMemory(sealed: picture.file)
        #expect(pixels.bytes[0] > 200 && pixels.bytes[1] < 60)
        let session = pool.session()
        let derived = try #require(
            try await session.run(
                .derive(
                    Derivation(
                        removesLocation: true,
                        picture: PictureChange(format: .jpeg, size: size, quality: 90))), on: file))
        let made = try await pool.run(.probe, on: derived.file, priority: .visible)
        #expect(made.mediaType == .jpeg)
        #expect(made.size == size)
    }

    @Test func `text in a drawing is drawn in the sandbox`() async throws {
        let pool = DecoderPool(program: decoder, rare: rare, workers: 1)
        defer { pool.close() }
        let picture = try await pool.run(
            .pixels(side: 96, fidelity: .exact), on: try Fixtures.open("svg/text.svg"),
            priority: .visible)
        #expect(picture.size == PixelSize(width: 48, height: 32))
        let pixels = try MappedMemory(sealed: picture.file)
        let dark = stride(from: 0, to: pixels.bytes.count, by: 4).filter {
            pixels.bytes[$0 + 3] > 128 && pixels.bytes[$0] < 64
        }
        // Two letters, of which each covers more than fifty pixels and less than the box around it.
        #expect((100...600).contains(dark.count))
    }

    @Test func `without the program, a rare picture is unsupported and others are not`()
        async throws
    {
        let pool = DecoderPool(
            program: decoder, rare: FilePath("/nonexistent/photo-portal-rare"), workers: 1)
        defer { pool.close() }
        let types = await pool.supportedTypes()
        #expect(!types.contains(.jpeg2000) && types.contains(.jpeg))
        await #expect(throws: DecodeError.unsupported) {
            try await pool.run(
                .pixels(side: 48, fidelity: .exact), on: try Fixtures.open("formats/blocks.jp2"),
                priority: .visible)
        }
    }

    @Test(arguments: ["formats/blocks.jp2", "formats/blocks.exr", "sensor/adobe.dng"])
    func `damage costs at most one picture`(name: String) async throws {
        let pool = DecoderPool(program: decoder, rare: rare, workers: 1)
        defer { pool.close() }
        let bytes = try Fixtures.bytes(name)
        for count in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 12)) {
            let file = try MemoryFile.make(named: "short", holding: Array(bytes.prefix(count)))
            // Either an error or a picture is fine.
            _ = try? await pool.run(
                .pixels(side: 48, fidelity: .exact), on: file, priority: .visible)
        }
        let picture = try await pool.run(
            .pixels(side: 48, fidelity: .exact), on: try Fixtures.open(name), priority: .visible)
        #expect(picture.size == PixelSize(width: 48, height: 32))
    }
}

// SPDX-License-Identifier: MIT

import Files
import ImageWork
import Photos
import SystemPackage
import TestSupport
import Testing

/// Derived files are made in the sandbox as well.
@Suite(.serialized) struct DerivingInSandboxTests {
    private let pool = DecoderPool(
        program: FilePath(Programs.path("photo-portal-decoder")),
        heif: FilePath(Programs.path("photo-portal-heif")),
        rare: FilePath(Programs.path("photo-portal-rare")), workers: 1)

    private func derive(_ name: String, _ derivation: Derivation) async throws -> DerivedFile? {
        try await pool.run(.derive(derivation), on: try Fixtures.open(name), priority: .visible)
    }

    @Test(arguments: OutputFormat.allCases)
    func `every format is encoded in the sandbox`(format: OutputFormat) async throws {
        defer { pool.close() }
        let derivation = Derivation(
            removesLocation: true,
            picture: PictureChange(
                format: format, clip: PixelRectangle(x: 1, y: 1, width: 40, height: 30),
                size: PixelSize(width: 20, height: 15), quality: 80, maximumByteCount: 100_000,
                isStandard: true))
        for name in ["formats/blocks.heic", "orientation/6.jpg", "formats/blocks.webp"] {
            let derived = try #require(try await derive(name, derivation), "\(name)")
            // Sealed, so that the decoder process can no longer change it.
            let bytes = try MappedMemory(sealed: derived.file)
            #expect(MediaType.sniffed(from: Array(bytes.bytes)) == format.mediaType)
            #expect(derived.isConverted && !derived.isLocationRemoved)
        }
    }

    @Test func `a file that meets the requirements is left unchanged`() async throws {
        defer { pool.close() }
        let reply = try await derive("orientation/6.jpg", Derivation(removesLocation: true))
        #expect(reply == nil)
    }

    @Test func `a drawing with a filter is drawn`() async throws {
        defer { pool.close() }
        let picture = try await pool.run(
            .pixels(side: 48), on: try Fixtures.open("variants/filter.svg"), priority: .visible)
        #expect(picture.size == PixelSize(width: 48, height: 32))
    }

    @Test(
        arguments: [
            ("broken/text.jpg", .unsupported), ("broken/header-only.jpg", .damaged),
            ("broken/huge.png", .tooLarge), ("broken/interlaced.png", .tooLarge),
        ] as [(String, DecodeError)])
    func `a bad file is an error`(name: String, error: DecodeError) async throws {
        defer { pool.close() }
        let derivation = Derivation(
            removesLocation: false,
            picture: PictureChange(
                format: .jpeg, size: PixelSize(width: 10, height: 10), quality: 80))
        await #expect(throws: error) { try await derive(name, derivation) }
    }
}

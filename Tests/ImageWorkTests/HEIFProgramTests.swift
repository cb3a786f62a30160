// SPDX-License-Identifier: MIT

import Files
import Foundation
import ImageWork
import Photos
import Processes
import SystemPackage
import TestSupport
import Testing

/// Formats whose libraries only `photo-portal-heif` and `photo-portal-video` contain.
@Suite struct HEIFProgramTests {
    private let decoder = FilePath(Programs.path("photo-portal-decoder"))
    private let heif = FilePath(Programs.path("photo-portal-heif"))

    private static let pictures = [
        "formats/blocks.heic", "formats/blocks.heif", "formats/blocks.avif", "formats/blocks.jxl",
    ]

    /// Their constructors take longer than everything else in the start of a decoder.
    @Test(arguments: ["photo-portal-decoder", "photo-portal-rare"])
    func `a decoder of other pictures loads neither libheif nor libjxl`(program: String) throws {
        for (name, isExpected) in [(program, false), ("photo-portal-heif", true)] {
            let output = try ProgramOutput.capture(
                "ldd", [Programs.path(name)], timeout: .seconds(20))
            let text = String(decoding: output, as: UTF8.self)
            #expect(text.contains("libjpeg"))
            for library in ["libheif", "libjxl", "libhwy"] {
                #expect(text.contains(library) == isExpected, "\(name): \(library)")
            }
        }
    }

    @Test(arguments: pictures)
    func `facts, pixels and derived files come from the program that has the library`(
        name: String
    ) async throws {
        let pool = DecoderPool(program: decoder, heif: heif, workers: 1)
        defer { pool.close() }
        let file = try Fixtures.open(name)
        let size = PixelSize(width: 48, height: 32)
        let facts = try await pool.run(.probe, on: file, priority: .visible)
        #expect(facts.size == size)
        let picture = try await pool.run(
            .pixels(side: 48, fidelity: .exact), on: file, priority: .visible)
        #expect(picture.size == size)
        let change = PictureChange(format: .jpeg, size: size, quality: 90)
        let derived = try #require(
            try await pool.session().run(
                .derive(Derivation(removesLocation: true, picture: change)), on: file))
        let made = try await pool.run(.probe, on: derived.file, priority: .visible)
        #expect(made.mediaType == .jpeg)
        #expect(made.size == size)
    }

    @Test(arguments: ["location/exif.heic", "location/exif.avif", "location/after.jxl"])
    func `the location goes without another picture's decoder`(name: String) async throws {
        let pool = DecoderPool(program: decoder, heif: heif, workers: 1)
        defer { pool.close() }
        let derived = try #require(
            try await pool.session().run(
                .derive(Derivation(removesLocation: true)), on: try Fixtures.open(name)))
        #expect(derived.isLocationRemoved)
    }

    @Test(arguments: pictures)
    func `without the program, they are unsupported and others are not`(
        name: String
    ) async throws {
        let pool = DecoderPool(
            program: decoder, heif: FilePath("/nonexistent/photo-portal-heif"), workers: 1)
        defer { pool.close() }
        let types = await pool.supportedTypes()
        #expect(types.contains(.jpeg))
        #expect(types.allSatisfy { ![.heic, .heif, .avif, .jpegXL].contains($0) })
        await #expect(throws: DecodeError.unsupported) {
            try await pool.run(.probe, on: try Fixtures.open(name), priority: .visible)
        }
        _ = try await pool.run(
            .probe, on: try Fixtures.open("jpeg/grey.jpg"), priority: .visible)
    }

    @Test func `a picture that is none of theirs starts no other program`() async throws {
        let pool = DecoderPool(program: decoder, heif: FilePath("/bin/true"), workers: 1)
        defer { pool.close() }
        // Starting it would fail as unavailable.
        await #expect(throws: DecodeError.unavailable) {
            try await pool.run(
                .probe, on: try Fixtures.open("formats/blocks.heic"), priority: .visible)
        }
        await #expect(throws: DecodeError.unsupported) {
            let text = try MemoryFile.make(named: "text", holding: Array("no picture".utf8))
            _ = try await pool.run(.probe, on: text, priority: .visible)
        }
        _ = try await pool.run(
            .pixels(side: 48, fidelity: .exact), on: try Fixtures.open("formats/blocks.tif"),
            priority: .visible)
    }

    @Test(arguments: pictures)
    func `damage costs at most one picture`(name: String) async throws {
        let pool = DecoderPool(program: decoder, heif: heif, workers: 1)
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

    /// A drawing whose JPEG XL restores a JPEG with a place in a comment.
    ///
    /// The search follows references that the editor may not understand, so it must not take what it cannot
    /// search for harmless.
    @Test(arguments: ["\"", "("])
    func `a place in a restored JPEG inside a drawing is not delivered`(word: String) async throws {
        let pool = DecoderPool(
            program: decoder, heif: heif, rare: FilePath(Programs.path("photo-portal-rare")),
            workers: 1)
        defer { pool.close() }
        let picture = Data(try Fixtures.bytes("location/restored.jxl")).base64EncodedString()
        let head = word == "(" ? "image/jxl;a=(" : "image/jxl"
        let drawing = """
            <svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">\
            <image width="9" height="9" href="data:\(head);base64,\(picture)"/></svg>
            """
        let file = try MemoryFile.make(named: "drawing", holding: Array(drawing.utf8))
        do throws(DecodeError) {
            let derived = try await pool.session().run(
                .derive(Derivation(removesLocation: true)), on: file)
            // Without what restores the JPEG, but not as it was.
            #expect(derived?.isLocationRemoved == true)
            let bytes = (try? derived?.file.read(upTo: 1 << 20)) ?? []
            #expect(!String(decoding: bytes, as: UTF8.self).contains(picture))
        } catch {
            #expect(error == .locationStays)
        }
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a picture whose disk hangs between the programs is not taken for none`() async throws {
        let home = try TestHome()
        let place = home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) { content in
            for name in ["a.heic", "b.heic"] {
                try home.write(
                    Fixtures.bytes("formats/blocks.heic"), to: content.appending(name))
            }
        }
        let pool = DecoderPool(program: decoder, heif: heif, workers: 1)
        defer { pool.close() }
        let file = try Descriptor.openForReading(place.appending("a.heic"))
        let probe = Task { try await pool.run(.probe, on: file, priority: .visible) }
        probe.cancel()
        await #expect(throws: DecodeError.cancelled) { try await probe.value }
        try disk.fail(from: 0)
        // Of the first file, a part may be in memory.
        let other = try Descriptor.openForReading(place.appending("b.heic"))
        await #expect(throws: DecodeError.unreadable) {
            try await pool.run(.probe, on: other, priority: .visible)
        }
        try await disk.end()
    }

    @Test func `types are those of programs that answer`() async throws {
        let broken = DecoderPool(program: "/bin/true", heif: heif, workers: 1)
        defer { broken.close() }
        #expect(await broken.supportedTypes() == [])
        let later = DecoderPool(program: decoder, heif: "/bin/true", workers: 1)
        defer { later.close() }
        let types = await later.supportedTypes()
        #expect(types.contains(.jpeg) && types.contains(.heic))
    }
}

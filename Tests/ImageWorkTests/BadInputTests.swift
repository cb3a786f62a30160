// SPDX-License-Identifier: MIT

import Files
import Glibc
import ImageWork
import Photos
import SystemPackage
import TestSupport
import Testing

/// Files that break the rules of their formats, decoded by the real decoder in its sandbox.
///
/// Each gives a picture or a clear error in time, and the decoder keeps running.
@Suite(.serialized) struct BadInputTests {
    private let pool = DecoderPool(
        program: FilePath(Programs.path("photo-portal-decoder")),
        heif: FilePath(Programs.path("photo-portal-heif")),
        rare: FilePath(Programs.path("photo-portal-rare")), workers: 2,
        timeout: .seconds(300))

    /// The time that a person would wait; without optimization our own loops take several times as
    /// long.
    ///
    /// Counted in processor time, because the machine may have other work. The pool's own limit only
    /// ends a decoder that waits forever.
    private static let limit: Duration = {
        #if DEBUG
        .seconds(20)
        #else
        .seconds(5)
        #endif
    }()

    @Test(.enabled(if: Corpora.areAvailable, Comment(rawValue: Corpora.skipReason)))
    func `broken files and bombs of the corpora give a picture or an error`() async throws {
        for entry in Corpora.files(in: "broken/jpeg", "broken/other", "bombs") {
            await expectClearEnd(try Descriptor.openForReading(entry.path), entry.name)
        }
        pool.close()
    }

    @Test func `files truncated at every sixteenth give a picture or an error`() async throws {
        for (name, bytes) in try samples() {
            for part in 0..<16 {
                let file = try memoryFile(Array(bytes.prefix(bytes.count * part / 16)))
                await expectClearEnd(file, "\(name), \(part)/16")
            }
        }
        pool.close()
    }

    @Test func `files with changed bytes give a picture or an error`() async throws {
        var generator = SeededGenerator(state: 2026)
        for (name, bytes) in try samples() {
            for round in 0..<(bytes.count < 20_000 ? 40 : 8) {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    let position = Int.random(in: changed.indices, using: &generator)
                    changed[position] = .random(in: .min ... .max, using: &generator)
                }
                await expectClearEnd(try memoryFile(changed), "\(name), round \(round)")
            }
        }
        pool.close()
    }

    @Test(arguments: [[], [0xFF, 0xD8, 0xFF]] as [[UInt8]])
    func `two gigabytes of zeros are an error`(head: [UInt8]) async throws {
        let home = try TestHome()
        let path = home.scratch.appending("zeros.jpg")
        try home.write(head, to: path)
        try #require(path.withPlatformString { truncate($0, 2 << 30) } == 0)
        await expectFailure(try Descriptor.openForReading(path), "zeros")
        pool.close()
    }

    @Test func `a TIFF with ten thousand pages gives the first one`() async throws {
        var file = try Fixtures.bytes("formats/blocks.tif")
        // The file's only directory is at its end. It is repeated, and each copy points to the
        // next.
        let start = Int(file[4]) | Int(file[5]) << 8
        let directory = Array(file[start...].dropLast(4))
        for page in 1...10_000 {
            let next = start + page * (directory.count + 4)
            file.replaceSubrange((file.count - 4)..., with: littleEndian(next))
            file += directory + [0, 0, 0, 0]
        }
        #expect(try await size(of: memoryFile(file)) == PixelSize(width: 48, height: 32))
        // A directory that points to itself.
        file.replaceSubrange((file.count - 4)..., with: littleEndian(start))
        #expect(try await size(of: memoryFile(file)) == PixelSize(width: 48, height: 32))
        pool.close()
    }

    @Test func `a GIF with a hundred thousand frames gives the first one`() async throws {
        let moving = try Fixtures.bytes("formats/moving.gif")
        let single = try Fixtures.bytes("formats/blocks.gif")
        // The second frame and its end mark.
        let frame = moving[(single.count - 1)...].dropLast()
        var file = Array(moving.dropLast())
        for _ in 2..<100_000 { file += frame }
        let descriptor = try memoryFile(file + [0x3B])
        #expect(await size(of: descriptor) == PixelSize(width: 48, height: 32))
        let facts = try await pool.run(.probe, on: descriptor, priority: .visible)
        #expect(facts.isAnimated)
        pool.close()
    }

    @Test func `a compressed drawing of many megabytes is an error`() async throws {
        await expectFailure(try Fixtures.open("broken/bomb.svgz"), "bomb")
        pool.close()
    }

    @Test func `an SVG cannot show other files`() async throws {
        let home = try TestHome()
        let secret = home.scratch.appending("secret.png")
        try home.write(Fixtures.bytes("png/rgb.png"), to: secret)
        let references = [
            "<image xlink:href=\"\(secret)\" width=\"48\" height=\"32\"/>",
            "<image xlink:href=\"file://\(secret)\" width=\"48\" height=\"32\"/>",
            "<xi:include href=\"\(secret)\" parse=\"text\"/>",
            "<style>@import url(\"file://\(secret)\");</style>",
        ]
        for reference in references {
            let text = """
                <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
                xmlns:xi="http://www.w3.org/2001/XInclude" width="48" height="32">\(reference)</svg>
                """
            let picture = try await thumbnail(try memoryFile(Array(text.utf8)))
            let pixels = try MappedMemory(sealed: picture.file)
            #expect(pixels.bytes.allSatisfy { $0 == 0 })
        }
        pool.close()
    }

    @Test func `an SVG with expanding or external entities is rejected`() async throws {
        var entities = "<!ENTITY e0 \"ha\">"
        for level in 1...12 {
            let inner = String(repeating: "&e\(level - 1);", count: 10)
            entities += "<!ENTITY e\(level) \"\(inner)\">"
        }
        entities += "<!ENTITY file SYSTEM \"file:///etc/passwd\">"
        for name in ["e12", "file"] {
            let text = """
                <?xml version="1.0"?><!DOCTYPE svg [\(entities)]><svg \
                xmlns="http://www.w3.org/2000/svg" width="48" height="32"><desc>&\(name);</desc></svg>
                """
            await expectFailure(try memoryFile(Array(text.utf8)), name)
        }
        pool.close()
    }

    @Test func `a file that shrinks and grows gives a picture or an error`() async throws {
        let home = try TestHome()
        for name in ["jpeg/progressive.jpg", "png/rgb.png", "raw/canon.cr3"] + formats() {
            let bytes = try Fixtures.bytes(name)
            let path = home.scratch.appending("changing")
            try home.write(bytes, to: path)
            let end = Recorder<Void>()
            let changes = Task {
                defer { end.note(()) }
                // Changed in place, so that a process with an open descriptor sees it.
                let file = try FileDescriptor.open(path, .writeOnly)
                try file.closeAfter {
                    for round in 0..<200 {
                        let count = bytes.count * (round % 5) / 4
                        try #require(ftruncate(file.rawValue, off_t(count)) == 0)
                        _ = try file.writeAll(toAbsoluteOffset: 0, bytes.prefix(count))
                    }
                }
            }
            let file = try Descriptor.openForReading(path)
            repeat {
                await expectClearEnd(file, name)
            } while end.count == 0
            try await changes.value
        }
        pool.close()
    }

    // MARK: -

    private func formats() -> [String] {
        names(in: Fixtures.path("formats")).map { "formats/\($0.string)" }
    }

    /// The fixtures, and the smaller files of the corpora if they are available.
    private func samples() throws -> [(String, [UInt8])] {
        var paths: [(String, FilePath)] = []
        for folder in ["formats", "jpeg", "png", "colour", "preview", "raw"] {
            for name in names(in: Fixtures.path(folder)) {
                paths.append(("\(folder)/\(name)", Fixtures.path(folder).appending(name)))
            }
        }
        paths += Corpora.manifest.map { ($0.name, $0.path) }
        return try paths.compactMap { name, path in
            let bytes = try Descriptor.openForReading(path).read(upTo: 100_001)
            return bytes.count <= 100_000 ? (name, bytes) : nil
        }
    }

    private func memoryFile(_ bytes: [UInt8]) throws -> Descriptor {
        try MemoryFile.make(named: "sample", holding: bytes.isEmpty ? [0] : bytes)
    }

    private func thumbnail(_ file: Descriptor) async throws(DecodeError) -> RawPicture {
        let start = ProcessorTime.ofChildren()
        defer { #expect(ProcessorTime.ofChildren() - start < Self.limit) }
        return try await pool.run(.pixels(side: 128), on: file, priority: .visible)
    }

    private func size(of file: Descriptor) async -> PixelSize? {
        try? await thumbnail(file).size
    }

    private func expectClearEnd(_ file: Descriptor, _ name: String) async {
        do throws(DecodeError) {
            let picture = try await thumbnail(file)
            #expect(max(picture.size.width, picture.size.height) <= 128, "\(name)")
        } catch {
            let clear: Set<DecodeError> = [
                .damaged, .tooLarge, .unsupported, .needsLibheif, .needsLibRaw,
            ]
            #expect(clear.contains(error), "\(name): \(error)")
        }
    }

    private func expectFailure(_ file: Descriptor, _ name: String) async {
        do throws(DecodeError) {
            _ = try await thumbnail(file)
            Issue.record("\(name) became a picture")
        } catch {
            #expect([.damaged, .unsupported].contains(error), "\(name): \(error)")
        }
    }

    private func littleEndian(_ value: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// The same numbers every time: SplitMix64, by Sebastiano Vigna.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

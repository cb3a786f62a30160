// SPDX-License-Identifier: MIT

import CReference
import Files
import Glibc
import Photos
import SystemPackage
import TestSupport
import Testing

@testable import Pixels

/// JPEGs at 1/8 of their size: our decoder and libjpeg-turbo give the same pixels for any file.
@Suite struct EighthTests {
    /// A picture at 1/8, as far as it could be decoded.
    private struct Eighth: Equatable {
        var size: PixelSize
        var rows: Int
        var bytes: [UInt8]
    }

    fileprivate struct Form: CustomStringConvertible {
        var size: PixelSize
        var options: reference_options

        var description: String { "\(size), \(options)" }
    }

    @Test func `every size, sampling, quality and restart interval`() throws {
        var shortCount = 0
        let count = 100
        for seed in Effort.seeds([], count: count) {
            var generator = Generator(seed: seed)
            let form = generator.form()
            let file = try #require(Self.encode(generator.scene(form.size), form))
            let (ours, isShort) = try Self.ours(file)
            try #require(ours == Self.reference(file), "\(seed): \(form)")
            shortCount += isShort ? 1 : 0
        }
        // All samplings except colour at a quarter of the resolution.
        #expect(shortCount * 4 > count * 3)
    }

    @Test func `mutated files are decoded safely`() throws {
        var shortCount = 0
        var brokenCount = 0
        for seed in Effort.seeds([], count: 1000) {
            var generator = Generator(seed: seed)
            let form = generator.form(largest: 96)
            let file = try #require(Self.encode(generator.scene(form.size), form))
            let changed = generator.changed(file)
            guard !changed.isEmpty else { continue }
            let (ours, isShort) = try Self.ours(changed)
            try #require(ours == Self.reference(changed), "\(seed): \(form)")
            shortCount += isShort ? 1 : 0
            brokenCount += ours == nil ? 1 : 0
        }
        #expect(shortCount > 30)
        #expect(brokenCount > 30)
    }

    /// Values that no real picture contains wrap around or are clamped, as in libjpeg-turbo.
    @Test(.enabled(if: hasKnownBounds, "other processors' vector code has other bounds"))
    func `arbitrary coefficients are decoded safely`() throws {
        for seed in Effort.seeds([], count: 200) {
            var generator = Generator(seed: seed)
            let form = generator.form(largest: 96)
            let values = generator.coefficients()
            let file = try #require(
                Self.bytes { count in
                    reference_encode_coefficients(
                        values, values.count, UInt32(form.size.width), UInt32(form.size.height),
                        form.options, &count)
                })
            let (ours, isShort) = try Self.ours(file)
            try #require(ours == Self.reference(file), "\(seed): \(form)")
            #expect(isShort || form.options.columns == 4)
        }
    }

    @Test(.enabled(if: Corpora.areAvailable, Comment(rawValue: Corpora.skipReason)))
    func `real photographs, odd ones and broken ones`() throws {
        var counts: (short: Int, all: Int) = (0, 0)
        let folders = Corpora.files(in: "jpeg-odd", "broken", "camera", "orientation", "bombs")
        for entry in folders where entry.name.hasSuffix(".jpg") {
            let file = try Descriptor.openForReading(entry.path).read(upTo: 64 << 20)
            guard !file.isEmpty, !(try Self.isCMYK(file)) else { continue }
            let (ours, isShort) = try Self.ours(file)
            // libjpeg may decode pictures that are too large for our decoder.
            guard let ours else { continue }
            try #require(ours == Self.reference(file), "\(entry)")
            counts.all += 1
            counts.short += isShort ? 1 : 0
        }
        #expect(counts.all > 50)
        #expect(counts.short > 30)
    }

    private static var hasKnownBounds: Bool {
        #if arch(x86_64)
        true
        #else
        false
        #endif
    }

    private static func isCMYK(_ file: [UInt8]) throws -> Bool {
        JPEGRows.isCMYK(try MemoryFile.make(named: "eighth", holding: file))
    }

    private static func ours(_ file: [UInt8]) throws -> (Eighth?, isShort: Bool) {
        let memory = try MemoryFile.make(named: "eighth", holding: file)
        // The smallest scale is 1/8.
        guard var rows = try? JPEGRows(memory, atLeast: 1, .exact) else { return (nil, false) }
        let stride = rows.size.width * 3
        var eighth = Eighth(
            size: rows.size, rows: 0,
            bytes: Array(repeating: 0, count: stride * rows.size.height))
        eighth.bytes.withUnsafeMutableBufferPointer { bytes in
            while let row = bytes.baseAddress?.advanced(by: stride * eighth.rows),
                (try? rows.read(into: row)) == true
            {
                eighth.rows += 1
            }
        }
        return (eighth, rows.isShort)
    }

    private static func reference(_ file: [UInt8]) -> Eighth? {
        var picture = reference_picture()
        let hasStarted = reference_decode(file, file.count, &picture) != 0
        defer { free(picture.pixels) }
        guard hasStarted, let pixels = picture.pixels else { return nil }
        let size = PixelSize(width: Int(picture.width), height: Int(picture.height))
        let bytes = UnsafeBufferPointer(start: pixels, count: size.width * 3 * size.height)
        return Eighth(size: size, rows: Int(picture.rows), bytes: Array(bytes))
    }

    private static func encode(_ pixels: [UInt8], _ form: Form) -> [UInt8]? {
        bytes { count in
            reference_encode(
                pixels, UInt32(form.size.width), UInt32(form.size.height), form.options, &count)
        }
    }

    private static func bytes(
        _ encode: (inout Int) -> UnsafeMutablePointer<UInt8>?
    ) -> [UInt8]? {
        var count = 0
        guard let bytes = encode(&count) else { return nil }
        defer { free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}

extension Generator {
    fileprivate mutating func form(largest: Int = 400) -> EighthTests.Form {
        EighthTests.Form(
            size: PixelSize(width: 1 + below(largest), height: 1 + below(largest)),
            options: reference_options(
                quality: Int32(pick([1, 20, 50, 75, 92, 98, 100])),
                columns: Int32(pick([1, 2, 2, 2, 4])), rows: Int32(pick([1, 2, 2])),
                restart_interval: Int32(pick([0, 0, 1, 2, 7, 100])),
                is_grey: below(6) == 0 ? 1 : 0, is_optimized: below(3) == 0 ? 1 : 0))
    }

    /// Some blocks of coefficients, few or many of them and small or large.
    fileprivate mutating func coefficients() -> [Int16] {
        let most = pick([2, 100, 1023])
        let density = pick([1, 4, 30])
        return (0..<64 * (1 + below(40))).map { _ in
            below(density) == 0 ? Int16(below(2 * most + 1) - most) : 0
        }
    }

    /// A mixture of a smooth ramp and noise.
    fileprivate mutating func scene(_ size: PixelSize) -> [UInt8] {
        let noise = UInt64(pick([0, 1, 10, 60, 255]))
        let steps = (1 + below(5), 1 + below(5), 1 + below(300))
        return (0..<size.height).flatMap { y in
            (0..<size.width).flatMap { x in
                let ramp = [x * steps.0, y * steps.1, (x + y) * steps.2 / 100]
                return ramp.map { value in
                    UInt8(truncatingIfNeeded: UInt64(value) &+ (noise > 0 ? number() % noise : 0))
                }
            }
        }
    }
}

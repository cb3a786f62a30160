// SPDX-License-Identifier: MIT

import Files
import Glibc
import HEIFFormats
import Photos
import TestSupport
import Testing

@testable import Pixels

/// Photos that a person turned, straightened and cropped.
@Suite struct TurningTests {
    init() {
        HEIFFormats.install()
    }

    private func derived(
        _ file: Descriptor, _ clip: PixelRectangle?, _ rotation: Rotation, size: PixelSize,
        as format: OutputFormat = .png, quality: Int = 95
    ) throws -> Bitmap {
        let change = PictureChange(
            format: format, clip: clip, rotation: rotation, size: size, quality: quality)
        let derived = try #require(
            try PictureFile.derive(file, Derivation(removesLocation: false, picture: change)))
        let (bitmap, facts) = try PictureFile.decode(
            try MemoryFile.make(named: "turned", holding: derived.bytes), fitting: 4096)
        #expect(facts.orientation == .upright)
        return bitmap
    }

    @Test(arguments: 1...8, 0..<4)
    func `a part of a turned photo is exact to the pixel`(tag: Int, quarters: Int) throws {
        let file = try Fixtures.open("orientation/\(tag).jpg")
        let (whole, _) = try PictureFile.decode(file, fitting: 4096)
        let clip = PixelRectangle(x: 3, y: 5, width: 20, height: 11)
        let rotation = Rotation(quarters: quarters)
        let part = try derived(file, clip, rotation, size: rotation.applied(to: clip.size))
        let expected = whole.cropped(to: clip).turned(quarters)
        #expect(part.size == expected.size && part.bytes == expected.bytes)
        guard rotation != .none else { return }
        let all = try derived(file, nil, rotation, size: rotation.applied(to: whole.size))
        #expect(all.bytes == whole.turned(quarters).bytes)
    }

    /// The coefficients are the same, so the pixels differ only by what a transform rounds; encoded again in the
    /// lowest quality, they would differ by far more.
    @Test(arguments: 1...8, 1..<4)
    func `a JPEG is turned without decoding`(tag: Int, quarters: Int) throws {
        let file = try Fixtures.open("orientation/\(tag).jpg")
        let (whole, _) = try PictureFile.decode(file, fitting: 4096)
        let clip = PixelRectangle(x: 16, y: 16, width: 32, height: 16)
        let rotation = Rotation(quarters: quarters)
        for part in [clip, nil] {
            let shown = part.map { whole.cropped(to: $0) } ?? whole
            let size = rotation.applied(to: shown.size)
            let bitmap = try derived(
                file, part, rotation, size: size, as: .jpeg, quality: 1)
            let expected = shown.turned(quarters)
            try #require(bitmap.size == expected.size)
            let most = zip(bitmap.bytes, expected.bytes).map { abs(Int($0) - Int($1)) }.max()
            #expect((most ?? 255) <= 2, "\(part.debugDescription)")
        }
    }

    @Test func `a HEIF is turned as well`() throws {
        let file = try Fixtures.open("formats/blocks.heic")
        let (whole, _) = try PictureFile.decode(file, fitting: 4096)
        let bitmap = try derived(
            file, nil, Rotation(quarters: 3), size: whole.size.transposed)
        #expect(bitmap.bytes == whole.turned(3).bytes)
    }

    // MARK: - Straightening

    /// White dots with soft edges on black, and where they are.
    private static let chart: (bitmap: Bitmap, dots: [(x: Double, y: Double)]) = {
        let size = PixelSize(width: 301, height: 200)
        let dots: [(x: Double, y: Double)] = [
            (150.5, 100), (110.25, 80.5), (200, 70.75), (180.5, 140), (90, 120),
        ]
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let nearest = dots.map { dot in
                    let (across, down) = (Double(x) + 0.5 - dot.x, Double(y) + 0.5 - dot.y)
                    return across * across + down * down
                }.min()
                let light = max(0, 1 - (nearest ?? 0) / 25)
                bytes += Array(repeating: UInt8(255 * light), count: 3)
            }
        }
        return (Bitmap(size: size, format: .rgb, bytes: bytes), dots)
    }()

    /// The middle of the light around a place.
    private func centre(_ bitmap: Bitmap, near place: (x: Double, y: Double)) -> (
        x: Double, y: Double
    ) {
        var (sum, x, y) = (0.0, 0.0, 0.0)
        for row in max(0, Int(place.y) - 7)..<min(bitmap.size.height, Int(place.y) + 8) {
            for column in max(0, Int(place.x) - 7)..<min(bitmap.size.width, Int(place.x) + 8) {
                let light = Double(bitmap.bytes[(row * bitmap.size.width + column) * 3])
                sum += light
                x += light * (Double(column) + 0.5)
                y += light * (Double(row) + 0.5)
            }
        }
        return (x / sum, y / sum)
    }

    @Test(arguments: [-4500, -1234, -10, 10, 500, 3000, 4500], 0..<4)
    func `what a straightened photo shows is within half a pixel of its place`(
        hundredths: Int, quarters: Int
    ) throws {
        let chart = Self.chart
        let file = try MemoryFile.make(named: "chart", holding: chart.bitmap.png())
        let rotation = Rotation(quarters: quarters, hundredths: hundredths)
        let clip = PixelRectangle(x: 80, y: 30, width: 140, height: 140)
        let bitmap = try derived(file, clip, rotation, size: clip.size)
        let angle = rotation.degrees * .pi / 180
        var seen = 0
        for dot in chart.dots {
            // Around the middle, clockwise, with y downwards; then in the part, which turns.
            let (right, down) = (dot.x - 150.5, dot.y - 100)
            var place = (
                x: right * cos(angle) - down * sin(angle) + 150.5 - Double(clip.x),
                y: right * sin(angle) + down * cos(angle) + 100 - Double(clip.y)
            )
            for _ in 0..<quarters { place = (140 - place.y, place.x) }
            guard (8..<132).contains(place.x), (8..<132).contains(place.y) else { continue }
            seen += 1
            let found = centre(bitmap, near: place)
            #expect(
                abs(found.x - place.x) < 0.25 && abs(found.y - place.y) < 0.25,
                "\(place) \(found)")
        }
        #expect(seen >= 3)
    }

    @Test func `a straightened photo keeps its colours and has no edges of another one`() throws {
        for format in [Bitmap.Format.rgb, .rgba] {
            let colour: [UInt8] = [200, 100, 50, 128]
            let size = PixelSize(width: 120, height: 90)
            let pixels = (0..<size.width * size.height).flatMap { _ in
                colour.prefix(format.bytesPerPixel)
            }
            let bitmap = Bitmap(size: size, format: format, bytes: Array(pixels))
            let file = try MemoryFile.make(named: "plain", holding: bitmap.png())
            let rotation = Rotation(hundredths: 700)
            let clip = PixelRectangle(size).moved(inside: size, rotation, shape: nil)
            let part = try derived(file, clip, rotation, size: clip.size)
            #expect(Set(part.bytes) == Set(colour.prefix(format.bytesPerPixel)))
        }
    }

    @Test func `colours that cannot be seen do not show at the edges of what can`() throws {
        // The left half is red, the right half is green and transparent.
        let size = PixelSize(width: 64, height: 64)
        let pixels = (0..<size.width * size.height).flatMap { index -> [UInt8] in
            index % 64 < 32 ? [255, 0, 0, 255] : [0, 255, 0, 0]
        }
        let bitmap = Bitmap(size: size, format: .rgba, bytes: pixels)
        let part = bitmap.straightened(
            by: 10, part: PixelRectangle(x: 12, y: 12, width: 40, height: 40))
        for place in stride(from: 0, to: part.bytes.count, by: 4) where part.bytes[place + 3] > 8 {
            #expect(part.bytes[place] > 240 && part.bytes[place + 1] < 16)
        }
    }

    @Test func `a straightened part is scaled to the size that the app wants`() throws {
        let file = try Fixtures.open("orientation/6.jpg")
        let rotation = Rotation(quarters: 1, hundredths: -300)
        let clip = PixelRectangle(x: 10, y: 8, width: 20, height: 10)
        for size in [PixelSize(width: 5, height: 10), PixelSize(width: 40, height: 80)] {
            #expect(try derived(file, clip, rotation, size: size).size == size)
        }
    }

    // MARK: - Circles

    @Test func `a circle has soft edges, and nothing of the photo is outside it`() throws {
        let file = try Fixtures.open("orientation/6.jpg")
        let (whole, _) = try PictureFile.decode(file, fitting: 4096)
        let clip = PixelRectangle(x: 8, y: 0, width: 32, height: 32)
        var change = PictureChange(format: .png, clip: clip, size: clip.size, quality: 90)
        change.isRound = true
        let derived = try #require(
            try PictureFile.derive(file, Derivation(removesLocation: false, picture: change)))
        let (circle, _) = try PictureFile.decode(
            try MemoryFile.make(named: "circle", holding: derived.bytes), fitting: 64)
        let part = whole.cropped(to: clip)
        #expect(circle.format == .rgba && circle.size == clip.size)
        for y in 0..<32 {
            for x in 0..<32 {
                let distance = hypot(Double(x) - 15.5, Double(y) - 15.5)
                let (from, to) = ((y * 32 + x) * 3, (y * 32 + x) * 4)
                let pixel = Array(circle.bytes[to..<to + 4])
                if distance > 16.8 { #expect(pixel == [0, 0, 0, 0], "\(x) \(y)") }
                if distance < 15.2 {
                    #expect(pixel == Array(part.bytes[from..<from + 3]) + [255], "\(x) \(y)")
                }
            }
        }
        let partly = stride(from: 3, to: circle.bytes.count, by: 4).filter {
            (1..<255).contains(circle.bytes[$0])
        }
        #expect(partly.count > 40)
    }

    @Test(arguments: [PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 50)])
    func `a circle in a line shows something`(size: PixelSize) {
        let bitmap = Bitmap(
            size: size, format: .rgb,
            bytes: Array(repeating: 9, count: size.width * size.height * 3))
        #expect(bitmap.round.bytes.contains(9))
    }
}

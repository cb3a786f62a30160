// SPDX-License-Identifier: MIT

import Photos
import Testing

/// Photos that a person turns and straightens.
@Suite struct RotationTests {
    private static let wide = PixelSize(width: 3, height: 2)

    /// Where a pixel of a picture is after one quarter turn to the right.
    private func turnedRight(_ x: Int, _ y: Int, in picture: PixelSize) -> (x: Int, y: Int) {
        (picture.height - 1 - y, x)
    }

    @Test(arguments: Orientation.allCases, 0..<4)
    func `an orientation and quarter turns are one orientation`(
        orientation: Orientation, quarters: Int
    ) {
        let rotation = Rotation(quarters: quarters)
        let both = orientation.turned(by: rotation)
        let upright = orientation.applied(to: Self.wide)
        #expect(both.applied(to: Self.wide) == rotation.applied(to: upright))
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                var (place, size) = ((x: x, y: y), upright)
                for _ in 0..<quarters {
                    place = turnedRight(place.x, place.y, in: size)
                    size = size.transposed
                }
                let stored = both.storedPosition(x: place.x, y: place.y, in: Self.wide)
                #expect(stored == orientation.storedPosition(x: x, y: y, in: Self.wide))
            }
        }
    }

    @Test(arguments: 0..<4)
    func `a part turns with the picture, and back`(quarters: Int) {
        let picture = PixelSize(width: 10, height: 6)
        let part = PixelRectangle(x: 1, y: 2, width: 5, height: 3)
        let expected = [
            part, PixelRectangle(x: 1, y: 1, width: 3, height: 5),
            PixelRectangle(x: 4, y: 1, width: 5, height: 3),
            PixelRectangle(x: 2, y: 4, width: 3, height: 5),
        ]
        let rotation = Rotation(quarters: quarters)
        let turned = rotation.applied(to: part, in: picture)
        #expect(turned == expected[quarters])
        #expect(
            rotation.inverse.applied(to: turned, in: rotation.applied(to: picture)) == part)
    }

    @Test func `turns and angles that are not allowed are refused`() {
        #expect(Rotation(turn: 270, angle: -45) == Rotation(quarters: 3, hundredths: -4500))
        #expect(Rotation(turn: 0, angle: 1.004)?.hundredths == 100)
        for turn in [-90, 45, 360, .max, .min] { #expect(Rotation(turn: turn, angle: 0) == nil) }
        for angle in [45.1, -46, .infinity, .nan] {
            #expect(Rotation(turn: 0, angle: angle) == nil)
        }
        #expect(Rotation(quarters: -1).quarters == 3)
        #expect(Rotation(quarters: .min, hundredths: .max) == Rotation(hundredths: 4500))
    }

    // MARK: - Inside a turned picture

    @Test func `the middle of a square that stands on its corner is smaller by √2`() {
        let picture = PixelSize(width: 1000, height: 1000)
        let part = PixelRectangle(picture).moved(
            inside: picture, Rotation(hundredths: 4500), shape: nil)
        // A corner may be half a pixel outside.
        #expect((706...709).contains(part.width) && part.width == part.height)
        #expect(abs(part.x * 2 + part.width - 1000) <= 1)
        #expect(abs(part.y * 2 + part.height - 1000) <= 1)
    }

    @Test func `a part in a corner moves towards the middle as the picture turns`() {
        let picture = PixelSize(width: 4000, height: 3000)
        let corner = PixelRectangle(x: 0, y: 0, width: 400, height: 300)
        #expect(corner.moved(inside: picture, .none, shape: nil) == corner)
        let moved = corner.moved(inside: picture, Rotation(hundredths: 1000), shape: nil)
        #expect(moved.x > 0 && moved.y > 0 && moved.width > 250)
        #expect(moved.x < 700 && moved.y < 500)
    }

    @Test func `whatever is asked for, the part shows nothing beside the picture`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let picture = PixelSize(
                width: .random(in: 1...3000, using: &random),
                height: .random(in: 1...3000, using: &random))
            let x = Int.random(in: 0..<picture.width, using: &random)
            let y = Int.random(in: 0..<picture.height, using: &random)
            let part = PixelRectangle(
                x: x, y: y, width: .random(in: 1...picture.width - x, using: &random),
                height: .random(in: 1...picture.height - y, using: &random))
            let shape =
                Bool.random(using: &random)
                ? PixelSize(
                    width: .random(in: 1...20, using: &random),
                    height: .random(in: 1...20, using: &random)) : nil
            let rotation = Rotation(
                quarters: .random(in: 0..<4, using: &random),
                hundredths: .random(in: Rotation.angles, using: &random))
            let moved = part.settled(to: shape).moved(inside: picture, rotation, shape: shape)
            #expect(!moved.size.isEmpty && moved.isInside(picture, rotation))
            #expect(moved.settled(to: shape) == moved)
            #expect(moved.moved(inside: picture, rotation, shape: shape) == moved)
        }
    }

    @Test(arguments: [PixelSize(width: 1, height: 30_000), PixelSize(width: 1, height: 1)])
    func `a picture that is a line can be straightened`(picture: PixelSize) {
        let rotation = Rotation(hundredths: 4500)
        let part = PixelRectangle(picture).moved(inside: picture, rotation, shape: nil)
        #expect(part.size == PixelSize(width: 1, height: 1))
        #expect(part.clamped(to: picture) == part)
        #expect(part.moved(inside: picture, rotation, shape: nil) == part)
    }
}

/// The same numbers in each run.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// - Source: Steele, Lea and Flood, “Fast splittable pseudorandom number generators”, 2014.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

// SPDX-License-Identifier: MIT

internal import Glibc

/// How a person turned a photo: by a small angle around its middle, so that the horizon is level, and by
/// quarters.
package struct Rotation: Hashable, Sendable {
    /// Quarter turns clockwise, 0…3.
    package let quarters: Int
    /// The angle in hundredths of a degree, clockwise, within ``angles``.
    package let hundredths: Int

    /// The allowed angles, in hundredths of a degree: no photo leans more than to its next side.
    package static let angles = -4500...4500

    package static let none = Rotation()

    /// - Parameters:
    ///   - quarters: Quarter turns clockwise, any number.
    ///   - hundredths: The angle; one that is not allowed is limited.
    package init(quarters: Int = 0, hundredths: Int = 0) {
        self.quarters = ((quarters % 4) + 4) % 4
        self.hundredths = min(
            max(hundredths, Self.angles.lowerBound), Self.angles.upperBound)
    }

    /// The angle in degrees, clockwise.
    package var degrees: Double { Double(hundredths) / 100 }

    /// Whether width and height are exchanged.
    package var swapsSides: Bool { !quarters.isMultiple(of: 2) }

    /// The size of a picture after the quarter turns.
    package func applied(to size: PixelSize) -> PixelSize {
        swapsSides ? size.transposed : size
    }

    /// Where a part of a picture is after the quarter turns.
    ///
    /// - Parameters:
    ///   - part: A rectangle inside the picture.
    ///   - picture: Its size before.
    package func applied(to part: PixelRectangle, in picture: PixelSize) -> PixelRectangle {
        var (part, picture) = (part, picture)
        for _ in 0..<quarters {
            part = PixelRectangle(
                x: picture.height - part.y - part.height, y: part.x, width: part.height,
                height: part.width)
            picture = picture.transposed
        }
        return part
    }

    /// The quarter turns that undo those of this one.
    package var inverse: Rotation { Rotation(quarters: -quarters) }

    /// With more quarter turns.
    package func turned(by quarters: Int) -> Rotation {
        Rotation(quarters: self.quarters + quarters % 4, hundredths: hundredths)
    }
}

extension Rotation {
    /// Reads a turn and an angle as they are on the bus; nil if one of them is not allowed.
    ///
    /// - Parameters:
    ///   - turn: 0, 90, 180 or 270 degrees, clockwise.
    ///   - angle: -45…45 degrees, clockwise; rounded to hundredths.
    package init?(turn: Int, angle: Double) {
        guard (0..<360).contains(turn), turn.isMultiple(of: 90), angle.isFinite,
            abs(angle) <= 45
        else { return nil }
        self.init(quarters: turn / 90, hundredths: Int((angle * 100).rounded()))
    }

    /// The quarter turns in degrees, clockwise.
    package var turn: Int { quarters * 90 }
}

extension Orientation {
    /// Upright, and then turned by quarters.
    package func turned(by rotation: Rotation) -> Orientation {
        (0..<rotation.quarters).reduce(self) { orientation, _ in
            switch orientation {
            case .upright: .turnedRight
            case .turnedRight: .turnedAround
            case .turnedAround: .turnedLeft
            case .turnedLeft: .upright
            case .mirrored: .transversed
            case .transversed: .flipped
            case .flipped: .transposed
            case .transposed: .mirrored
            }
        }
    }
}

// MARK: - Inside a turned picture

extension PixelRectangle {
    /// How far a corner may be outside, in pixels: half of one, because edges are rounded to whole pixels.
    private static let tolerance = 0.5

    /// Whether a part of a picture that was turned around its middle shows nothing beside it.
    ///
    /// - Parameters:
    ///   - picture: The size of the picture.
    ///   - rotation: Only the angle counts.
    package func isInside(_ picture: PixelSize, _ rotation: Rotation) -> Bool {
        guard clamped(to: picture) == self else { return false }
        guard rotation.hundredths != 0 else { return true }
        let angle = rotation.degrees * .pi / 180
        let (sine, cosine) = (sin(angle), cos(angle))
        let (halfWidth, halfHeight) = (Double(picture.width) / 2, Double(picture.height) / 2)
        for corner in [(x, y), (x + width, y), (x, y + height), (x + width, y + height)] {
            let right = Double(corner.0) - halfWidth
            let down = Double(corner.1) - halfHeight
            // Back to where the corner was before the turn.
            let column = right * cosine + down * sine
            let row = down * cosine - right * sine
            guard abs(column) <= halfWidth + Self.tolerance,
                abs(row) <= halfHeight + Self.tolerance
            else { return false }
        }
        return true
    }

    /// The rectangle itself if it is inside a turned picture; otherwise smaller, and nearer to the middle.
    ///
    /// Of a picture that is hardly more than a line, the middle pixel may be left, whose corners are outside.
    ///
    /// - Parameters:
    ///   - picture: The size of the picture, not empty.
    ///   - rotation: Only the angle counts.
    ///   - shape: The ratio of width to height that it keeps; nil for its own.
    package func moved(
        inside picture: PixelSize, _ rotation: Rotation, shape: PixelSize?
    ) -> PixelRectangle {
        guard !isInside(picture, rotation) else { return self }
        let middle = PixelRectangle(
            x: (picture.width - 1) / 2, y: (picture.height - 1) / 2, width: 1, height: 1)
        // The middle is inside, and what is nearer to it the more so.
        var (inside, low, high) = (middle, 0.0, 1.0)
        for _ in 0..<24 {
            let share = (low + high) / 2
            let part = nearer(to: middle, by: share).settled(to: shape)
            if part.isInside(picture, rotation) {
                (inside, high) = (part, share)
            } else {
                low = share
            }
        }
        return inside
    }

    private func nearer(to middle: PixelRectangle, by share: Double) -> PixelRectangle {
        func between(_ from: Double, _ to: Double) -> Double { from + (to - from) * share }
        let width = max(1, Int(Double(width) * (1 - share)))
        let height = max(1, Int(Double(height) * (1 - share)))
        let centreX = between(Double(x) + Double(self.width) / 2, Double(middle.x) + 0.5)
        let centreY = between(Double(y) + Double(self.height) / 2, Double(middle.y) + 0.5)
        return PixelRectangle(
            x: Int((centreX - Double(width) / 2).rounded()),
            y: Int((centreY - Double(height) / 2).rounded()), width: width, height: height)
    }

    /// The largest part of a shape around the middle, which stays the same if it is narrowed again.
    ///
    /// - Parameter shape: The ratio of width to height; nil for any.
    package func settled(to shape: PixelSize?) -> PixelRectangle {
        guard let shape else { return self }
        var part = self
        while true {
            let next = part.narrowed(to: shape)
            if next == part { return part }
            part = next
        }
    }
}

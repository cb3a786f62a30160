// SPDX-License-Identifier: MIT

/// A point of a camera's picture as the sensor sees it, not turned and not mirrored.
package struct FocusPoint: Hashable, Sendable {
    /// From the left, 0…1.
    package let x: Double
    /// From the top, 0…1.
    package let y: Double

    package static let middle = FocusPoint(x: 0.5, y: 0.5)

    /// - Parameters:
    ///   - x: Any number, limited to 0…1; what is not a number counts as the middle.
    ///   - y: The same.
    package init(x: Double, y: Double) {
        self.x = Self.limited(x)
        self.y = Self.limited(y)
    }

    /// The point that a person has touched in a view that the picture fills (S5.17).
    ///
    /// With a view as high and wide as the turned picture of a sensor that lies on its side, the result is
    /// (y/H, 1 − x/W).
    ///
    /// - Parameters:
    ///   - x: From the left of the view, in the unit of its width.
    ///   - y: From its top.
    ///   - width: The width of the view.
    ///   - height: The height of the view.
    ///   - sensor: The size of the picture as the sensor delivers it.
    ///   - orientation: How the view shows it.
    /// - Returns: The point; the middle if the view or the picture is empty.
    package init(
        x: Double, y: Double, inViewOf width: Double, by height: Double,
        filledWith sensor: PixelSize,
        _ orientation: Orientation
    ) {
        let upright = orientation.applied(to: sensor)
        guard !upright.isEmpty, width > 0, height > 0, width.isFinite, height.isFinite else {
            self = .middle
            return
        }
        let (pictureWidth, pictureHeight) = (Double(upright.width), Double(upright.height))
        // The picture is enlarged until no border is left, and what is too much is cut off on both sides.
        let scale = max(width / pictureWidth, height / pictureHeight)
        let column = Self.limited((x - width / 2) / (pictureWidth * scale) + 0.5)
        let row = Self.limited((y - height / 2) / (pictureHeight * scale) + 0.5)
        self =
            switch orientation {
            case .upright: FocusPoint(x: column, y: row)
            case .mirrored: FocusPoint(x: 1 - column, y: row)
            case .turnedAround: FocusPoint(x: 1 - column, y: 1 - row)
            case .flipped: FocusPoint(x: column, y: 1 - row)
            case .transposed: FocusPoint(x: row, y: column)
            case .turnedRight: FocusPoint(x: row, y: 1 - column)
            case .transversed: FocusPoint(x: 1 - row, y: 1 - column)
            case .turnedLeft: FocusPoint(x: 1 - row, y: column)
            }
    }

    private static func limited(_ value: Double) -> Double {
        value.isNaN ? 0.5 : min(max(value, 0), 1)
    }
}

// SPDX-License-Identifier: MIT

/// The size and the shape in which a grid shows photos, as a person set them.
package struct GridStyle: Hashable, Sendable {
    /// The sizes, from the smallest to the largest.
    package static let steps = 0...4

    /// The size; one of ``steps``.
    package private(set) var step = 2
    /// Whether photos are cropped to squares; nil if the person leaves that to the width of the grid.
    package var isSquare: Bool?

    package init(step: Int = 2, isSquare: Bool? = nil) {
        self.step = min(max(step, Self.steps.lowerBound), Self.steps.upperBound)
        self.isSquare = isSquare
    }

    /// This style some steps larger, or smaller if the number is negative.
    package func zoomed(by steps: Int) -> GridStyle {
        GridStyle(step: step + min(max(steps, -10), 10), isSquare: isSquare)
    }

    /// The time that a heading stands for, at least: smaller photos have fewer headings.
    package var dateUnit: DateUnit {
        switch step {
        case 0: .year
        case 1: .month
        default: .day
        }
    }

    // MARK: - Measures

    /// In a narrower grid, photos are squares unless the person decides otherwise, in layout pixels.
    private static let narrowWidth = 500

    /// Whether photos are squares in a grid of a width.
    package func isSquare(inWidth width: Int) -> Bool { isSquare ?? (width < Self.narrowWidth) }

    /// The space between photos, in layout pixels.
    package func gap(inWidth width: Int) -> Int { width < Self.narrowWidth ? 2 : 4 }

    /// The height of rows in which photos keep their shape, in layout pixels.
    package func rowHeight(inWidth width: Int) -> Int {
        let factors = [0.5, 0.7, 1, 1.4, 2]
        return Int((Double(JustifiedRows.usualHeight(inWidth: width)) * factors[step]).rounded())
    }

    /// The number of squares side by side; nil if photos keep their shape.
    package func columns(inWidth width: Int) -> Int? {
        guard isSquare(inWidth: width) else { return nil }
        // A phone has room for three of them.
        guard width >= Self.narrowWidth else { return 5 - step }
        let gap = gap(inWidth: width)
        return max((width + gap) / (rowHeight(inWidth: width) + gap), 1)
    }
}

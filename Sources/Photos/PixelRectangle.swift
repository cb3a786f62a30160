// SPDX-License-Identifier: MIT

/// A rectangle of whole pixels; x grows to the right, y downwards.
package struct PixelRectangle: Hashable, Sendable, CustomStringConvertible {
    package let x: Int
    package let y: Int
    package let width: Int
    package let height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The rectangle that covers a whole picture.
    package init(_ size: PixelSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    package var size: PixelSize { PixelSize(width: width, height: height) }

    package var description: String { "\(width)×\(height)+\(x)+\(y)" }

    /// The part of the rectangle that is inside a picture; nil if it is outside.
    ///
    /// No value overflows.
    package func clamped(to picture: PixelSize) -> PixelRectangle? {
        let columns = Self.overlap(x, width, picture.width)
        let rows = Self.overlap(y, height, picture.height)
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        return PixelRectangle(
            x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    private static func overlap(_ start: Int, _ count: Int, _ limit: Int) -> Range<Int> {
        let (end, overflow) = start.addingReportingOverflow(max(count, 0))
        let first = min(max(start, 0), max(limit, 0))
        return first..<max(first, min(overflow ? .max : end, max(limit, 0)))
    }

    /// The largest centred rectangle of a given shape inside this one.
    ///
    /// - Parameter aspect: The ratio of width to height.
    /// - Returns: The rectangle, with each side rounded to the nearest pixel and at least 1; `self`
    ///   if the shape is empty.
    package func narrowed(to aspect: PixelSize) -> PixelRectangle {
        guard !aspect.isEmpty, !size.isEmpty else { return self }
        // One of the two sides stays the same.
        let width = min(self.width, max(1, Self.scaled(self.height, aspect.width, aspect.height)))
        let height = min(self.height, max(1, Self.scaled(self.width, aspect.height, aspect.width)))
        return PixelRectangle(
            x: x + (self.width - width) / 2, y: y + (self.height - height) / 2,
            width: width, height: height)
    }

    /// `side * numerator / denominator`, rounded to the nearest number; `Int.max` if it does not fit.
    ///
    /// All three are above 0.
    private static func scaled(_ side: Int, _ numerator: Int, _ denominator: Int) -> Int {
        let divisor = UInt(denominator)
        let product = UInt(side).multipliedFullWidth(by: UInt(numerator))
        // Otherwise the quotient would have more than 64 bits.
        guard product.high < divisor else { return .max }
        let (quotient, remainder) = divisor.dividingFullWidth(product)
        let isNearerAbove = remainder >= divisor - remainder && quotient < .max
        return Int(clamping: isNearerAbove ? quotient + 1 : quotient)
    }
}

extension Orientation {
    /// Returns the stored position of a rectangle of the upright picture.
    ///
    /// - Parameters:
    ///   - upright: A rectangle inside the upright picture, not empty.
    ///   - stored: The size as stored.
    package func storedRectangle(of upright: PixelRectangle, in stored: PixelSize) -> PixelRectangle
    {
        let first = storedPosition(x: upright.x, y: upright.y, in: stored)
        let last = storedPosition(
            x: upright.x + upright.width - 1, y: upright.y + upright.height - 1, in: stored)
        return PixelRectangle(
            x: min(first.x, last.x), y: min(first.y, last.y),
            width: abs(first.x - last.x) + 1, height: abs(first.y - last.y) + 1)
    }
}

// SPDX-License-Identifier: MIT

/// A layout of photos in one row, in which each photo has the same height and keeps its own shape.
///
/// Lengths are layout pixels. Positions count from the start of the row: from the left or, where lines
/// run from right to left, from the right.
package struct StripLayout: Hashable, Sendable {
    /// The height of the strip.
    package static let height = 165
    /// The space around the photos, and between them.
    package static let inset = 5
    /// The height of a photo.
    package static let photoHeight = height - 2 * inset

    /// Narrower photos could not be hit, and wider ones would fill the strip alone; both lose what does
    /// not fit.
    private static let widths = 40...10 * photoHeight

    /// Where each photo begins, and where one after the last would.
    private let starts: [Int]

    /// - Parameter aspectRatios: Width divided by height of each upright photo; anything but a positive
    ///   number counts as 1.
    package init(aspectRatios: some Sequence<Float>) {
        var starts = [Self.inset]
        var end = Self.inset
        for ratio in aspectRatios {
            end += Self.width(ofPhotoWith: ratio) + Self.inset
            starts.append(end)
        }
        self.starts = starts
    }

    package var count: Int { starts.count - 1 }
    /// The width of the whole row, with the space around it.
    package var width: Int { count == 0 ? 2 * Self.inset : starts[count] }

    /// From where to where a photo is.
    package func range(of index: Int) -> Range<Int> {
        starts[index]..<starts[index + 1] - Self.inset
    }

    /// The photos that are at least partly between two positions.
    package func photos(from start: Int, to end: Int) -> Range<Int> {
        let first = firstPhoto { $0.upperBound > start }
        return first..<max(first, firstPhoto { $0.lowerBound >= end })
    }

    /// The width of a photo.
    package static func width(ofPhotoWith aspectRatio: Float) -> Int {
        let ratio = aspectRatio > 0 ? Double(min(aspectRatio, 1000)) : 1
        let width = Int((Double(photoHeight) * ratio).rounded())
        return min(max(width, widths.lowerBound), widths.upperBound)
    }

    /// The first photo with a property that all photos after it have as well.
    private func firstPhoto(where isMet: (Range<Int>) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isMet(range(of: middle)) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

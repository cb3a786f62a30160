// SPDX-License-Identifier: MIT

/// A unit of the calendar by which photos are grouped.
package enum DateUnit: Hashable, Sendable {
    case day, month, year

    /// The next longer unit; nil for a year.
    var coarser: DateUnit? {
        switch self {
        case .day: .month
        case .month: .year
        case .year: nil
        }
    }
}

/// Photos that were taken in the same day, month or year, one after the other in a list.
package struct DateSection: Hashable, Sendable {
    /// Their indices in the list.
    package let photos: Range<Int>
    package let unit: DateUnit

    package init(photos: Range<Int>, unit: DateUnit) {
        self.photos = photos
        self.unit = unit
    }
}

/// Divides a list of photos by date.
///
/// Days with few photos share the heading of their month, and such months that of their year:
/// otherwise most of a small library would be headings.
package enum DateSections {
    /// The fewest photos that days of a month, or months of a year, have on average if each of them is
    /// a section of its own.
    package static let fewestPhotos = 4

    /// Divides a list; one that is not ordered by date, newest first, has no sections.
    ///
    /// Takes time for each section; for each photo, only a comparison.
    ///
    /// - Parameters:
    ///   - taken: When each photo was taken, in seconds since 1970.
    ///   - unit: The shortest time that a section stands for.
    ///   - beginning: Returns the beginning of the day, month or year that contains a time.
    package static func sections(
        taken: [Int64], by unit: DateUnit, beginning: (DateUnit, Int64) -> Int64
    ) -> [DateSection] {
        guard isNewestFirst(taken) else { return [] }
        var sections: [DateSection] = []
        var first = 0
        while first < taken.count {
            let end = taken.firstIndex(olderThan: beginning(unit, taken[first]), after: first)
            sections.append(DateSection(photos: first..<end, unit: unit))
            first = end
        }
        var current = unit
        while let coarser = current.coarser {
            sections = merge(sections, of: taken, into: coarser) { beginning(coarser, $0) }
            current = coarser
        }
        return sections
    }

    /// Makes one section of those that are in the same longer unit and have few photos.
    private static func merge(
        _ sections: [DateSection], of taken: [Int64], into unit: DateUnit,
        beginning: (Int64) -> Int64
    ) -> [DateSection] {
        var merged: [DateSection] = []
        var first = 0
        while first < sections.count {
            let start = beginning(taken[sections[first].photos.lowerBound])
            var end = first + 1
            while end < sections.count, taken[sections[end].photos.lowerBound] >= start { end += 1 }
            let photos =
                sections[first].photos.lowerBound..<sections[end - 1].photos.upperBound
            // A section that has its month to itself is more precise with the day.
            if end - first > 1, photos.count < fewestPhotos * (end - first) {
                merged.append(DateSection(photos: photos, unit: unit))
            } else {
                merged += sections[first..<end]
            }
            first = end
        }
        return merged
    }

    private static func isNewestFirst(_ taken: [Int64]) -> Bool {
        taken.withUnsafeBufferPointer { taken in
            for index in taken.indices.dropFirst() where taken[index] > taken[index - 1] {
                return false
            }
            return true
        }
    }
}

extension [Int64] {
    /// In descending order, the index of the first number after an index that is less than a limit.
    fileprivate func firstIndex(olderThan limit: Int64, after index: Int) -> Int {
        var low = index + 1
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < limit { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

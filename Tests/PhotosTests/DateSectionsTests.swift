// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct DateSectionsTests {
    private static let hour: Int64 = 3600
    private static let day = 24 * hour
    /// Each month has 30 days, and each year 12 months.
    private static func beginning(_ unit: DateUnit, _ seconds: Int64) -> Int64 {
        let length =
            switch unit {
            case .day: day
            case .month: 30 * day
            case .year: 360 * day
            }
        return seconds - seconds % length
    }

    private func sections(_ taken: [Int64], _ unit: DateUnit = .day) -> [DateSection] {
        DateSections.sections(taken: taken, by: unit, beginning: Self.beginning)
    }

    /// Photos of some days, counted from 1970, newest first; one an hour.
    private func photos(_ days: [(day: Int64, count: Int)]) -> [Int64] {
        days.flatMap { day, count in
            (0..<count).map { day * Self.day + Int64(count - 1 - $0) * Self.hour }
        }
    }

    @Test func `days with many photos have a section each`() {
        let taken = photos([(400, 6), (398, 8), (365, 4)])
        #expect(
            sections(taken) == [
                DateSection(photos: 0..<6, unit: .day), DateSection(photos: 6..<14, unit: .day),
                DateSection(photos: 14..<18, unit: .day),
            ])
    }

    @Test func `days with few photos share the section of their month`() {
        let taken = photos([(401, 9), (400, 7), (365, 1), (364, 2), (363, 5), (362, 1)])
        #expect(
            sections(taken) == [
                DateSection(photos: 0..<9, unit: .day), DateSection(photos: 9..<16, unit: .day),
                DateSection(photos: 16..<25, unit: .month),
            ])
    }

    @Test func `months with few photos share the section of their year`() {
        let taken = photos([(700, 1), (660, 2), (600, 1), (559, 1), (300, 2)])
        #expect(
            sections(taken) == [
                DateSection(photos: 0..<5, unit: .year), DateSection(photos: 5..<7, unit: .day),
            ])
    }

    @Test func `longer units leave out the shorter ones`() {
        let taken = photos([(400, 20), (399, 20), (300, 20)])
        #expect(sections(taken, .month).map(\.unit) == [.month, .month])
        #expect(sections(taken, .month).map(\.photos) == [0..<40, 40..<60])
        #expect(sections(taken, .year).map(\.photos) == [0..<40, 40..<60])
        #expect(sections(taken, .year).map(\.unit) == [.year, .year])
    }

    @Test func `a list in another order has no sections`() {
        #expect(sections([5, 4, 6]).isEmpty)
        #expect(sections([]).isEmpty)
    }

    @Test func `a clock that skips midnight ends no section before its photo`() {
        let found = DateSections.sections(taken: [90, 80, 70], by: .year) { _, seconds in
            seconds + 100
        }
        #expect(found.map(\.photos) == [0..<1, 1..<2, 2..<3])
    }

    @Test func `a million photos cost little more than a comparison each`() {
        let taken = (0..<1_000_000).map { 2_000_000_000 - Int64($0) * 600 }
        var calls = 0
        let found = DateSections.sections(taken: taken, by: .day) { unit, seconds in
            calls += 1
            return Self.beginning(unit, seconds)
        }
        #expect(found.last?.photos.upperBound == taken.count)
        #expect(calls < 5 * found.count)
    }
}

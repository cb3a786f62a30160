// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct MomentTests {
    private func day(_ year: Int, _ month: Int, _ day: Int) throws -> CalendarDay {
        try #require(CalendarDay(year: year, month: month, day: day))
    }

    @Test func `a moment is the day, or the month, that contains a day`() throws {
        let moments = try Moment.Unit.allCases.map { Moment($0, of: try day(2026, 11, 28)) }
        #expect(moments.map(\.date) == ["2026-11-28", "2026-11"])
        #expect(moments.map(\.id.rawValue) == ["moment-2026-11-28", "moment-2026-11"])
        let other = try day(2026, 11, 2)
        #expect(Moment(.day, of: other) != moments[0])
        #expect(Moment(.month, of: other) == moments[1])
    }

    @Test(arguments: ["moment-1800-01-01", "moment-2024-02-29", "moment-9999-12", "moment-2026-01"])
    func `an id names one moment, which has that id`(id: String) throws {
        let id = try #require(AlbumID(id))
        #expect(try #require(Moment(id)).id == id)
    }

    @Test(arguments: [
        "all", "moment-", "moment-2026", "moment-2026-13", "moment-2026-2-3", "moment-2023-02-29",
        "moment-1799-01", "moment-2026-01-01-01", "moment-02026-01", "moment--2026-01",
        "moment-2026-01-", "moment-2026-00", "moment-99999999999999999999-01", "folder-2026-01-01",
    ])
    func `any other id is that of no moment`(id: String) throws {
        #expect(Moment(try #require(AlbumID(id))) == nil)
    }
}

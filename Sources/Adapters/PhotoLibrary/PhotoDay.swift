// SPDX-License-Identifier: MIT

internal import Desktop
internal import GRDB
internal import Photos

/// The day on which a photo was taken, as a number in the column `day`, for example 20261128.
///
/// It is what the camera's clock showed, wherever that was, so that it stays the same when the person, or
/// this machine's clock, is in another time zone later. If no camera recorded it, it is the day of the
/// file by this machine's clock at the time when the file was examined.
enum PhotoDay {
    /// The day of a photo that has none.
    static let none = 0

    static func number(of day: CalendarDay) -> Int {
        (day.year * 100 + day.month) * 100 + day.day
    }

    /// The day with a number; nil for ``none``, and for what is no day.
    static func day(_ number: Int) -> CalendarDay? {
        CalendarDay(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// The day of a photo.
    ///
    /// - Parameters:
    ///   - taken: What the camera recorded. Universal time says nothing about the place: videos have it
    ///     whatever the clock showed.
    ///   - date: When it was taken, or its file was changed, in seconds since 1970.
    static func number(taken: CaptureDate?, at date: Int64) -> Int {
        let shown = taken.flatMap { $0.offset == 0 ? nil : $0 }
        let day =
            shown.flatMap { CalendarDay(year: $0.year, month: $0.month, day: $0.day) }
            ?? LocalTime.day(of: date)
        return day.map(number) ?? none
    }

    /// Works out the days of all photos from their dates.
    static func workOutAll(in database: Database) throws {
        for table in ["asset", "resource"] {
            let rows = try Row.fetchCursor(
                database, sql: "SELECT rowid, date FROM \(table)")
            let update = try database.makeStatement(
                sql: "UPDATE \(table) SET day = ? WHERE rowid = ?")
            while let row = try rows.next() {
                let (id, date): (Int64, Int64) = (
                    try row.decode(atIndex: 0), try row.decode(atIndex: 1)
                )
                try update.execute(arguments: [number(taken: nil, at: date), id])
            }
        }
    }
}

// SPDX-License-Identifier: MIT

internal import Desktop
internal import GRDB
package import Photos

/// A search as an SQL condition on `asset`.
struct SearchCondition {
    let text: String
    let arguments: StatementArguments

    /// - Parameter view: The titles of albums do not count for an app that sees some photos, and what it
    ///   sees is all that is looked at.
    init(_ query: SearchQuery, in view: LibraryView, in database: Database) throws {
        let view = view.sql
        let own =
            view.isRestricted && query.terms.contains { $0.words != nil }
            ? try OwnWords(of: view.text, view.arguments, in: database) : nil
        /// The rows of photos that have words.
        func source(of match: String) throws -> (text: String, arguments: StatementArguments) {
            guard let own else {
                return ("SELECT rowid FROM search WHERE search MATCH ?", [match])
            }
            return ("SELECT value FROM json_each(?)", [try own.photos(matching: match).rowList])
        }
        var conditions: [String] = query.findsNothing ? ["FALSE"] : []
        var arguments: StatementArguments = []
        // Words alone are looked up together.
        var words: [String] = []
        for term in query.terms {
            let match = term.words?.match
            let found =
                try view.isRestricted ? nil : match.map { try FoundAlbums($0, in: database) }
            if let match, term.facet == nil, found?.isEmpty ?? true {
                words.append(match)
                continue
            }
            var parts: [String] = []
            if let match {
                let rows = try source(of: match)
                parts.append(rows.text)
                arguments += rows.arguments
            }
            if let found {
                parts.append(found.sql)
                arguments += found.arguments
            }
            if let facet = try term.facet?.sql(in: view, in: database) {
                parts.append(
                    "SELECT id FROM asset WHERE \(view.presence) AND \(view.text) AND (\(facet.text))"
                )
                arguments += view.arguments + facet.arguments
            }
            conditions.append("asset.id IN (\(parts.joined(separator: " UNION ALL ")))")
        }
        if !words.isEmpty {
            let rows = try source(of: words.joined(separator: " AND "))
            conditions.append("asset.id IN (\(rows.text))")
            arguments += rows.arguments
        }
        text = conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
        self.arguments = arguments
    }
}

extension SearchWords {
    /// The words as a query of FTS5, in which nothing is an operator.
    ///
    /// - Source: SQLite, “FTS5 Extension”, 3.2, 3.3.
    var match: String {
        let quoted = SearchText.separated(text).replacing("\"", with: "\"\"")
        return "\"\(quoted)\"" + (isPrefix ? "*" : "")
    }
}

/// The albums whose titles, or the names of the folders above them, match.
private struct FoundAlbums {
    private let users: [Int64]
    private let folders: [Int64]

    var isEmpty: Bool { users.isEmpty && folders.isEmpty }

    init(_ match: String, in database: Database) throws {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, folder FROM album
                    WHERE id IN (SELECT rowid FROM albumSearch WHERE albumSearch MATCH ?)
                    """), arguments: [match])
        var (users, folders): ([Int64], [Int64]) = ([], [])
        for row in rows {
            if let folder = try row.decode(Int64?.self, atIndex: 1) {
                folders.append(folder)
            } else {
                users.append(try row.decode(atIndex: 0))
            }
        }
        self.users = users
        self.folders = folders
    }

    let sql = """
        SELECT asset FROM member WHERE album IN (SELECT value FROM json_each(?)) \
        UNION ALL \
        SELECT asset FROM file WHERE folder IN (SELECT value FROM json_each(?)) \
        AND asset IS NOT NULL
        """

    var arguments: StatementArguments { [users.rowList, folders.rowList] }
}

extension SearchFacet {
    /// The facet as a condition on the columns of `asset`.
    fileprivate func sql(
        in view: LibraryView.Condition, in database: Database
    ) throws -> (text: String, arguments: StatementArguments) {
        switch self {
        case .days(let ranges): Self.sql(ranges)
        case .everyYear(let month, let day):
            Self.sql(try Self.ranges(month, day, in: view, in: database))
        case .picture: ("mediaType LIKE 'image/%'", [])
        case .video: ("mediaType LIKE 'video/%'", [])
        case .animation: ("isAnimated = 1", [])
        case .live: ("isLive = 1", [])
        case .burst: ("frames > 0", [])
        case .raw: ResourceTypes.condition(MediaType.rawTypes, raw: MediaType.rawTypes)
        case .types(let types): ResourceTypes.condition(types, raw: types)
        case .portrait: ("height > width", [])
        case .landscape: ("width > height", [])
        case .square: ("width = height AND width > 0", [])
        case .hasPlace: ("hasPlace = 1", [])
        case .favorite: ("favorite = 1", [])
        }
    }

    private static func sql(_ ranges: [DayRange]) -> (text: String, arguments: StatementArguments) {
        guard !ranges.isEmpty else { return ("FALSE", []) }
        var arguments: StatementArguments = []
        for range in ranges {
            arguments += [range.first.secondsSince1970, range.end.secondsSince1970]
        }
        let text = ranges.map { _ in "date >= ? AND date < ?" }.joined(separator: " OR ")
        return (text, arguments)
    }

    /// A month, or a day, of each year that has photos.
    private static func ranges(
        _ month: Int, _ day: Int?, in view: LibraryView.Condition, in database: Database
    ) throws -> [DayRange] {
        func year(_ order: String) throws -> Int? {
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT date FROM asset WHERE \(view.presence) AND \(view.text)
                    ORDER BY date \(order) LIMIT 1
                    """, arguments: view.arguments
            ).flatMap { LocalTime.day(of: $0)?.year }
        }
        // Before the first photograph there are wrong dates only.
        guard let first = try year("ASC"), let last = try year("DESC") else { return [] }
        let years = max(first, Self.firstYear)...max(last, Self.firstYear)
        return years.prefix(mostYears).compactMap { year in
            if let day {
                DayRange(day: CalendarDay(year: year, month: month, day: day))
            } else {
                DayRange(year: year, month: month)
            }
        }
    }

    private static let firstYear = 1826
    /// More years than there are photos of.
    private static let mostYears = 400
}

extension CalendarDay {
    /// Midnight in the time zone of this machine.
    var secondsSince1970: Int64 {
        CaptureDate(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)?
            .secondsSince1970 ?? 0
    }
}

extension LocalTime {
    /// The day of a time, in seconds since 1970; nil outside of the years 1800 to 9999.
    static func day(of seconds: Int64) -> CalendarDay? {
        let (year, month, day) = date(of: seconds)
        return CalendarDay(year: year, month: month, day: day)
    }
}

extension CalendarDay {
    /// Today, in the time zone of this machine.
    package static var today: CalendarDay {
        let (year, month, day) = LocalTime.date(of: LocalTime.now)
        // Only a clock that is broken shows another day.
        return CalendarDay(year: year, month: month, day: day) ?? .beginning
    }
}

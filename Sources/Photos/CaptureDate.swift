// SPDX-License-Identifier: MIT

/// When a photo was taken according to its camera: a wall-clock time, often without a time zone.
package struct CaptureDate: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    /// Minutes east of UTC; nil if the camera did not record the time zone.
    package let offset: Int?

    /// Makes a date; nil if a field is out of range, as in `0000:00:00 00:00:00`.
    package init?(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, offset: Int? = nil
    ) {
        guard (1800...9999).contains(year), (1...12).contains(month),
            (1...Self.days(in: month, of: year)).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second),
            offset.map({ (-15 * 60...15 * 60).contains($0) }) ?? true
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.offset = offset
    }

    /// Parses EXIF's `YYYY:MM:DD HH:MM:SS` and its optional offset `±HH:MM`.
    ///
    /// - Source: EXIF 2.32, 4.6.5, tags 0x9003 and 0x9011.
    package init?(exif date: String, offset: String? = nil) {
        let characters = Array(date.utf8)
        guard characters.count >= 19 else { return nil }
        func number(_ range: Range<Int>) -> Int? { Self.number(characters[range]) }
        // Some cameras use `-` or `/` as separators, so only the positions count.
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
        else { return nil }
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            offset: offset.flatMap { Self.minutes($0) })
    }

    /// Parses `YYYY-MM-DD`, optionally followed by `THH:MM`, seconds with fractions, and `Z` or
    /// `±HH:MM`; what is missing of the time is zero.
    ///
    /// - Source: XMP Specification Part 1, 8.2.1.1 (Date), a profile of ISO 8601.
    package init?(iso text: String) {
        let characters = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            characters.count >= range.upperBound ? Self.number(characters[range]) : nil
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            characters[4] == characters[7]
        else { return nil }
        let hasSeconds = characters.count > 16 && characters[16] == UInt8(ascii: ":")
        let second = hasSeconds ? number(17..<19) : nil
        let zone = characters.dropFirst(second == nil ? 16 : 19).drop {
            $0 == UInt8(ascii: ".") || Self.number([$0]) != nil
        }
        let offset = String(decoding: zone.prefix(6), as: UTF8.self)
        self.init(
            year: year, month: month, day: day, hour: number(11..<13) ?? 0,
            minute: number(14..<16) ?? 0, second: second ?? 0,
            offset: offset == "Z" ? 0 : Self.minutes(offset))
    }

    /// The other date if it is on the same day and this one has no time.
    package func withTime(of other: CaptureDate?) -> CaptureDate {
        guard let other, (year, month, day) == (other.year, other.month, other.day),
            (hour, minute, second) == (0, 0, 0)
        else { return self }
        return other
    }

    /// The date in EXIF's form, `YYYY:MM:DD HH:MM:SS`.
    package var exif: String {
        let fields = [month, day, hour, minute, second].map(Self.twoDigits)
        return "\(year):\(fields[0]):\(fields[1]) \(fields[2...].joined(separator: ":"))"
    }

    /// The offset in EXIF's form, `±HH:MM`; nil if the time zone is unknown.
    package var exifOffset: String? {
        offset.map {
            let minutes = Int($0.magnitude)
            return ($0 < 0 ? "-" : "+")
                + "\(Self.twoDigits(minutes / 60)):\(Self.twoDigits(minutes % 60))"
        }
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// Seconds since 1970 if the clock showed UTC.
    ///
    /// - Source: The Gregorian calendar, counted in days since 1 March of the year 0.
    package var secondsIfUTC: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return Int64(days * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// The date that a clock in UTC showed; nil before 1970 and after 9999.
    ///
    /// - Parameter seconds: Since 1970.
    /// - Source: the inverse of ``secondsIfUTC``.
    package init?(secondsInUTC seconds: Int64) {
        guard (0..<253_402_300_800).contains(seconds) else { return nil }
        let (days, rest) = Int(seconds).quotientAndRemainder(dividingBy: 86_400)
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1, hour: rest / 3600,
            minute: rest / 60 % 60, second: rest % 60, offset: 0)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// The number that some digits stand for; nil if there is anything else among them.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    private static func minutes(_ offset: String) -> Int? {
        let characters = Array(offset.utf8)
        guard characters.count >= 6, characters[3] == UInt8(ascii: ":"),
            let hours = number(characters[1..<3]), let minutes = number(characters[4..<6])
        else { return nil }
        switch characters[0] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }
}

// SPDX-License-Identifier: MIT

import Glibc

/// Times in the time zone of this machine.
package enum LocalTime {
    /// Converts a local time to seconds since 1970.
    ///
    /// A time that daylight saving skips or repeats becomes one of the neighbouring times.
    ///
    /// - Source: mktime(3).
    package static func seconds(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
    ) -> Int64? {
        var fields = tm()
        fields.tm_year = CInt(clamping: year - 1900)
        fields.tm_mon = CInt(clamping: month - 1)
        fields.tm_mday = CInt(clamping: day)
        fields.tm_hour = CInt(clamping: hour)
        fields.tm_min = CInt(clamping: minute)
        fields.tm_sec = CInt(clamping: second)
        fields.tm_isdst = -1
        // -1 is also a valid result, one second before 1970; the weekday is set only on success.
        fields.tm_wday = -1
        let seconds = mktime(&fields)
        return fields.tm_wday < 0 ? nil : Int64(seconds)
    }

    /// The current time, in seconds since 1970.
    package static var now: Int64 { Int64(time(nil)) }

    /// The day that a clock of this machine shows at a time; in the year 0 if there is no such day.
    ///
    /// - Parameter seconds: Since 1970.
    /// - Source: localtime_r(3).
    package static func date(of seconds: Int64) -> (year: Int, month: Int, day: Int) {
        var seconds = time_t(seconds)
        var fields = tm()
        guard localtime_r(&seconds, &fields) != nil else { return (0, 1, 1) }
        return (Int(fields.tm_year) + 1900, Int(fields.tm_mon) + 1, Int(fields.tm_mday))
    }

    /// The beginning of the day that contains a time; both in seconds since 1970.
    ///
    /// - Source: localtime_r(3). mktime(3) would take twenty times as long.
    package static func beginningOfDay(at seconds: Int64) -> Int64? {
        guard let time = fields(of: seconds) else { return nil }
        let passed = (Int64(time.tm_hour) * 60 + Int64(time.tm_min)) * 60 + Int64(time.tm_sec)
        let beginning = seconds - passed
        // The clock may have been changed on that day.
        if let found = fields(of: beginning), found.tm_gmtoff == time.tm_gmtoff {
            return beginning
        }
        return self.seconds(
            year: Int(time.tm_year) + 1900, month: Int(time.tm_mon) + 1, day: Int(time.tm_mday),
            hour: 0, minute: 0, second: 0)
    }

    private static func fields(of seconds: Int64) -> tm? {
        var seconds = time_t(seconds)
        var fields = tm()
        return localtime_r(&seconds, &fields) == nil ? nil : fields
    }

    /// The current time as `YYYYMMDD-HHMMSS`, for file names.
    ///
    /// - Source: strftime(3).
    package static func stamp() -> String {
        var now = time(nil)
        var fields = tm()
        localtime_r(&now, &fields)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y%m%d-%H%M%S", &fields)
        return String(decoding: buffer.prefix(count).map(UInt8.init), as: UTF8.self)
    }
}

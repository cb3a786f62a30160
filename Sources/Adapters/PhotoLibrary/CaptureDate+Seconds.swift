// SPDX-License-Identifier: MIT

internal import Desktop
package import Photos

extension CaptureDate {
    /// Seconds since 1970; a time without a time zone counts as local time of this machine.
    package var secondsSince1970: Int64 {
        if let offset { return secondsIfUTC - Int64(offset) * 60 }
        return LocalTime.seconds(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)
            ?? secondsIfUTC
    }
}

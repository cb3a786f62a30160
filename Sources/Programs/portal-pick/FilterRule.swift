// SPDX-License-Identifier: MIT

import ArgumentParser
import Desktop
import Photos
import SDBus

/// A rule that photos must follow, such as `min_width=800`, `newer_than=2026-05-03` or `favorites`.
struct FilterRule: ExpressibleByArgument {
    let key: String
    let value: Variant

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let key = parts.first.map(String.init), let kind = Self.kinds[key] else { return nil }
        let text = parts.count > 1 ? String(parts[1]) : nil
        guard let value = kind.value(text) else { return nil }
        self.key = key
        self.value = value
    }

    private enum Kind {
        case number, size, date, flag

        func value(_ text: String?) -> Variant? {
            switch self {
            case .number: text.flatMap { UInt32($0) }?.variant
            case .size: text.flatMap { UInt64($0) }?.variant
            case .date: text.flatMap(Self.seconds)?.variant
            case .flag: text == nil ? true.variant : text.flatMap { Bool($0) }?.variant
            }
        }

        /// Seconds since 1970, or a date in ISO 8601.
        private static func seconds(_ text: String) -> Int64? {
            if let seconds = Int64(text) { return seconds }
            guard let date = CaptureDate(iso: text) else { return nil }
            if let offset = date.offset { return date.secondsIfUTC - Int64(offset) * 60 }
            return LocalTime.seconds(
                year: date.year, month: date.month, day: date.day, hour: date.hour,
                minute: date.minute, second: date.second)
        }
    }

    private static let kinds: [String: Kind] = [
        "min_width": .number, "min_height": .number, "max_bytes": .size, "newer_than": .date,
        "older_than": .date, "favorites": .flag, "min_duration": .number, "max_duration": .number,
    ]
}

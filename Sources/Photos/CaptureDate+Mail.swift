// SPDX-License-Identifier: MIT

extension CaptureDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let universalZones: Set<Substring> = ["GMT", "UT", "UTC", "Z"]

    /// Parses the form of mails, `Mon, 03 Feb 2020 04:05:06 +0100`; the day of the week, the seconds and the
    /// zone may be missing.
    ///
    /// - Source: RFC 1123, 5.2.14; RFC 5322, 3.3.
    package init?(mail text: String) {
        var words = text.split { $0 == " " || $0 == "," }[...]
        if words.first?.first?.isLetter == true { words.removeFirst() }
        let fields = Array(words)
        guard fields.count >= 4, let day = Int(fields[0]),
            let month = Self.months.firstIndex(of: fields[1].prefix(3).lowercased()),
            let year = Int(fields[2])
        else { return nil }
        let clock = fields[3].split(separator: ":").map { Int($0) ?? -1 }
        guard (2...3).contains(clock.count) else { return nil }
        self.init(
            year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1],
            second: clock.count > 2 ? clock[2] : 0,
            offset: fields.count > 4 ? Self.mailOffset(fields[4]) : nil)
    }

    /// Reads a zone such as `+0100` or `GMT`, in minutes east of UTC.
    private static func mailOffset(_ zone: Substring) -> Int? {
        if universalZones.contains(zone) { return 0 }
        let digits = zone.dropFirst()
        guard let sign = zone.first, sign == "+" || sign == "-", digits.count == 4,
            let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)),
            (0...15).contains(hours), (0...59).contains(minutes)
        else { return nil }
        let offset = hours * 60 + minutes
        return sign == "-" ? -offset : offset
    }
}

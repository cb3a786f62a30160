// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct CaptureDateTests {
    @Test func `an EXIF date is read`() throws {
        let date = try #require(CaptureDate(exif: "2026:05:03 14:10:59", offset: "+02:00"))
        #expect(
            date
                == CaptureDate(
                    year: 2026, month: 5, day: 3, hour: 14, minute: 10, second: 59, offset: 120))
    }

    @Test(
        arguments: [
            ("2026:05:03 04:01:09", "+02:00"), ("1999:12:31 23:59:60", "-03:30"),
            ("2026:01:01 00:00:00", nil),
        ] as [(String, String?)])
    func `a date is written as EXIF has it`(text: String, offset: String?) throws {
        let date = try #require(CaptureDate(exif: text, offset: offset))
        #expect(date.exif == text)
        #expect(date.exifOffset == offset)
    }

    @Test(
        arguments: [
            ("1970:01:01 00:00:00", 0), ("2000:02:29 12:00:00", 951_825_600),
            ("2026:11:21 03:35:00", 1_795_232_100), ("1969:12:31 23:59:59", -1),
            ("1900:03:01 00:00:00", -2_203_891_200),
        ] as [(String, Int64)])
    func `seconds are counted by the Gregorian calendar`(text: String, seconds: Int64) {
        #expect(CaptureDate(exif: text)?.secondsIfUTC == seconds)
    }

    @Test(
        arguments: [
            "1970:01:01 00:00:00", "1999:12:31 23:59:59", "2000:02:29 12:00:00",
            "2024:03:01 00:00:01", "2100:02:28 23:00:00", "9999:12:31 23:59:59",
        ])
    func `a date is the one that its seconds count to`(text: String) throws {
        let date = try #require(CaptureDate(exif: text, offset: "+00:00"))
        #expect(CaptureDate(secondsInUTC: date.secondsIfUTC) == date)
    }

    @Test func `a day alone takes the time of another date on the same day`() throws {
        let day = try #require(CaptureDate(iso: "2004-07-13"))
        let time = try #require(CaptureDate(exif: "2004:07:13 21:23:44"))
        let other = try #require(CaptureDate(exif: "2004:07:14 21:23:44"))
        #expect(day.withTime(of: time) == time)
        #expect(day.withTime(of: other) == day)
        #expect(day.withTime(of: nil) == day)
        #expect(time.withTime(of: day) == time)
    }

    @Test(arguments: [
        ("Mon, 03 Feb 2020 04:05:06 +0100", 60), ("3 Feb 2020 04:05:06 -0330", -210),
        ("Mon, 3 February 2020 04:05:06 GMT", 0), ("3 feb 2020 04:05:06", nil),
    ])
    func `the form of mails is read`(text: String, offset: Int?) throws {
        let expected = CaptureDate(
            year: 2020, month: 2, day: 3, hour: 4, minute: 5, second: 6, offset: offset)
        #expect(CaptureDate(mail: text) == expected)
    }

    @Test(arguments: [
        "", ",", "Mon,", "30 Feb 2020 04:05:06", "3 Foo 2020 04:05:06", "3 Feb 2020 04",
        "3 Feb 2020 xx:05:06", "3 Feb 99999999999999999999 04:05:06", "Mon, Feb 2020 04:05:06",
    ])
    func `what is no date in the form of mails is rejected`(text: String) {
        #expect(CaptureDate(mail: text) == nil)
    }

    @Test func `seconds before 1970 and after 9999 are no date`() {
        #expect(CaptureDate(secondsInUTC: -1) == nil)
        #expect(CaptureDate(secondsInUTC: 253_402_300_800) == nil)
        #expect(CaptureDate(secondsInUTC: .min) == nil)
    }

    @Test(arguments: [
        "0000:00:00 00:00:00", "2026:13:01 00:00:00", "2026:02:30 00:00:00",
        "2026:05:03 24:00:00", "2026:05:03", "", "    :  :     :  :  ", "2026:05:03 14:10:xx",
        "2025:02:29 00:00:00", "2026:+5:03 14:10:59",
    ])
    func `invalid dates are rejected`(text: String) {
        #expect(CaptureDate(exif: text) == nil)
    }

    @Test(
        arguments: [
            ("-03:30", -210), ("+00:00", 0), ("Z", nil), ("", nil), ("02:00", nil), ("+2:00", nil),
            ("+-2:00", nil),
        ] as [(String, Int?)])
    func `an offset is read, or left out`(text: String, minutes: Int?) {
        #expect(CaptureDate(exif: "2026:05:03 14:10:00", offset: text)?.offset == minutes)
    }
}

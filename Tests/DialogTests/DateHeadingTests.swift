// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport
import Testing

/// The headings that divide the photos by date.
@Suite(.serialized) struct DateHeadingTests {
    @Test func `days have headings, and a tick chooses a day`() async throws {
        let dialog = try await DialogSession { home in
            // 14 and 13 November 2023, in UTC.
            try home.addPhotos(6)
            for number in 1...5 {
                let path = home.pictures.appending("earlier\(number).jpg")
                try home.write(
                    Fixtures.bytes("jpeg/baseline.jpg") + Array("earlier\(number)".utf8), to: path)
                home.setDate(of: path, 1_699_900_000 - number * 60)
            }
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 11")
        let texts = try await dialog.person.texts()
        #expect(texts.contains("14 November 2023"))
        #expect(texts.contains("13 November 2023"))
        try await dialog.person.do("press Choose all: 13 November 2023")
        try await eventually("a choice") {
            try await dialog.person.texts().contains("5 photos")
        }
        try await dialog.person.see("date-headings")
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(Set(pick.pickedNames) == Set((1...5).map { "earlier\($0).jpg" }))
    }

    @Test func `the date of the photos in view stays in view`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(60)
            try home.addPictures(30)
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 6")
        _ = try await dialog.scroll(8)
        try await dialog.person.see("date-sticky")
        let texts = try await dialog.person.texts()
        #expect(texts.contains("14 November 2023"))
        // A photo is not hidden below the date.
        try await dialog.person.do("key Down Up Up")
        try await dialog.person.see("date-sticky-focus")
        _ = try await dialog.scroll(60)
        try await eventually("the other date") {
            try await !dialog.person.texts().contains("14 November 2023")
        }
        #expect(try await dialog.person.texts().contains("13 September 2020"))
        try await dialog.person.see("date-sticky-end")
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `whoever drags the scrollbar sees the month`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(80)
            try home.addPictures(80)
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 6")
        try await dialog.person.do("hold-scrollbar 0.9")
        try await eventually("the month") {
            try await dialog.person.texts().contains("September 2020")
        }
        try await dialog.person.see("date-bubble")
        try await dialog.person.do("release")
        try await eventually("the end of the bubble") {
            try await !dialog.person.texts().contains("September 2020")
        }
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `keys jump from day to day`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(80)
            try home.addPictures(80)
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 6")
        try await dialog.person.do("key ctrl+Next space Right Right ctrl+Prior Right space")
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["1.png", "2.png"])
    }

    @Test func `a single photo is chosen without ticks for days`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(6) }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "1")
        try await dialog.person.do("loaded 6")
        #expect(try await !dialog.person.texts().contains("Choose all: 14 November 2023"))
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }
}

// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// The texts of apps and of the person's files in the window, and the room that they get.
@Suite(.serialized)
struct WordingTests {
    @Test func `the reason of an app stays inside its quotation marks`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(1) }
        try await dialog.settle()
        let pick = try dialog.pick("--reason", "a\u{202E}b\nc")
        try await dialog.person.do("photos 1")
        #expect(try await dialog.person.texts().contains("“a\u{FFFD}b c”"))
        try await dialog.person.do("key Escape")
        _ = try await pick.exitStatus()
    }

    /// In the largest and in the smallest window.
    @Test(arguments: [
        ("<b>Bold</b> &amp; <a href='x'>", "<b>Bold</b> &amp; <a href='x'>"),
        ("בחר תמונה לפרופיל שלך", "בחר תמונה לפרופיל שלך"),
        ("a\u{202E}b\u{7}c\nd\u{1B}[31m", "a\u{FFFD}b\u{FFFD}c d\u{FFFD}[31m"),
        (String(repeating: "WWWW ", count: 50) + "W", String(repeating: "WWWW ", count: 50) + "W"),
        (String(repeating: "W", count: 250), String(repeating: "W", count: 250)),
    ])
    func `texts of an app are text, and leave room for the photos`(
        given: String, shown: String
    ) async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(3)
            try home.turnOffAnimations()
        }
        try await dialog.settle()
        let pick = try dialog.pick("--reason", given, "--accept-label", given)
        try await dialog.person.do("photos 3")
        #expect(try await dialog.person.texts().contains("“\(shown)”"))
        try await dialog.person.expectNothingOutside()
        try await dialog.person.do("resize 360 480")
        try await dialog.seeNarrow("texts-of-apps-\(given.utf8.count)")
        #expect(try await dialog.person.do("place Photos").height ?? 0 > 200)
        try await dialog.person.do("click 0")
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        let titled = try dialog.pick("--title", given)
        try await dialog.person.do("photos 3")
        #expect(try await dialog.person.do("window").title?.contains(shown.prefix(5)) == true)
        try await dialog.person.expectNothingOutside()
        try await dialog.person.see("titles-of-apps-\(given.utf8.count)")
        try await dialog.person.do("press Cancel")
        #expect(try await titled.exitStatus() == 1)
    }

    @Test func `a folder cannot turn the direction of the list of albums`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(1, in: "a\u{202E}b\nc") }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 1")
        #expect(
            try await dialog.person.do("albums").albums?.contains("a\u{FFFD}b c, 1 photo") == true)
        try await dialog.person.do("key Escape")
        _ = try await pick.exitStatus()
    }

    @Test func `a window for videos does not say that it has no photos`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(1) }
        try await dialog.settle()
        let pick = try dialog.pick("--type", "video/*")
        try await eventually("the explanation") {
            try await dialog.person.texts().contains("No matching videos")
        }
        try await dialog.person.do("key Escape")
        _ = try await pick.exitStatus()
    }

    @Test func `a long label leaves the button on a narrow screen`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(3)
            try home.turnOffAnimations()
        }
        try await dialog.settle()
        let label = String(repeating: "W", count: 30)
        let pick = try dialog.pick("--accept-label", label)
        try await dialog.person.do("photos 3")
        try await dialog.person.do("resize 360 600")
        try await eventually("a window as narrow as the screen") {
            try await dialog.person.do("place Photos").width ?? 360 < 360
        }
        try await dialog.person.see("long-label")
        try await dialog.person.do("click 0")
        // A screen reader reads the whole label.
        try await dialog.person.do("press '\(label) (1)'")
        #expect(try await pick.exitStatus() == 0)
    }

    /// Arabic, if GTK is translated here, and otherwise the order of English.
    @Test func `photos follow each other in the direction of the language`() async throws {
        let dialog = try await DialogSession(
            environment: ["LC_ALL": "C.UTF-8", "LANGUAGE": "ar"]
        ) { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 3")
        let albums = try await dialog.person.do("place Albums").x ?? 0
        let photos = try await dialog.person.do("place Photos").x ?? 0
        // From left to right; the dates differ in their minutes.
        let row = try await dialog.person.do("photos").photos ?? []
        #expect(row == row.sorted(by: albums > photos ? { $0 < $1 } : { $0 > $1 }))
        try await dialog.person.do("key Home")
        try await dialog.person.do("key \(albums > photos ? "Left" : "Right")")
        #expect(try await dialog.person.do("photos").focused == [false, true, false])
        try await dialog.person.see("right-to-left")
        try await dialog.person.do("key Escape")
        _ = try await pick.exitStatus()
    }
}

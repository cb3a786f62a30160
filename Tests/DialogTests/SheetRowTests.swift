// SPDX-License-Identifier: MIT

import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

/// The rows of the sheet where there is little room, where they can do nothing, and while they move.
@Suite(.serialized) struct SheetRowTests {
    private static let eight = [
        "library", "camera", "recent", "files", "library:More", "recent:Last one", "files:Browse",
        "close:Send it",
    ].flatMap { ["--action", $0] }

    // MARK: - Room

    @Test func `S1.8 where there is no room for all rows they scroll, and keys reach the last one`()
        async throws
    {
        let dialog = try await SheetTests.start()
        let pick = try dialog.session.start("portal-pick", ["--sheet"] + Self.eight)
        try await SheetTests.wait(dialog, loaded: 3)
        try await dialog.person.do("resize 480 420")
        try await eventually("the small window") {
            try await dialog.person.do("size").height == 420
        }
        try await dialog.person.see("sheet-low")
        let strip = try await dialog.person.do("place Photos")
        #expect(strip.height == 165)
        let last = "button-place 'Send it, Sends nothing'"
        #expect(try await dialog.person.do(last).y ?? 0 > 420)
        // All but the camera's.
        try await dialog.person.do("key Right" + String(repeating: " Down", count: 7))
        try await dialog.person.wait(for: "the last row") {
            let place = try await dialog.person.do(last)
            return (place.y ?? 420) + (place.height ?? 0) <= 420
        }
        try await dialog.person.see("sheet-low-last")
        try await dialog.person.do("key Return")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `S1.8 where there is room no row scrolls`() async throws {
        let dialog = try await SheetTests.start { try $0.setText(points: 22) }
        let pick = try dialog.session.start(
            "portal-pick", ["--sheet", "--max", "3", "--no-immediate"] + Self.eight)
        try await SheetTests.wait(dialog, loaded: 2)
        try await dialog.person.do("click 0")
        try await dialog.person.see("sheet-large-text")
        let size = try await dialog.person.do("size")
        let last = try await dialog.person.do("button-place 'Send it, Sends nothing'")
        // A frame around the window may be 5 pixels wide, and a scrollbar has 15.
        #expect((last.y ?? 10_000) + (last.height ?? 0) <= size.height ?? 0)
        #expect((last.x ?? 0) + (last.width ?? 0) >= (size.width ?? 0) - 10 - 20)
        try await Self.press("Send it, Sends nothing", untilTheEndOf: pick, dialog)
    }

    // MARK: - Rows that can do nothing

    @Test(
        arguments: [
            (["--filter", "min_width=5000"], "No matching photos"),
            (["--min", "2", "--max", "4"], "Choose at least 2 photos"),
            (["--filter", "favorites"], "No matching photos"),
        ])
    func `S1.14 the row for the newest photo says why there is none`(
        flags: [String], reason: String
    ) async throws {
        let dialog = try await SheetTests.start(2)
        let pick = try dialog.session.start("portal-pick", ["--latest"] + flags)
        try await SheetTests.wait(dialog, loaded: 2)
        try await dialog.person.wait(for: reason) {
            try await dialog.person.do("tooltip 'Newest Photo'").texts == [reason]
        }
        #expect(try await dialog.person.do("enabled 'Newest Photo'").enabled == false)
        try await dialog.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `screen readers hear what each row does, and why one does nothing`() async throws {
        let dialog = try await SheetTests.start(2)
        let pick = try dialog.session.start("portal-pick", ["--sheet"] + Self.eight)
        try await SheetTests.wait(dialog, loaded: 2)
        let texts = try await dialog.person.texts()
        let wanted = [
            "Actions", "Library", "Camera", "Newest Photo", "Other Files…", "More",
            "Last one, Sends your newest photo", "Browse", "Send it, Sends nothing",
        ]
        #expect(wanted.filter { !texts.contains($0) } == [])
        #expect(try await dialog.person.do("unlabelled").unlabelled == [])
        #expect(try await dialog.person.do("tooltip Camera").texts == ["There is no camera"])
        #expect(try await dialog.person.do("enabled Library").enabled == true)
        // Tab goes to every row that can do something, in their order.
        try await dialog.person.do("key Right")
        try await dialog.person.do("focus Library")
        try await dialog.person.do("focus 'Other Files…'")
        try await dialog.person.do("focus 'Send it, Sends nothing'")
        try await dialog.person.do("key Return")
        #expect(try await pick.exitStatus() == 1)
    }

    // MARK: - Rows that move

    @Test func `a row that has just come to another place is not activated`() async throws {
        let dialog = try await SheetTests.start(12)
        var refused: ChildProcess?
        for number in 1...12 where refused == nil {
            let pick = try dialog.pick(
                "--sheet", "--max", "3", "--action", "close", "--action", "library")
            try await SheetTests.wait(dialog, loaded: 1)
            try await dialog.person.do("press Library")
            try await dialog.person.do("albums")
            try await dialog.person.do("click 0")
            try await dialog.person.do("press Back")
            try await dialog.person.wait(for: "the row that finishes") {
                try await dialog.person.texts().contains { $0.hasPrefix("Select 1 Photo") }
            }
            try dialog.home.removePhoto("\(number).jpg")
            // Cancel comes to the place of the row that has gone.
            var unmoved = ContinuousClock.now
            try await dialog.person.wait(for: "the end of that row") {
                let before = ContinuousClock.now
                let texts = try await dialog.person.texts()
                guard texts.contains(where: { $0.hasPrefix("Select 1 Photo") }) else { return true }
                unmoved = before
                return false
            }
            try await dialog.person.do("press Cancel")
            if .now - unmoved < .milliseconds(450) {
                refused = pick
            } else {
                // On a busy machine it may come too late.
                #expect(try await pick.exitStatus() == 1)
            }
        }
        let pick = try #require(refused)
        try await dialog.person.wait(for: "the reason") {
            try await dialog.person.texts().contains("The list has just changed. Please try again.")
        }
        try await Self.press("Cancel", untilTheEndOf: pick, dialog)
    }

    /// Presses a row that closes the sheet, more than once if it has just moved.
    private static func press(
        _ row: String, untilTheEndOf pick: ChildProcess, _ dialog: DialogSession
    ) async throws {
        try await eventually("the end") {
            try await dialog.person.do("ready")
            _ = try await dialog.person.attempt("press '\(row)'")
            return (try? await pick.exitStatus(within: .seconds(1))) == 1
        }
    }

    // MARK: - The way back

    @Test func `S1.17 from an album of the grid the strip comes back as it was`() async throws {
        let dialog = try await SheetTests.start(40)
        try dialog.home.addPhotos(2, in: "Sea")
        let pick = try dialog.pick("--sheet")
        try await SheetTests.wait(dialog, loaded: 3)
        let before = try await dialog.scroll(20)
        try await dialog.person.do("press Library")
        try await dialog.person.do("albums")
        try await dialog.person.do("album 'Sea, 2 photos'")
        try await dialog.person.do("count 2")
        try await dialog.person.do("key Escape")
        try await dialog.person.wait(for: "the strip as it was") {
            try await dialog.person.do("photos").photos == before
        }
        try await dialog.person.see("sheet-back-from-album")
        try await dialog.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    /// The drawing of more photos would not be exact, and the grid has them.
    @Test func `the strip ends with the 10,000th photo, and the grid has the others`() async throws
    {
        let dialog = try await SheetTests.start(0) { try $0.addPictures(10_010) }
        let pick = try dialog.pick("--sheet", "--single")
        try await SheetTests.wait(dialog, loaded: 2)
        try await dialog.person.wait(for: "the last photo of the strip") {
            try await dialog.person.do("key End")
            return try await dialog.person.do("photos").focused?.last == true
        }
        try await dialog.person.see("sheet-end")
        try await dialog.person.do("key Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["10000.png"])
    }
}

// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// Two apps that ask at the same time.
@Suite(.serialized) struct TwoWindowsTests {
    /// The newer window took all input of both: what was chosen in one window went to the app of the
    /// other, and Escape closed the other.
    @Test(arguments: ["Right space ctrl+Return", "Escape", "alt+F4"])
    func `keys act in the window that is active`(keys: String) async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let first = try dialog.pick("--title", "Birds")
        try await dialog.person.do("other-window Birds")
        try await dialog.person.do("photos 3")
        let second = try dialog.pick("--title", "Boats")
        try await dialog.person.do("other-window Boats")
        try await eventually("the second window") {
            try await dialog.person.do("window").title?.contains("Boats") == true
        }
        try await dialog.person.do("photos 3")
        let windows = try await ParentWindowTests.tool(
            "xdotool", ["search", "--onlyvisible", "--name", "Birds"], dialog)
        let window = try #require(windows.split(separator: "\n").last)
        _ = try await ParentWindowTests.tool(
            "xdotool", ["windowactivate", "--sync", String(window)], dialog)
        try await dialog.person.do("key \(keys)")
        let isChosen = keys.contains("space")
        #expect(try await first.exitStatus() == (isChosen ? 0 : 1))
        #expect(first.pickedNames.count == (isChosen ? 1 : 0))
        // The other one still waits.
        #expect(second.outputLines.isEmpty)
        #expect(!(try await dialog.person.texts().contains("1 of 3")))
        try await dialog.person.do("press Cancel")
        #expect(try await second.exitStatus() == 1)
    }

    /// The second click, or the key that was still down, ended the other window as well: its app got a
    /// photo that nobody chose for it, or what was chosen there was lost.
    @Test(
        arguments: [
            ("hold Escape", [], 1), ("hold ctrl Return", [], 0), ("double-press Select", [], 0),
            ("double-press Cancel", [], 1),
            ("double-click 1", ["--single", "--immediate"], 0),
            ("hold Return", ["--single"], 0),
        ] as [(String, [String], Int32)])
    func `what ends a window does nothing in the one behind it`(
        action: String, options: [String], status: Int32
    ) async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let isImmediate = options.contains("--immediate")
        var picks: [ChildProcess] = []
        for title in ["Birds", "Boats"] {
            picks.append(
                try dialog.session.start("portal-pick", ["--title", title] + options))
            try await eventually("the window \(title)") {
                try await dialog.person.attempt("window").title?.contains(title) == true
            }
            try await dialog.person.do("photos 3")
            if !isImmediate { try await dialog.person.do("key Right Right space") }
        }
        try await dialog.person.do(action)
        #expect(try await picks[1].exitStatus() == status)
        // The other one still waits, with what was chosen in it.
        try await eventually("the first window") {
            try await dialog.person.attempt("window").title?.contains("Birds") == true
        }
        let pressed = try await dialog.person.do("photos").pressed
        #expect(pressed == [false, !isImmediate, false])
        #expect(picks[0].outputLines.isEmpty)
        try await dialog.person.do("key Escape")
        #expect(try await picks[0].exitStatus() == 1)
    }
}

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
}

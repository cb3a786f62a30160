// SPDX-License-Identifier: MIT

import Foundation
import SystemPackage
import TestSupport
import Testing

/// Three windows, random input, and a library whose files come and go; see scripts/monkey.
///
/// `PHOTO_PORTAL_MONKEY` says for how many seconds, and `PHOTO_PORTAL_MONKEY_SEED` which input.
@Suite(.serialized) struct MonkeyTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seconds = environment["PHOTO_PORTAL_MONKEY"] ?? "20"
    private static let seed = environment["PHOTO_PORTAL_MONKEY_SEED"] ?? "11"

    /// What the apps ask for in turn, besides a viewer for files of the library.
    private static let asks: [[String]] = [
        ["--max", "5", "--ordered", "--title", "Five", "--continuous"],
        ["--single", "--clip", "required", "--title", "Cropped"],
        ["--max", "100", "--title", "Many"],
    ]

    /// What GTK says of its own parts.
    private static let complaintsOfGTK = [
        // A menu or a list opens where its window has been moved off the screen.
        "gdk_monitor_get_geometry: assertion",
        // Ctrl+F in the list of GTK's file dialog.
        "gtk_css_node_insert_after: assertion",
    ]

    @Test func `no input breaks the window`() async throws {
        // As its unit starts it.
        let unit = ["GSETTINGS_BACKEND": "memory", "G_SLICE": "always-malloc"]
        let dialog = try await DialogSession(environment: unit) { home in
            try home.turnOffAnimations()
            try home.addPhotos(60)
            for (number, name) in ["formats/moving.gif", "formats/moving.webp"].enumerated() {
                let path = home.pictures.appending("moving\(number)")
                try home.write(Fixtures.bytes(name), to: path)
            }
        }
        try await dialog.settle()
        let files = (1...9).map { dialog.home.pictures.appending("\($0).jpg").string }
        let before = try await dialog.memoryAfterPick()
        let monkey = try dialog.session.start(
            Programs.source.appending("scripts").appending("monkey").string,
            [
                String(dialog.dialog.processID), Self.seconds, Self.seed,
                dialog.home.pictures.string,
            ], environment: try await Display.shared.value.environment)
        var apps: [ChildProcess] = []
        var asked = 0
        // A window that was closed is replaced, so that there are three as long as there is input.
        while try await !hasEnded(monkey, or: apps), !dialog.dialog.hasEnded {
            apps.removeAll { $0.hasEnded }
            while apps.count < 3 {
                let words = ([["preview", "--allow-remove"] + files] + Self.asks)[asked % 4]
                apps.append(try dialog.session.start("portal-pick", words))
                asked += 1
            }
        }
        let steps = monkey.outputText.split(separator: "\n").suffix(40).joined(separator: "\n")
        let story: Comment = "seed \(Self.seed), after \(asked) windows:\n\(steps)"
        #expect(try await monkey.exitStatus() == 0, story)
        #expect(!dialog.dialog.hasEnded, story)
        let said = dialog.dialog.errorText.split(separator: "\n").filter { line in
            ["CRITICAL", "Fatal"].contains { line.contains($0) }
                && !Self.complaintsOfGTK.contains { line.contains($0) }
        }
        #expect(said.isEmpty, story)
        for app in apps { try await app.stop() }
        let after = try await dialog.memoryAfterPick()
        print("\(asked) windows, \(before) KiB before, \(after) KiB afterwards")
        #expect(after < before + 40_000, story)
    }

    /// Waits until the monkey or one of the apps has ended.
    private func hasEnded(_ monkey: ChildProcess, or apps: [ChildProcess]) async throws -> Bool {
        if apps.count < 3 { return monkey.hasEnded }
        try await eventually("the end of a window", within: .seconds(4000)) {
            monkey.hasEnded || apps.contains { $0.hasEnded }
        }
        return monkey.hasEnded
    }
}

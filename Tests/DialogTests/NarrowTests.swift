// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport
import Testing

/// The window on a phone, and with large text.
@Suite(.serialized) struct NarrowTests {
    /// A window of the width and height of a phone, with three photos.
    private func start(
        dark isDark: Bool = false, points: Int = 22, _ arguments: [String],
        fill: (TestHome) throws -> Void = { try $0.addPhotos(3) }
    ) async throws -> (DialogSession, ChildProcess) {
        let dialog = try await DialogSession(
            environment: isDark ? ["ADW_DEBUG_COLOR_SCHEME": "prefer-dark"] : [:]
        ) { home in
            try fill(home)
            try home.setText(points: points)
        }
        try await dialog.settle()
        let pick = try dialog.session.start("portal-pick", arguments)
        try await dialog.person.do("photos 1")
        try await dialog.person.do("resize 360 640")
        return (dialog, pick)
    }

    /// Select was to the right of the screen.
    @Test(arguments: [false, true])
    func `with large text everything is inside a window of the width of a phone`(
        isDark: Bool
    ) async throws {
        let style = isDark ? "dark" : "light"
        let (dialog, pick) = try await start(
            dark: isDark, ["--max", "5", "--clip", "optional"])
        try await dialog.seeNarrow("phone-photos-\(style)")
        try await dialog.person.do("click 0")
        try await dialog.seeNarrow("phone-chosen-\(style)")
        try await dialog.person.do("key F9")
        try await eventually("the albums") {
            try await dialog.person.do("place Albums").width ?? 0 > 300
        }
        try await dialog.seeNarrow("phone-albums-\(style)")
        try await dialog.person.do("key Escape")
        try await dialog.person.do("key ctrl+f")
        try await dialog.person.do("field")
        try await dialog.seeNarrow("phone-search-\(style)")
        try await dialog.person.do("key Escape")
        try await dialog.person.do("key Right Return")
        try await eventually("the preview") {
            try await dialog.person.texts().contains("Chosen: 1 of 5")
        }
        try await dialog.seeNarrow("phone-preview-\(style)")
        try await dialog.person.do("press Crop")
        try await eventually("the frame") {
            try await dialog.person.texts().contains { $0.hasPrefix("Area: ") }
        }
        try await dialog.seeNarrow("phone-crop-\(style)")
        try await dialog.person.do("key Escape Escape")
        try await dialog.person.do("press 'Select (1)'")
        #expect(try await pick.exitStatus() == 0)
    }

    /// It grew to the width that the photos and the albums have side by side.
    @Test func `a window that becomes narrow during the preview stays narrow afterwards`()
        async throws
    {
        let dialog = try await DialogSession { home in
            try home.addPhotos(3)
            try home.turnOffAnimations()
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 3")
        try await dialog.person.do("key Right Return")
        try await eventually("the preview") {
            try await dialog.person.texts().contains("1 of 3")
        }
        try await dialog.person.do("resize 360 640")
        try await dialog.person.do("key Escape")
        try await dialog.person.do("photos 3")
        try await eventually("the photos at the edge") {
            try await dialog.person.do("place Photos").x == 4
        }
        #expect(try await dialog.person.do("size").width == 360)
        #expect(try await dialog.person.do("place Photos").width ?? 360 < 360)
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// Both ended with an ellipsis.
    @Test func `on a phone the number of chosen photos and the size of a crop can be read`()
        async throws
    {
        let (dialog, pick) = try await start(points: 11, ["--max", "5", "--clip", "optional"])
        try await dialog.person.do("click 0")
        try await dialog.person.do("key Return")
        try await eventually("the preview") {
            try await dialog.person.texts().contains("Chosen: 1 of 5")
        }
        try await dialog.seeNarrow("narrow-preview")
        try await dialog.person.do("press Crop")
        try await eventually("the frame") {
            try await dialog.person.texts().contains { $0.hasPrefix("Area: ") }
        }
        try await dialog.seeNarrow("narrow-crop")
        try await dialog.person.do("key Escape Escape")
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }
}

extension TestHome {
    /// Sets the size of text, and turns page transitions off.
    func setText(points: Int) throws {
        try write(
            Array(
                """
                [Settings]
                gtk-enable-animations=false
                gtk-font-name=Cantarell \(points)

                """.utf8),
            to: configuration.appending(FilePath("gtk-4.0/settings.ini").components))
    }
}

extension DialogSession {
    /// Waits until everything on the page is in a window of the width of a phone, and keeps a
    /// screenshot.
    ///
    /// - Parameter titles: Texts of the header bar that are not looked at.
    func seeNarrow(_ name: String, except titles: [String] = []) async throws {
        do {
            try await eventually("a page on which all fits: \(name)", is: [] as [String]) {
                let width = try await person.do("size").width ?? 0
                let outside = (try await person.do("outside").texts ?? [])
                    .filter { !titles.contains($0) }
                return width <= 360 ? outside : ["a window of \(width) pixels"]
            }
        } catch {
            try await person.see(name)
            throw error
        }
        try await person.see(name)
    }
}

// SPDX-License-Identifier: MIT

import Files
import SystemPackage
import TestSupport
import Testing

/// The size and the shape of the photos.
@Suite(.serialized) struct ZoomTests {
    /// The number of photos that have a tile, once it no longer changes.
    private func tiles(
        _ dialog: DialogSession, where isExpected: @Sendable (Int) -> Bool = { _ in true }
    ) async throws -> Int {
        try await eventually("the tiles") {
            let count = try await dialog.person.do("photos").photos?.count ?? 0
            let later = try await dialog.person.do("photos").photos?.count
            return count == later && isExpected(count) ? count : nil
        }
    }

    @Test func `Ctrl with plus and minus changes the size, which the next window has too`()
        async throws
    {
        let dialog = try await DialogSession { try $0.addPhotos(120) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 6")
        let usual = try await tiles(dialog)
        try await dialog.person.do("key ctrl+minus ctrl+minus")
        _ = try await tiles(dialog) { $0 > usual * 3 / 2 }
        try await dialog.person.see("zoom-small")
        try await dialog.person.do("key ctrl+plus ctrl+plus ctrl+plus ctrl+plus")
        _ = try await tiles(dialog) { $0 < usual }
        try await dialog.person.see("zoom-large")
        try await dialog.person.do("key ctrl+0")
        try await eventually("the usual size") {
            try await dialog.person.do("photos").photos?.count == usual
        }
        try await dialog.person.do("key ctrl+minus")
        let chosen = try await tiles(dialog) { $0 > usual }
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()

        let next = try dialog.pick()
        try await dialog.person.do("photos \(chosen)")
        #expect(try await tiles(dialog) == chosen)
        try await dialog.person.do("press Cancel")
        _ = try await next.exitStatus()
        let file = dialog.home.home.appending(
            FilePath(".local/state/photo-portal/window.conf").components)
        let kept = try Descriptor.openForReading(file).read(upTo: 1000)
        #expect(String(decoding: kept, as: UTF8.self) == "[Grid]\nZoom=1\n")
    }

    @Test func `Ctrl with the wheel changes the size`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(120) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 6")
        let usual = try await tiles(dialog)
        try await dialog.person.do("scroll 2 ctrl")
        _ = try await tiles(dialog) { $0 > usual * 3 / 2 }
        try await dialog.person.do("scroll -3 ctrl")
        _ = try await tiles(dialog) { $0 < usual }
        // It chooses and scrolls nothing.
        #expect(try await dialog.person.do("photos").pressed?.contains(true) == false)
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `the View menu changes the size and the shape`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(120) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 6")
        let usual = try await tiles(dialog)
        try await dialog.person.do("press View")
        try await eventually("the menu") {
            try await dialog.person.texts().contains("Crop to squares")
        }
        // The slider, and then the box.
        try await dialog.person.do("key Left Tab space")
        try await dialog.person.see("view-menu")
        _ = try await tiles(dialog) { $0 > usual }
        try await dialog.person.do("key Escape")
        // Keys are for the photos again.
        try await dialog.person.do("key Right")
        try await eventually("the focus") {
            try await dialog.person.do("photos").focused?.contains(true) == true
        }
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
        let file = dialog.home.home.appending(
            FilePath(".local/state/photo-portal/window.conf").components)
        let kept = try Descriptor.openForReading(file).read(upTo: 1000)
        let lines = String(decoding: kept, as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("Squares=true") && lines.contains("Zoom=1"))
    }

    @Test func `a narrow window has three columns of squares`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(40)
            try home.turnOffAnimations()
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 6")
        try await dialog.person.do("resize 360 640")
        try await eventually("the end of the movement") {
            try await dialog.person.do("place Photos").x == 4
        }
        try await dialog.person.do("loaded 12")
        try await dialog.person.see("narrow-squares")
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }
}

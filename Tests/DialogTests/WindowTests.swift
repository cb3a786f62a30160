// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The window in each state of the library and of its surroundings.
@Suite(.serialized) struct WindowTests {
    @Test func `an empty library says what to do, and shows the first photo that comes`()
        async throws
    {
        let dialog = try await DialogSession { _ in }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("window")
        try await eventually("the empty page") {
            try await dialog.person.texts().contains("No photos in Pictures yet")
        }
        try await dialog.person.see("empty")
        try dialog.home.addPhotos(1)
        try await dialog.person.do("photos 1")
        #expect(try await !dialog.person.texts().contains("No photos in Pictures yet"))
        try await dialog.person.do("press Cancel")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `portrait, landscape, panorama and broken photos side by side`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(4)
            try home.write(
                Fixtures.bytes("broken/header-only.jpg"),
                to: home.pictures.appending("broken.jpg"))
            // Photoshop's compression 2, which is not decoded.
            let header: [UInt8] = [
                0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 6, 0, 8, 0, 3,
            ]
            try home.write(
                Array("8BPS".utf8) + header + [UInt8](repeating: 0, count: 12) + [0, 2, 0, 0],
                to: home.pictures.appending("later.psd"))
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 6")
        try await dialog.person.do("loaded 6")
        let texts = try await dialog.person.texts()
        #expect(
            texts.contains { $0.hasSuffix(", portrait") }
                || texts.contains { $0.hasSuffix(", landscape") })
        #expect(texts.contains { $0.hasSuffix(", This photo is damaged") })
        #expect(texts.contains { $0.hasSuffix(", This kind of picture cannot be shown yet") })
        try await dialog.person.see("shapes")
        // A photo that cannot be shown can be chosen all the same.
        let photos = try #require(try await dialog.person.do("photos").photos)
        let raw = try #require(photos.firstIndex { $0.contains("cannot be shown yet") })
        try await dialog.person.do("click \(raw)")
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["later.psd"])
    }

    /// The window kept looking for photos.
    @Test func `a library that cannot be read says so`() async throws {
        let home = try TestHome()
        try home.write(Array("This is no database.".utf8), to: home.database)
        // Without the service, which would create a new database.
        let dialog = try await DialogSession.bare(home)
        async let reply = dialog.service.call(
            PickerBackendInterface.pickImages, to: PickerBackendInterface.defaultBusName,
            at: PickerBackendInterface.path, on: PickerBackendInterface.interface.name,
            Arguments("/org/freedesktop/portal/desktop/request/1_1/t", "", "", "", [:]),
            timeout: .seconds(60))
        try await dialog.person.do("window")
        try await eventually("the reason") {
            try await dialog.person.texts().contains("Your photos cannot be shown")
        }
        try await dialog.person.see("unavailable")
        try await dialog.person.do("press Cancel")
        #expect(try await reply.values.0 == 1)
    }

    /// A screen reader said "Photo".
    @Test func `a video is called a video`() async throws {
        let dialog = try await DialogSession { home in
            try home.write(
                Fixtures.bytes("video/moving.mp4"), to: home.pictures.appending("moving.mp4"))
        }
        try await dialog.settle()
        let pick = try dialog.pick("--type", "video/*", "--type", "image/*")
        let photos = try await dialog.person.do("photos 1").photos
        #expect(photos?.first?.hasPrefix("Video, ") == true)
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `photos that come and go while the window is open`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 3")
        try await dialog.person.do("click 0")
        try await dialog.person.do("click 1")
        let path = dialog.home.pictures.appending("new.jpg")
        try dialog.home.write(Fixtures.bytes("png/rgb.png"), to: path)
        try await dialog.person.do("count 4")
        try AtomicFile.remove(dialog.home.pictures.appending("1.jpg"))
        try await dialog.person.do("count 3")
        // The photo that has disappeared is no longer chosen.
        try await eventually("the counter") {
            try await dialog.person.texts().contains("1 photo")
        }
        try await eventually("the reason") {
            try await dialog.person.texts().contains(
                "1 file has changed or disappeared, and is no longer chosen")
        }
        // A person takes longer to read that than this test.
        try await eventually("the end of the pick") {
            if pick.outputText.isEmpty { _ = try await dialog.person.attempt("key ctrl+Return") }
            return !pick.outputText.isEmpty
        }
        _ = try await pick.exitStatus()
        #expect(pick.pickedNames == ["2.jpg"])
    }

    @Test func `a caller that leaves closes its window`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 3")
        try await pick.stop(SIGKILL)
        try await dialog.person.do("no-window")
    }

    @Test func `a window whose service dies says so, and the next one works`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 3")
        try await dialog.person.do("click 1")
        try await dialog.service.stop(SIGKILL)
        #expect(try await pick.exitStatus() == 2)
        try await dialog.person.readInterruption()
        #expect(try await dialog.person.texts().contains { $0.contains("Nothing was sent to") })
        try await dialog.person.see("interrupted")
        try await dialog.person.do("press Close")
        try await dialog.person.do("no-window")

        let service = try await dialog.session.startService()
        let next = try dialog.pick()
        try await dialog.person.do("photos 3")
        try await dialog.person.do("click 0")
        try await dialog.person.do("press Select")
        #expect(try await next.exitStatus() == 0)
        #expect(next.pickedNames == ["1.jpg"])
        try await service.stop()
    }

    /// The linker tells which libraries it finishes when a process ends.
    @Test func `a dialog that ends leaves the toolkit to the thread that draws`() async throws {
        let home = try TestHome()
        let log = home.scratch.appending("linker")
        let dialog = try await DialogSession(
            home: home, environment: ["LD_DEBUG": "files", "LD_DEBUG_OUTPUT": log.string]
        ) { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 3")
        try await dialog.dialog.stop()
        #expect(try await pick.exitStatus() == 2)
        let report = try Descriptor.openForReading(
            FilePath("\(log).\(dialog.dialog.processID)"))
        let lines = String(decoding: try report.read(upTo: 1 << 24), as: UTF8.self)
            .split(separator: "\n").filter { $0.contains("/libgtk-4") }
        #expect(lines.contains { $0.contains("calling init") })
        #expect(!lines.contains { $0.contains("calling fini") })
    }

    @Test func `Escape closes a window whose service has died`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick("--title", "Pick")
        try await dialog.person.do("photos 3")
        try await dialog.service.stop(SIGKILL)
        _ = try await pick.exitStatus()
        try await dialog.person.readInterruption()
        try await dialog.person.do("key Escape")
        try await dialog.person.do("no-window")
        // The program itself goes on, and ends as usual.
        try await dialog.dialog.stop()
    }

    @Test func `a dialog that is killed ends only its own request`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 3")
        try await dialog.dialog.stop(SIGKILL)
        #expect(try await pick.exitStatus() == 2)
        _ = try await dialog.restartDialog()
        let next = try dialog.pick()
        try await dialog.person.do("photos 3")
        try await dialog.person.do("click 0")
        try await dialog.person.do("press Select")
        #expect(try await next.exitStatus() == 0)
    }

    @Test func `two windows are independent of each other`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let first = try dialog.pick("--title", "First")
        try await dialog.person.do("photos 3")
        try await dialog.person.do("choose 0")
        let second = try dialog.pick("--title", "Second")
        try await eventually("the second window") {
            try await dialog.person.do("window").title == "“Second”"
        }
        try await dialog.person.do("photos 3")
        #expect(try await dialog.person.do("photos").pressed == [false, false, false])
        try await dialog.person.do("choose 1")
        try await dialog.person.do("press Select")
        #expect(try await second.exitStatus() == 0)
        #expect(second.pickedNames == ["2.jpg"])
        #expect(try await dialog.person.do("window").title == "“First”")
        try await dialog.person.do("press Select")
        #expect(try await first.exitStatus() == 0)
        #expect(first.pickedNames == ["1.jpg"])
    }

    @Test func `in a narrow window the albums are a page of their own`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(3, in: "Garden")
            try home.turnOffAnimations()
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 3")
        try await dialog.person.do("resize 400 600")
        try await eventually("the end of the movement") {
            try await dialog.person.do("place Photos").x == 4
        }
        try await dialog.person.see("narrow")
        try await dialog.person.do("key F9")
        try await eventually("the albums") {
            try await dialog.person.do("place Albums").width ?? 0 > 300
        }
        try await dialog.person.see("narrow-albums")
        try await dialog.person.do("album Garden, 3 photos")
        try await dialog.person.do("photos 3")
        try await dialog.person.do("click 0")
        // There is no room for a counter of its own.
        #expect(try await !dialog.person.texts().contains("1 photo"))
        try await dialog.person.see("narrow-chosen")
        try await dialog.person.do("press 'Select (1)'")
        #expect(try await pick.exitStatus() == 0)
    }

    /// The view went back to the photo that was clicked last.
    @Test func `a window that becomes active again shows the same photos`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(400) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 6")
        try await dialog.person.do("click 0")
        let photos = try await dialog.scroll(80)
        try await dialog.person.do("away")
        // The photo that has the focus keeps its tile.
        #expect(try await dialog.person.do("photos").photos == photos)
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// The view stayed at its height, at which there were other photos by then.
    @Test func `at the end of the list the photos stay when newer ones come`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(400) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 6")
        let photos = try await dialog.scroll(400)
        let last = try #require(photos.last)
        let album = try await dialog.person.do("albums").albums?.first
        #expect(album == "All photos, 400 photos")
        for number in 1...100 {
            try dialog.home.write(
                Fixtures.bytes("jpeg/baseline.jpg") + Array("new \(number)".utf8),
                to: dialog.home.pictures.appending("new\(number).jpg"))
        }
        try await eventually("the new photos") {
            try await dialog.person.do("albums").albums?.first == "All photos, 500 photos"
        }
        #expect(try await dialog.person.do("photos").photos?.last == last)
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// It was refused, because it was not in the version that the window went on showing.
    @Test func `a photo that changes on the screen can be chosen and delivered`() async throws {
        let dialog = try await DialogSession { home in
            try home.turnOffAnimations()
            let grey = try Fixtures.bytes("jpeg/grey.jpg")
            for name in ["1.jpg", "2.jpg"] {
                try home.write(grey + Array(name.utf8), to: home.pictures.appending(name))
            }
            home.setDate(of: home.pictures.appending("2.jpg"), 1_700_000_000)
        }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "2", "--format", "json")
        try await dialog.person.do("loaded 2")
        // The covers of the albums change, too.
        try await dialog.person.do("key F9")
        try await dialog.person.do("click 1")
        for (name, date) in [("1.jpg", 1_750_000_000), ("2.jpg", 1_700_000_000)] {
            let new = dialog.home.scratch.appending(name)
            try dialog.home.write(Fixtures.bytes("png/rgb.png") + Array(name.utf8), to: new)
            // They stay in their order.
            dialog.home.setDate(of: new, date)
            try AtomicFile.rename(new, to: dialog.home.pictures.appending(name))
        }
        try await dialog.person.do("colour e61ee6 10")
        try await dialog.person.do("loaded 2")
        try await dialog.person.see("changed-on-screen")
        try await dialog.person.do("click 0")
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.outputText.contains("1.jpg\""), "\(pick.outputText)")
        // This one was chosen before it changed.
        #expect(!pick.outputText.contains("2.jpg"), "\(pick.outputText)")
    }

    /// They stayed as small as the narrow window had needed them.
    @Test func `photos become sharp when the window becomes wider`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPictures(1)
            try home.turnOffAnimations()
            // Squares in a narrow window would need the larger thumbnails.
            try home.write(
                Array("[Grid]\nSquares=false\n".utf8),
                to: home.home.appending(
                    FilePath(".local/state/photo-portal/window.conf").components))
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 1")
        try await dialog.person.do("resize 400 600")
        try await eventually("the narrow window") {
            try await dialog.person.do("place Photos").width ?? 400 < 400
        }
        try dialog.home.addPhotos(3)
        try await dialog.person.do("loaded 4")
        let cache = dialog.home.cache.appending("thumbnails")
        let uri = "file://\(dialog.home.pictures.appending("1.jpg"))"
        let name = "\(Digest.md5Hex(uri)).png"
        #expect(throws: Never.self) {
            try cache.appending("normal").appending(name).stat()
        }
        #expect(throws: Errno.self) { try cache.appending("large").appending(name).stat() }
        try await dialog.person.do("resize 960 640")
        try await eventually("a larger picture", within: .seconds(30)) {
            // The window may have been as wide as this without the albums for a moment.
            ["large", "x-large"].contains {
                (try? cache.appending($0).appending(name).stat()) != nil
            }
        }
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// The scroll position stayed, and after hundreds of rows showed other photos.
    @Test func `the photos in view stay there when the albums are hidden`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(400)
            try home.turnOffAnimations()
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 6")
        let width = try await dialog.person.do("place Photos").width ?? 0
        let newest = try await dialog.person.do("photos").photos?.first
        try await dialog.person.do("scroll 80")
        let photos = try await eventually("the end of the movement") {
            let photos = try await dialog.person.do("photos").photos ?? []
            let later = try await dialog.person.do("photos").photos ?? []
            return photos == later && !photos.contains { $0 == newest } ? photos : nil
        }
        let middle = try #require(photos.dropFirst(photos.count / 2).first)
        for _ in 0..<2 {
            try await dialog.person.do("key F9")
            try await eventually("room for the photos") {
                try await dialog.person.do("place Photos").width ?? 0 > width + 100
            }
            try await eventually("the same photos") {
                try await dialog.person.do("photos").photos?.contains(middle) == true
            }
            try await dialog.person.see("albums-hidden")
            try await dialog.person.do("key F9")
            try await eventually("the albums") {
                try await dialog.person.do("place Photos").width == width
            }
            try await eventually("the photos of before") {
                try await dialog.person.do("photos").photos == photos
            }
        }
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// The header stayed as wide as before, and the first F9 did nothing.
    @Test func `a window that becomes narrow while the albums are hidden`() async throws {
        let dialog = try await DialogSession { home in
            try home.addPhotos(3)
            try home.turnOffAnimations()
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 3")
        try await dialog.person.do("key F9")
        try await eventually("the end of the albums") {
            try await dialog.person.do("place Photos").x == 4
        }
        try await dialog.person.do("resize 400 600")
        try await eventually("the narrow window") {
            try await dialog.person.do("place Photos").width ?? 400 < 400
        }
        try await dialog.person.do("click 0")
        try await dialog.person.do("enabled 'Select (1)'")
        try await dialog.person.do("key F9")
        try await eventually("the albums") {
            try await dialog.person.do("place Albums").width ?? 0 > 300
        }
        try await dialog.person.do("key Escape")
        try await dialog.person.do("press 'Select (1)'")
        #expect(try await pick.exitStatus() == 0)
    }

    @Test func `every control has a name`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 3")
        #expect(try await dialog.person.do("unlabelled").unlabelled == [])
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `the dark style is used`() async throws {
        let dialog = try await DialogSession(environment: ["ADW_DEBUG_COLOR_SCHEME": "prefer-dark"])
        {
            try $0.addPhotos(6)
        }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "3")
        try await dialog.person.do("photos 6")
        try await dialog.person.do("loaded 6")
        try await dialog.person.do("click 1")
        try await dialog.person.see("dark")
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `the label of the button has no underline`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(1) }
        try await dialog.settle()
        let pick = try dialog.pick("--single", "--accept-label", "_Insert __it")
        try await dialog.person.do("photos 1")
        try await dialog.person.do("click 0")
        try await dialog.person.do("press 'Insert _it'")
        #expect(try await pick.exitStatus() == 0)
    }

    @Test func `a dialog without a window ends after a while`() async throws {
        let session = try await Session.start()
        let display = try await Display.shared.value.environment
        let dialog = try session.start(
            "photo-portal-dialog", ["--idle", "1"],
            environment: display.merging(["GTK_A11Y": "none"]) { $1 })
        #expect(try await dialog.exitStatus() == 0)
    }
}

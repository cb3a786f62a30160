// SPDX-License-Identifier: MIT

import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Looking at one photo at a time.
@Suite(.serialized) struct PreviewTests {
    /// Waits until the preview shows the photo with this place among the others.
    private func see(_ place: String, in dialog: DialogSession) async throws {
        try await dialog.person.wait(for: "the photo \(place)") {
            try await dialog.person.texts().contains(place)
        }
    }

    @Test func `Enter opens the preview, in which keys move and choose`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick("--max", "3")
        try await dialog.person.do("loaded 4")
        try await dialog.person.do("key Right Right Return")
        try await see("2 of 4", in: dialog)
        try await dialog.person.do("key space Right")
        try await see("3 of 4", in: dialog)
        #expect(try await dialog.person.texts().contains("Chosen: 1 of 3"))
        try await dialog.person.see("preview")
        #expect(try await dialog.person.do("unlabelled").unlabelled == [])
        try await dialog.person.do("key End space Home")
        try await see("1 of 4", in: dialog)
        try await dialog.person.do("key Escape")
        try await dialog.person.do("photos 4")
        #expect(
            try await dialog.person.do("photos").pressed == [false, true, false, true])
        // The focus is on the photo that was shown last.
        #expect(
            try await dialog.person.do("photos").focused == [true, false, false, false])
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg", "4.jpg"])
    }

    @Test func `a double click opens the preview and chooses nothing`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 4")
        try await dialog.person.do("double-click 2")
        try await see("3 of 4", in: dialog)
        #expect(try await dialog.person.do("enabled Select").enabled == false)
        try await dialog.person.do("press Choose this one")
        try await dialog.person.do("press Next")
        try await see("4 of 4", in: dialog)
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["3.jpg"])
    }

    @Test func `the preview of chosen photos leaves out the others`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("photos 4")
        for index in [3, 0] { try await dialog.person.do("click \(index)") }
        try await dialog.person.do("key Return")
        try await see("1 of 4", in: dialog)
        try await dialog.person.do("press Show only what is chosen")
        try await see("2 of 2", in: dialog)
        try await dialog.person.do("press Back")
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["4.jpg", "1.jpg"])
    }

    /// The app got the new picture, which nobody had seen, or an error.
    @Test func `a photo that has changed by the time of the preview is no longer chosen`()
        async throws
    {
        let dialog = try await DialogSession { try $0.addPhotos(3) }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 3")
        try await dialog.person.do("click 1")
        try await dialog.person.do("click 0")
        dialog.service.signal(SIGSTOP)
        try dialog.home.write(
            Fixtures.bytes("jpeg/progressive.jpg"),
            to: dialog.home.pictures.appending("1.jpg"))
        try await dialog.person.do("key Return")
        try await see("1 of 3", in: dialog)
        try await eventually("the message") {
            try await dialog.person.texts().contains {
                $0.contains("1 file has changed or disappeared")
            }
        }
        #expect(try await dialog.person.texts().contains("Chosen: 1 photo"))
        dialog.service.signal(SIGCONT)
        // What is seen now can be chosen.
        try await dialog.person.do("key space ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg", "1.jpg"])
    }

    @Test func `the magnifier opens the preview, and Select delivers what it shows`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(4) }
        try await dialog.settle()
        let pick = try dialog.pick("--single")
        try await dialog.person.do("loaded 4")
        try await dialog.person.do("click 0")
        // The tooltip covers the sign, but lets clicks through.
        try await dialog.person.do("tip 1")
        try await dialog.person.see("magnifier")
        try await dialog.person.do("magnify 1")
        try await see("2 of 4", in: dialog)
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg"])
    }

    /// In the window the squares of one pixel become violet, until all pixels are there.
    @Test(arguments: ["key 1", "zoom 3|key 1", "key plus plus plus|key 1"])
    func `a photo is sharp when it is shown pixel for pixel`(steps: String) async throws {
        let dialog = try await DialogSession()
        try await draw(
            "Image.frombytes('RGB', (2, 2), bytes.fromhex('ff00000000ff' '0000ffff0000'))",
            tiled: (2000, 1500), in: dialog)
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 1")
        try await dialog.person.do("key Right Return")
        try await see("1 of 1", in: dialog)
        try await dialog.person.do("no-colour ff0000")
        // The size may not be known at once, and until then nothing is zoomed.
        try await dialog.person.wait(for: "its pixels") {
            for step in steps.split(separator: "|") {
                try await dialog.person.do(String(step))
            }
            return try await dialog.person.attempt("colour ff0000 0.5").ok
        }
        try await dialog.person.do("pull -300 200")
        try await dialog.person.do("colour ff0000")
        try await dialog.person.do("key 0")
        try await dialog.person.do("no-colour ff0000")
        try await dialog.person.do("press Back")
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `a panorama of one row does no harm`() async throws {
        let dialog = try await DialogSession()
        try await draw(
            "Image.new('RGB', (1, 1), (0, 192, 0))", tiled: (30_000, 1), in: dialog)
        let pick = try dialog.pick()
        try await dialog.person.do("photos 1")
        try await dialog.person.do("key Right Return")
        try await dialog.person.do("colour 00c000")
        try await dialog.person.do("key 1")
        try await dialog.person.do("zoom 10")
        try await dialog.person.do("colour 00c000")
        try await dialog.person.do("key space ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["drawn.png"])
    }

    /// Draws a picture of a size from copies of a small one, as drawn.png.
    private func draw(
        _ picture: String, tiled size: (width: Int, height: Int), in dialog: DialogSession
    ) async throws {
        let script = """
            import os, sys
            from PIL import Image
            small = \(picture)
            image = Image.new('RGB', (\(size.width), \(size.height)))
            row = Image.new('RGB', (image.width, small.height))
            for x in range(0, image.width, small.width):
                row.paste(small, (x, 0))
            for y in range(0, image.height, small.height):
                image.paste(row, (0, y))
            image.save(sys.argv[1] + '.part', 'PNG')
            os.rename(sys.argv[1] + '.part', sys.argv[1])
            """
        let (status, _, errors) = try await dialog.session.run(
            "/usr/bin/python3",
            ["-c", script, dialog.home.pictures.appending("drawn.png").string])
        try #require(status == 0, "\(errors)")
    }

    @Test func `details say what the photo is, also in a narrow window`() async throws {
        let dialog = try await DialogSession { try $0.addPhotos(2) }
        let (status, _, errors) = try await dialog.session.run(
            "/usr/bin/exiftool",
            [
                "-P", "-overwrite_original", "-EXIF:ExposureTime=1/250", "-EXIF:FNumber=1.8",
                "-EXIF:ISO=100", "-EXIF:FocalLength=26",
                dialog.home.pictures.appending("1.jpg").string,
            ])
        try #require(status == 0, "\(errors)")
        try await dialog.settle()
        let pick = try dialog.pick("--clip", "optional")
        try await dialog.person.do("loaded 2")
        try await dialog.person.do("key Right Return")
        try await see("1 of 2", in: dialog)
        try await dialog.person.do("key alt+Return")
        try await eventually("the details") {
            let texts = try await dialog.person.texts()
            return texts.contains("File size") && texts.contains("1.jpg")
                && texts.contains("\u{2066}48 × 32\u{2069}")
                && texts.contains("1/250 s  f/1.8  ISO 100  26 mm")
        }
        try await dialog.person.see("preview-details")
        // It closes the list, and not the preview.
        try await dialog.person.do("key Escape")
        try await see("1 of 2", in: dialog)
        try await dialog.person.do("resize 360 480")
        try await dialog.person.see("preview-narrow")
        try await dialog.person.do("key Escape")
        try await dialog.person.do("photos 2")
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    /// GTK gave the focus to another button, and Space pressed that.
    @Test func `keys are for the photo after the button that had the focus has lost its use`()
        async throws
    {
        let dialog = try await DialogSession(environment: ["G_DEBUG": "fatal-criticals"]) {
            try $0.addPhotos(2)
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 2")
        try await dialog.person.do("key Right Return")
        try await see("1 of 2", in: dialog)
        try await dialog.person.do("focus Next")
        try await dialog.person.do("key Return")
        try await see("2 of 2", in: dialog)
        // Keys are for the photo.
        try await dialog.person.do("key space")
        try await dialog.person.wait(for: "the choice") {
            try await dialog.person.texts().contains("Chosen: 1 photo")
        }
        try await dialog.person.do("key Left")
        try await see("1 of 2", in: dialog)
        try await dialog.person.do("key alt+Return")
        try await eventually("the details") {
            try await dialog.person.texts().contains("File size")
        }
        try await dialog.person.do("key Escape")
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg"])
    }

    @Test func `the focus on a button can be seen over a white photo`() async throws {
        let dialog = try await DialogSession()
        for (index, name) in ["1.png", "2.png"].enumerated() {
            try await draw(
                "Image.new('RGB', (8, 8), (255, 255, 255))", tiled: (1600, 1000 + index),
                in: dialog)
            let pictures = dialog.home.pictures
            try #require(
                rename(
                    pictures.appending("drawn.png").string, pictures.appending(name).string) == 0)
        }
        try await dialog.settle()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 2")
        try await dialog.person.do("key Right Return")
        try await see("1 of 2", in: dialog)
        try await dialog.person.do("no-colour 3584e4")
        try await dialog.person.do("focus Next")
        try await dialog.person.do("colour 3584e4")
        try await dialog.person.see("preview-focus-on-white")
        try await dialog.person.do("press Back")
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `a video shows a frame of its beginning, and how long it is`() async throws {
        let dialog = try await DialogSession { home in
            try home.write(
                Fixtures.bytes("video/moving.mp4"), to: home.pictures.appending("moving.mp4"))
        }
        try await dialog.settle()
        let pick = try dialog.pick("--type", "video/*")
        try await dialog.person.do("photos 1")
        try await dialog.person.do("key Right Return")
        try await eventually("the controls") {
            try await dialog.person.texts().contains("0:02")
        }
        try await dialog.person.see("preview-video")
        try await dialog.person.do("key space ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
    }
}

// SPDX-License-Identifier: MIT

import CameraPresence
import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

/// The sheet on a screen: what it shows, what a person does in it, and what the app gets.
@Suite(.serialized) struct SheetTests {
    /// Sizes of photos, the newest first; a panorama is beside a portrait.
    private static let shapes = [(480, 320), (300, 480), (1200, 240), (400, 400), (320, 480)]

    static func start(
        _ count: Int = 5, dark isDark: Bool = false, environment: [String: String] = [:],
        _ prepare: (TestHome) throws -> Void = { _ in }
    ) async throws -> DialogSession {
        let colours = isDark ? ["ADW_DEBUG_COLOR_SCHEME": "prefer-dark"] : [:]
        let dialog = try await DialogSession(
            environment: colours.merging(environment) { $1 }
        ) { home in
            try home.turnOffAnimations()
            try prepare(home)
        }
        if count > 0 { try await draw(0..<count, in: dialog) }
        try await dialog.settle()
        return dialog
    }

    /// Draws photos; 1.jpg is the newest, and the others follow.
    static func draw(_ numbers: Range<Int>, in dialog: DialogSession) async throws {
        let script = """
            import colorsys, os, sys
            from PIL import Image, ImageDraw
            folder, *sizes = sys.argv[1:]
            for size in sizes:
                number, width, height = map(int, size.split(','))
                colours = [tuple(int(255 * part) for part in colorsys.hsv_to_rgb(number * 0.23 % 1, 0.6, value))
                           for value in (0.9, 0.5)]
                image = Image.new('RGB', (width, height), colours[0])
                draw = ImageDraw.Draw(image)
                draw.polygon([(0, height), (width * 0.4, height * 0.4), (width * 0.7, height)], colours[1])
                draw.ellipse([width - height * 0.4, height * 0.1, width - height * 0.1, height * 0.4], 'white')
                image.save(f'{folder}/{number}.part', 'JPEG', quality=90)
                os.utime(f'{folder}/{number}.part', (1_700_000_000 - number * 60,) * 2)
                os.rename(f'{folder}/{number}.part', f'{folder}/{number}.jpg')
            """
        let sizes = numbers.map { index in
            let shape = shapes[index % shapes.count]
            return "\(index + 1),\(shape.0),\(shape.1)"
        }
        let (status, _, errors) = try await dialog.session.run(
            "/usr/bin/python3", ["-c", script, dialog.home.pictures.string] + sizes)
        try #require(status == 0, "\(errors)")
    }

    static func wait(_ dialog: DialogSession, loaded count: Int) async throws {
        try await dialog.person.do("photos \(count)")
        try await dialog.person.do("loaded \(count)")
        // No row does anything right after the photos have taken the place of a text.
        try await dialog.person.do("ready")
    }

    static func wait(_ dialog: DialogSession, width: Int) async throws {
        try await eventually("a window of \(width) pixels") {
            try await dialog.person.do("size").width == width
        }
    }

    // MARK: - Layout

    @Test(arguments: [false, true])
    func `S1.4 S1.7 S1.8 S1.9 a strip of photos in their shapes above rows of 54 pixels`(
        isDark: Bool
    ) async throws {
        let dialog = try await Self.start(dark: isDark)
        let pick = try dialog.pick("--sheet")
        try await Self.wait(dialog, loaded: 3)
        try await dialog.person.see("sheet-\(isDark ? "dark" : "light")")
        let size = try await dialog.person.do("size")
        #expect(size.width == 480)
        let strip = try await dialog.person.do("place Photos")
        #expect(strip.height == 165)
        for (index, width) in [233, 97, 775].enumerated() {
            let photo = try await dialog.person.do("photo-place \(index)")
            #expect(photo.width == width)
            #expect(photo.height == 155)
        }
        let first = try await dialog.person.do("photo-place 0")
        let second = try await dialog.person.do("photo-place 1")
        #expect((second.x ?? 0) - (first.x ?? 0) == 233 + 5)
        let rows = ["Library", "Camera", "Cancel"]
        let texts = try await dialog.person.texts()
        #expect(texts.filter(rows.contains).removingRepeats() == rows)
        var bottoms: [Int] = []
        for row in rows {
            let place = try await dialog.person.do("button-place \(row)")
            #expect(place.height == 54)
            #expect(bottoms.last.map { $0 == place.y } ?? true)
            bottoms.append((place.y ?? 0) + (place.height ?? 0))
        }
        #expect(
            try await dialog.person.do("enabled Camera").enabled == VideoDevices().captures)
        #expect(try await dialog.person.do("unlabelled").unlabelled == [])
        try await dialog.person.do("press Cancel")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `S1.5 S1.8 rows have the app's order, texts and icons`() async throws {
        let dialog = try await Self.start()
        let long = String(repeating: "long ", count: 200)
        let pick = try dialog.pick(
            "--sheet", "--action", "close:Not now", "--action",
            "library:<b>All & more</b>:folder-pictures-symbolic", "--action",
            "files:\(long):no-such-icon", "--action", "library:a\u{202E}b\u{7}c:../../secret",
            "--action", "camera::camera-photo-symbolic", "--action", "recent:Cancel", "--action",
            "recent:\u{200B} \u{200B}:document-open-recent-symbolic", "--reason",
            "For the cover of your album")
        try await Self.wait(dialog, loaded: 3)
        try await dialog.person.see("sheet-rows")
        let texts = try await dialog.person.texts()
        let wanted = [
            // What sends something says so, whatever the app calls it, and what does not, too.
            "Not now, Sends nothing", "<b>All & more</b>", "a\u{FFFD}b\u{FFFD}c", "Camera",
            "Cancel, Sends your newest photo", "Newest Photo",
        ]
        #expect(texts.filter(wanted.contains).removingRepeats() == wanted)
        #expect(texts.contains { $0.hasPrefix("long long") && $0.hasSuffix("…") && $0.count == 60 })
        try await dialog.person.do("press 'Not now, Sends nothing'")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `S1.18 a sheet without a row to close it has a button for that`() async throws {
        let dialog = try await Self.start(1)
        let pick = try dialog.pick("--sheet", "--action", "library")
        try await Self.wait(dialog, loaded: 1)
        try await dialog.person.see("sheet-one-photo")
        try await dialog.person.do("press Cancel")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `on a phone with large text everything fits`() async throws {
        let dialog = try await Self.start { try $0.setText(points: 22) }
        let pick = try dialog.pick(
            "--sheet", "--no-immediate", "--max", "3", "--continuous", "--action",
            "recent:Take the last one:document-open-recent-symbolic", "--action", "library",
            "--action", "close")
        try await Self.wait(dialog, loaded: 2)
        try await dialog.person.do("click 1")
        try await dialog.person.do("resize 360 700")
        // GTK 4.18 says that the title of a bar without buttons, which has an ellipsis where there is no room,
        // is outside the bar.
        try await dialog.seeNarrow(
            "sheet-phone", except: ["Choose Photos", "For an unknown app"])
        // Rows have moved, because some texts need another line.
        try await dialog.person.do("ready")
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `photos and rows follow the direction of the language`() async throws {
        let dialog = try await Self.start(
            environment: ["LC_ALL": "C.UTF-8", "LANGUAGE": "ar"])
        let pick = try dialog.pick(
            "--sheet", "--single", "--action", "library::folder-pictures-symbolic", "--action",
            "close")
        try await Self.wait(dialog, loaded: 3)
        try await dialog.person.see("sheet-right-to-left")
        // From left to right; the newest photo is 233 pixels wide.
        let isReversed = try await dialog.person.do("photo-place 0").width != 233
        try await dialog.person.do("key Home")
        try await dialog.person.do("key \(isReversed ? "Left" : "Right")")
        try await dialog.person.do("key Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg"])
    }

    // MARK: - Choosing

    @Test func `S1.13 S4.14 one click delivers the photo`() async throws {
        let dialog = try await Self.start()
        let pick = try dialog.pick("--sheet", "--single")
        try await Self.wait(dialog, loaded: 3)
        try await dialog.person.do("click 1")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg"])
    }

    @Test func `S4.14 without immediate photos are marked, and a row finishes`() async throws {
        let dialog = try await Self.start()
        let pick = try dialog.pick("--sheet", "--no-immediate", "--max", "3", "--ordered")
        try await Self.wait(dialog, loaded: 3)
        #expect(try await dialog.person.do("enabled Select").enabled == false)
        try await dialog.person.do("click 1")
        try await dialog.person.do("click 0")
        try await dialog.person.wait(for: "the number") {
            try await dialog.person.texts().contains { $0.hasPrefix("Select 2 Photos") }
        }
        try await dialog.person.see("sheet-chosen")
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg", "1.jpg"])
    }

    @Test func `keys move, choose and finish`() async throws {
        let dialog = try await Self.start()
        let pick = try dialog.pick("--sheet", "--no-immediate", "--max", "3")
        try await Self.wait(dialog, loaded: 3)
        try await dialog.person.do("key Right")
        #expect(try await dialog.person.do("photos").focused?.prefix(2) == [true, false])
        try await dialog.person.do("key Right space")
        #expect(try await dialog.person.do("photos").focused?.prefix(2) == [false, true])
        #expect(try await dialog.person.do("photos").pressed?.prefix(2) == [false, true])
        try await dialog.person.do("key End")
        try await dialog.person.wait(for: "the last photo") {
            try await dialog.person.do("photos").focused?.last == true
        }
        try await dialog.person.do("key space")
        try await dialog.person.see("sheet-keys")
        try await dialog.person.do("key Down Return")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["2.jpg", "5.jpg"])
    }

    @Test func `the wheel scrolls the strip, and the photos follow`() async throws {
        let dialog = try await Self.start(40)
        let pick = try dialog.pick("--sheet")
        try await Self.wait(dialog, loaded: 3)
        let before = try #require(try await dialog.person.do("photos").photos)
        let after = try await dialog.scroll(30)
        #expect(after.first != before.first)
        try await dialog.person.see("sheet-scrolled")
        _ = try await dialog.scroll(-60)
        #expect(try await dialog.person.do("photos").photos?.first == before.first)
        try await dialog.person.do("press Cancel")
        _ = try await pick.exitStatus()
    }

    @Test func `what the app excludes is dimmed, and no click gives it`() async throws {
        let dialog = try await Self.start()
        let pick = try dialog.pick("--sheet", "--filter", "min_width=400")
        try await Self.wait(dialog, loaded: 3)
        try await dialog.person.do("click 1")
        try await dialog.person.wait(for: "the reason") {
            try await dialog.person.texts().contains { $0.contains("400") }
        }
        try await dialog.person.see("sheet-unfit")
        try await dialog.person.do("click 0")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["1.jpg"])
    }

    @Test func `a part that the app requires is asked for, and Escape returns to the sheet`()
        async throws
    {
        let dialog = try await Self.start()
        let pick = try dialog.pick(
            "--sheet", "--single", "--clip", "required", "--format", "json")
        try await Self.wait(dialog, loaded: 3)
        // A click right after photos have moved is refused, which happens on a busy machine.
        var hasFrame = false
        for _ in 0..<3 where !hasFrame {
            try await dialog.person.do("click 1")
            let found: Void? = try? await eventually("the frame", within: .seconds(20)) {
                try await dialog.person.texts().contains { $0.hasPrefix("Area: ") }
            }
            hasFrame = found != nil
        }
        #expect(hasFrame)
        try await Self.wait(dialog, width: 960)
        try await dialog.person.see("sheet-crop")
        try await dialog.person.do("key Escape")
        try await dialog.person.do("photos 3")
        try await Self.wait(dialog, width: 480)
        try await dialog.person.see("sheet-after-crop")
        try await dialog.person.do("key ctrl+Return")
        try await dialog.person.wait(for: "the frame") {
            try await dialog.person.texts().contains { $0.hasPrefix("Area: ") }
        }
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        let result = pick.outputText.filter { !$0.isWhitespace }
        #expect(result.contains("\"clip\":[0,90,300,300]"), "\(result)")
    }

    @Test func `a photo that comes appears first`() async throws {
        let dialog = try await Self.start(2)
        let pick = try dialog.pick("--sheet")
        try await Self.wait(dialog, loaded: 2)
        let path = dialog.home.pictures.appending("new.png")
        try dialog.home.write(Fixtures.bytes("png/rgb.png"), to: path)
        try await dialog.person.do("photos 3")
        try await dialog.person.do("loaded 3")
        // Input counts again once the person can have seen that the others have moved.
        try await eventually("the photo") {
            _ = try await dialog.person.attempt("click 0")
            return
                (try? await eventually("its name", within: .seconds(2)) {
                    !pick.pickedNames.isEmpty
                }) != nil
        }
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["new.png"])
    }

    // MARK: - Rows

    @Test func `S1.14 --latest delivers the newest photo, and nothing without one`() async throws {
        let dialog = try await Self.start(0)
        let none = try dialog.pick("--latest")
        try await dialog.person.wait(for: "the reason") {
            try await dialog.person.texts().contains("No photos in Pictures yet")
        }
        #expect(try await dialog.person.do("enabled 'Newest Photo'").enabled == false)
        try await dialog.person.see("sheet-empty")
        try await dialog.person.do("key Escape")
        #expect(try await none.exitStatus() == 1)
        try await dialog.person.do("no-window")
        try await Self.draw(0..<3, in: dialog)
        let one = try dialog.pick("--latest", "--single")
        try await Self.wait(dialog, loaded: 2)
        try await dialog.person.see("sheet-latest")
        // While photos come, it delivers none.
        try await eventually("the photo") {
            _ = try await dialog.person.attempt("press 'Newest Photo'")
            return
                (try? await eventually("its name", within: .seconds(2)) {
                    !one.pickedNames.isEmpty
                }) != nil
        }
        #expect(try await one.exitStatus() == 0)
        #expect(one.pickedNames == ["1.jpg"])
    }

    @Test func `S1.15 S1.17 library opens the grid in the same request, and Back leads back`()
        async throws
    {
        let dialog = try await Self.start()
        let pick = try dialog.pick("--sheet", "--max", "3")
        try await Self.wait(dialog, loaded: 3)
        try await dialog.person.do("press Library")
        try await dialog.person.do("albums")
        try await Self.wait(dialog, width: 960)
        try await dialog.person.do("loaded 5")
        try await dialog.person.see("sheet-grid")
        try await dialog.person.do("click 4")
        try await dialog.person.do("press Back")
        try await dialog.person.wait(for: "the sheet with the choice") {
            try await dialog.person.texts().contains { $0.hasPrefix("Select 1 Photo") }
        }
        try await Self.wait(dialog, width: 480)
        try await dialog.person.see("sheet-again")
        try await dialog.person.do("press Library")
        try await dialog.person.do("albums")
        try await dialog.person.do("click 3")
        try await dialog.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["5.jpg", "4.jpg"])
    }

    @Test func `S1.18 Escape goes from the grid to the sheet, and cancels there`() async throws {
        let dialog = try await Self.start()
        let pick = try dialog.pick("--sheet")
        try await Self.wait(dialog, loaded: 3)
        try await dialog.person.do("press Library")
        try await dialog.person.do("albums")
        try await dialog.person.do("key Escape")
        try await Self.wait(dialog, width: 480)
        try await dialog.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
        try await dialog.person.do("no-window")
    }

    @Test func `S1.15 a row opens the desktop's files`() async throws {
        let dialog = try await Self.start(1)
        let pick = try dialog.pick("--sheet", "--single", "--action", "files", "--action", "close")
        try await Self.wait(dialog, loaded: 1)
        let path = dialog.home.scratch.appending("elsewhere.png")
        try dialog.home.write(Fixtures.bytes("png/rgb.png"), to: path)
        try await dialog.person.do("press Other Files…")
        try await dialog.person.nameFile(path)
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.pickedNames == ["elsewhere.png"])
    }

    // MARK: - The parent window

    @Test func `S1.4 it is at the lower edge of its parent, and as wide`() async throws {
        let dialog = try await Self.start()
        let parent = try await AppWindow(in: dialog)
        let pick = try dialog.pick("--sheet", "--parent", "x11:\(parent.number)")
        try await Self.wait(dialog, loaded: 2)
        let its = try await parent.place(in: dialog)
        let mine = try await ParentWindowTests.window(dialog)
        var place = its
        for _ in 0..<50 {
            place = try await AppWindow.place(of: mine, in: dialog)
            if place.y + place.height == its.y + its.height { break }
        }
        #expect(place.width == its.width)
        #expect(place.x == its.x)
        #expect(place.y + place.height == its.y + its.height)
        try await dialog.person.see("sheet-parent")
        try await dialog.person.do("press Library")
        try await dialog.person.do("albums")
        try await Self.wait(dialog, width: 960)
        try await dialog.person.see("sheet-parent-grid")
        let grid = try await AppWindow.place(of: mine, in: dialog)
        #expect(grid.x >= 0 && grid.y >= 0 && abs(grid.x + 480 - its.x - its.width / 2) <= 1)
        try await dialog.person.do("key Escape")
        try await Self.wait(dialog, width: its.width)
        try await dialog.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
        try await parent.program.stop()
    }
}

extension Array where Element: Equatable {
    /// Without elements that were there before: a button and its label say the same.
    fileprivate func removingRepeats() -> [Element] {
        reduce(into: []) { kept, element in
            if !kept.contains(element) { kept.append(element) }
        }
    }
}

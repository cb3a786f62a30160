// SPDX-License-Identifier: MIT

import Desktop
import Files
import Foundation
import Photos
import SystemPackage
import TestSupport
import Testing

/// Cropping photos in the window, with the pixels that the app gets.
@Suite(.serialized) struct CroppingTests {
    /// A session with noisy photos of 96 × 64 stored pixels, one for each orientation: 1.jpg to 8.jpg.
    private static func start() async throws -> DialogSession {
        let dialog = try await DialogSession()
        try await draw(in: dialog)
        try await dialog.settle()
        return dialog
    }

    private static func draw(in dialog: DialogSession) async throws {
        let script = """
            import os, random, sys
            from PIL import Image
            source = random.Random(1)
            for orientation in range(1, 9):
                path = f'{sys.argv[1]}/{orientation}.jpg'
                image = Image.frombytes('RGB', (12, 8), source.randbytes(12 * 8 * 3))
                image = image.resize((96, 64), Image.Resampling.NEAREST)
                exif = Image.Exif()
                exif[0x0112] = orientation
                image.save(path + '.part', 'JPEG', quality=98, subsampling=0, exif=exif)
                os.utime(path + '.part', (1_700_000_000 - orientation * 60,) * 2)
                os.rename(path + '.part', path)
            """
        let (status, _, errors) = try await dialog.session.run(
            "/usr/bin/python3", ["-c", script, dialog.home.pictures.string])
        try #require(status == 0, "\(errors)")
    }

    /// The area that the window shows.
    private func area(in dialog: DialogSession) async throws -> PixelRectangle {
        try await eventually("the area") {
            for text in try await dialog.person.texts() where text.hasPrefix("Area: ") {
                let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
                guard numbers.count == 4 else { continue }
                return PixelRectangle(
                    x: numbers[2], y: numbers[3], width: numbers[0], height: numbers[1])
            }
            return nil
        }
    }

    /// The difference, 0 to 255, between a delivered picture and the area of the upright original.
    private func difference(
        _ delivered: String, _ original: FilePath, _ area: PixelRectangle, in dialog: DialogSession
    ) async throws -> Int {
        let script = """
            import sys
            from PIL import Image, ImageChops, ImageOps
            x, y, width, height = map(int, sys.argv[3:])
            wanted = ImageOps.exif_transpose(Image.open(sys.argv[2])).convert('RGB')
            wanted = wanted.crop((x, y, x + width, y + height))
            got = Image.open(sys.argv[1]).convert('RGB')
            assert got.size == wanted.size, (got.size, wanted.size)
            print(max(high for low, high in ImageChops.difference(got, wanted).getextrema()))
            """
        let (_, output, errors) = try await dialog.session.run(
            "/usr/bin/python3",
            ["-c", script, delivered, original.string]
                + [area.x, area.y, area.width, area.height].map { "\($0)" })
        return try #require(
            output.split(separator: "\n").first.flatMap { Int($0) }, "\(errors)")
    }

    @Test func `keys crop photos of all orientations, to the pixel`() async throws {
        let dialog = try await Self.start()
        let pick = try dialog.pick("--clip", "required", "--accept", "png")
        try await dialog.person.do("photos 8")
        try await dialog.person.do("key ctrl+a")
        try await dialog.person.do("key ctrl+Return")
        var areas: [PixelRectangle] = []
        for number in 1...8 {
            try await eventually("the crop \(number)") {
                try await dialog.person.texts().contains("Crop \(number) of 8")
            }
            let whole = try await area(in: dialog)
            #expect(whole.width == 64 && whole.height == 64)
            try await dialog.person.do("key minus minus minus minus minus minus")
            let small = try await eventually("the smaller area") {
                let area = try await area(in: dialog)
                return area.width == 45 && area.height == 45 ? area : nil
            }
            try await dialog.person.do("key shift+Right Down Down Left")
            let chosen = try await eventually("the new place") {
                let area = try await area(in: dialog)
                return area.x == small.x + 9 && area.y == small.y + 2 ? area : nil
            }
            if number == 2 { try await dialog.person.see("crop") }
            areas.append(chosen)
            try await dialog.person.do("key Return")
        }
        #expect(try await pick.exitStatus() == 0)
        let delivered = pick.outputText.split(separator: "\n").map(String.init)
        try #require(delivered.count == 8)
        for (index, area) in areas.enumerated() {
            let original = dialog.home.pictures.appending("\(index + 1).jpg")
            let difference = try await difference(
                delivered[index], original, area, in: dialog)
            #expect(difference <= 3, "orientation \(index + 1), \(area)")
        }
    }

    /// The difference on average, 0 to 255, between a delivered picture and the area of the original, which was
    /// turned by an angle before and by quarters afterwards.
    private func difference(
        _ delivered: String, _ original: FilePath, _ area: PixelRectangle, _ rotation: Rotation,
        in dialog: DialogSession
    ) async throws -> Double {
        let script = """
            import sys
            from PIL import Image, ImageChops, ImageOps, ImageStat
            x, y, width, height, turn = map(int, sys.argv[3:8])
            wanted = ImageOps.exif_transpose(Image.open(sys.argv[2])).convert('RGB')
            wanted = wanted.rotate(-float(sys.argv[8]), Image.Resampling.BICUBIC)
            wanted = wanted.crop((x, y, x + width, y + height)).rotate(-turn, expand=True)
            got = Image.open(sys.argv[1]).convert('RGB')
            assert got.size == wanted.size, (got.size, wanted.size)
            print(max(ImageStat.Stat(ImageChops.difference(got, wanted)).mean))
            """
        let (_, output, errors) = try await dialog.session.run(
            "/usr/bin/python3",
            ["-c", script, delivered, original.string]
                + [area.x, area.y, area.width, area.height, rotation.turn].map { "\($0)" }
                + ["\(rotation.degrees)"])
        return try #require(
            output.split(separator: "\n").first.flatMap { Double($0) }, "\(errors)")
    }

    @Test func `a photo is turned and straightened by keys, and delivered as it was seen`()
        async throws
    {
        let dialog = try await Self.start()
        let pick = try dialog.pick("--clip", "optional", "--accept", "png", "--format", "json")
        try await dialog.person.do("photos 8")
        try await dialog.person.do("key Right Return")
        try await dialog.person.do("press Crop")
        #expect(
            try await area(in: dialog) == PixelRectangle(x: 0, y: 0, width: 96, height: 64))
        try await dialog.person.do("key ctrl+r")
        try await eventually("the turned photo") {
            try await dialog.person.texts().contains {
                $0.hasPrefix("Area: 64 × 96 pixels") && $0.contains("Turned by 90°")
            }
        }
        for _ in 0..<30 { try await dialog.person.do("key period") }
        try await eventually("the straightened photo") {
            try await dialog.person.texts().contains { $0.contains("straightened by 3.0°") }
        }
        #expect(try await dialog.person.do("unlabelled").unlabelled == [])
        try await dialog.person.see("straighten")
        try await dialog.person.do("key Return")
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0, "\(pick.errorText)")
        let json = try JSONSerialization.jsonObject(with: Data(pick.outputText.utf8))
        let items = (json as? [String: Any])?["items"] as? [[String: Any]]
        let item = try #require(items?.first)
        let part = try #require(item["clip"] as? [Int])
        #expect(item["turn"] as? Int == 90 && item["angle"] as? Double == 3)
        #expect(item["clip_touched"] as? Bool == true)
        let uri = try #require(item["uri"] as? String)
        let path = try #require(FileURI.path(uri)).string
        let clip = PixelRectangle(x: part[0], y: part[1], width: part[2], height: part[3])
        #expect(item["width"] as? Int == clip.height && item["height"] as? Int == clip.width)
        let difference = try await difference(
            path, dialog.home.pictures.appending("1.jpg"), clip,
            Rotation(quarters: 1, hundredths: 300), in: dialog)
        #expect(difference < 4)
    }

    @Test func `an app that shows circles gets one, and the person sees it`() async throws {
        let dialog = try await Self.start()
        let pick = try dialog.pick(
            "--single", "--clip", "required", "--clip-shape", "circle", "--accept", "png")
        try await dialog.person.do("photos 8")
        try await dialog.person.do("key Right space")
        #expect(
            try await area(in: dialog) == PixelRectangle(x: 16, y: 0, width: 64, height: 64))
        #expect(try await dialog.person.do("unlabelled").unlabelled == [])
        try await dialog.person.see("circle")
        try await dialog.person.do("key Return")
        #expect(try await pick.exitStatus() == 0)
        let script = """
            import sys
            from PIL import Image
            image = Image.open(sys.argv[1])
            print(image.mode, image.size, image.getpixel((0, 0)), image.getpixel((32, 32))[3])
            """
        let delivered = pick.outputText.split(separator: "\n").first.map(String.init) ?? ""
        let (_, output, errors) = try await dialog.session.run(
            "/usr/bin/python3", ["-c", script, delivered])
        #expect(output == "RGBA (64, 64) (0, 0, 0, 0) 255\n", "\(errors)")
    }

    @Test func `buttons turn the photo, a slider straightens it, and Reset undoes both`()
        async throws
    {
        let dialog = try await Self.start()
        let pick = try dialog.pick("--clip", "optional", "--accept", "png")
        try await dialog.person.do("photos 8")
        try await dialog.person.do("key Right Return")
        try await dialog.person.do("press Crop")
        _ = try await area(in: dialog)
        try await dialog.person.do("press Turn Left")
        try await eventually("the turned photo") {
            try await dialog.person.texts().contains { $0.contains("Turned by 270°") }
        }
        try await dialog.person.do("press Turn Right")
        #expect(
            try await area(in: dialog) == PixelRectangle(x: 0, y: 0, width: 96, height: 64))
        try await dialog.person.do("key Tab Tab Prior")
        try await eventually("the straightened photo") {
            try await dialog.person.texts().contains { $0.contains("straightened by ") }
        }
        try await dialog.person.do("press Reset")
        #expect(
            try await area(in: dialog) == PixelRectangle(x: 0, y: 0, width: 96, height: 64))
        try await dialog.person.do("key Escape Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `with a limit of one a required crop is made by keyboard alone`() async throws {
        let dialog = try await Self.start()
        let pick = try dialog.pick(
            "--single", "--clip", "required", "--clip-size", "32x18", "--accept", "png")
        try await dialog.person.do("photos 8")
        try await dialog.person.do("key Right space")
        let whole = try await area(in: dialog)
        #expect(whole == PixelRectangle(x: 0, y: 5, width: 96, height: 54))
        #expect(try await dialog.person.do("unlabelled").unlabelled == [])
        try await dialog.person.do("key Return")
        #expect(try await pick.exitStatus() == 0)
        let size = try await dialog.session.run(
            "/usr/bin/python3",
            [
                "-c", "import sys; from PIL import Image; print(Image.open(sys.argv[1]).size)",
                pick.outputText.split(separator: "\n").first.map(String.init) ?? "",
            ]
        ).output
        #expect(size == "(32, 18)\n")
    }

    @Test func `an optional crop has a shape, and the photo is delivered as a part`() async throws {
        let dialog = try await Self.start()
        let pick = try dialog.pick("--clip", "optional", "--accept", "png")
        try await dialog.person.do("photos 8")
        try await dialog.person.do("key Right Return")
        try await dialog.person.do("press Crop")
        #expect(
            try await area(in: dialog) == PixelRectangle(x: 0, y: 0, width: 96, height: 64))
        try await dialog.person.do("pick Shape Square")
        let square = try await eventually("the square") {
            let area = try await area(in: dialog)
            return area.width == 64 ? area : nil
        }
        // A key after the choice of a shape is for the frame, and so is the mouse.
        try await dialog.person.do("key Right")
        let moved = try await eventually("the movement by a key") {
            let area = try await area(in: dialog)
            return area.x == square.x + 1 ? area : nil
        }
        // A pixel of the photo is shown as eight.
        try await dialog.person.do("pull -64 0")
        let chosen = try await eventually("the movement by the mouse") {
            let area = try await area(in: dialog)
            return area.x == moved.x - 8 && area.size == moved.size ? area : nil
        }
        try await dialog.person.see("crop-shape")
        try await dialog.person.do("press Done")
        try await eventually("the preview") {
            try await dialog.person.texts().contains("Chosen: 1 photo")
        }
        try await dialog.person.do("key ctrl+Return")
        #expect(try await pick.exitStatus() == 0)
        let delivered = try #require(pick.outputText.split(separator: "\n").first)
        #expect(
            try await difference(
                String(delivered), dialog.home.pictures.appending("1.jpg"), chosen, in: dialog) <= 3
        )
    }
}

// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport
import Testing

/// What a tile shows before its picture is there.
@Suite(
    .serialized, .enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
struct TileColourTests {
    /// The share of a screenshot that has the colour of the small pictures in the fixtures, in percent.
    private static func redShare(_ dialog: DialogSession, _ name: String) async throws -> Double {
        try await dialog.person.see(name)
        let image = Programs.source.appending(FilePath(".build/screenshots/\(name).png").components)
        let script = """
            import sys
            from PIL import Image
            pixels = list(Image.open(sys.argv[1]).convert('RGB').getdata())
            print(100 * sum(r > 240 and g < 15 and b < 15 for r, g, b in pixels) / len(pixels))
            """
        let (_, output, errors) = try await dialog.session.run(
            "/usr/bin/python3", ["-c", script, image.string])
        return try #require(output.split(separator: "\n").first.flatMap { Double($0) }, "\(errors)")
    }

    @Test(arguments: ["prefer-light", "prefer-dark"])
    func `until its picture comes, a tile has the colour of its photo`(scheme: String) async throws
    {
        let home = try TestHome()
        let place = home.pictures.appending("Slow")
        let disk = try await StalledDisk.mount(at: place, of: home) { folder in
            for number in 1...9 {
                // Every third one has no small picture, and its colour is unknown.
                let fixture = number % 3 == 0 ? "jpeg/baseline.jpg" : "preview/matching.jpg"
                let path = folder.appending("\(number).jpg")
                try home.write(Fixtures.bytes(fixture) + Array("\(number)".utf8), to: path)
                home.setDate(of: path, 1_750_000_000 - number * 60)
            }
        }
        let dialog = try await DialogSession(
            home: home, environment: ["ADW_DEBUG_COLOR_SCHEME": scheme])
        try await dialog.settle()
        try disk.stall(.open)
        // After three seconds the tiles say that the disk is slow.
        var share = 0.0
        for _ in 1...5 where share < 10 {
            let pick = try dialog.pick()
            try await dialog.person.do("photos 9")
            share = try await Self.redShare(dialog, "tile-colours-\(scheme)")
            if share < 10 {
                try await dialog.person.do("press Cancel")
                _ = try await pick.exitStatus()
            }
        }
        #expect(share > 10)
        try await eventually("the reason, on grey") {
            try await Self.redShare(dialog, "tile-colours-slow-\(scheme)") < 0.1
        }
        #expect(
            try await dialog.person.texts().contains("This photo is taking a long time to load"))
        try disk.answer()
        try await dialog.person.do("loaded 9")
        try await dialog.person.see("tile-colours-loaded-\(scheme)")
        #expect(try await Self.redShare(dialog, "tile-colours-loaded-\(scheme)") < 10)
        try await dialog.person.do("press Cancel")
        try await disk.end()
    }
}

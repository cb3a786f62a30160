// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport
import Testing

/// The page on which the person decides about a photo: whether the app takes it, and where it is kept.
@Suite(.serialized) struct CameraReviewTests {
    @Test(arguments: [
        ("min_width=641", "The app needs photos at least 641 pixels wide"),
        ("min_height=481", "The app needs photos at least 481 pixels high"),
        ("max_bytes=1000", "The app needs files no larger than"),
        ("favorites", "The app needs favorites"),
    ])
    func `a photo that the app does not take is refused before it is saved, and the page says why`(
        rule: String, reason: String
    ) async throws {
        let camera = try await CameraDialog(dark: rule.hasPrefix("max"))
        let pick = try camera.dialog.pick("--source", "camera", "--single", "--filter", rule)
        try await camera.shoot()
        try await camera.person.wait(for: "the reason") {
            try await camera.person.texts().contains { $0.hasPrefix(reason) }
        }
        try await camera.person.see("camera-refused-\(rule.prefix { $0 != "=" })")
        // It stays so when the photo has been in view for long enough to decide.
        try await eventually("the focus") {
            try await camera.person.attempt("focused Retake").enabled == true
        }
        #expect(try await camera.person.do("enabled 'Use Photo'").enabled == false)
        try await camera.person.do("key ctrl+Return")
        try await camera.person.do("press Retake")
        #expect(names(in: camera.dialog.home.pictures.appending("Camera")).isEmpty)
        try await eventually("the camera") {
            try await !camera.person.texts().contains("Use Photo")
        }
        #expect(!pick.hasEnded)
        try await camera.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `a photo of exactly the size that the app wants is taken`() async throws {
        let camera = try await CameraDialog()
        let pick = try camera.dialog.pick(
            "--source", "camera", "--single", "--filter", "min_width=640", "--filter",
            "min_height=480")
        try await camera.shoot()
        try await camera.person.do("press 'Use Photo'")
        #expect(try await pick.exitStatus() == 0)
    }

    @Test func `S5.14 a photo that is used is saved in an album, and the window says in which`()
        async throws
    {
        let camera = try await CameraDialog()
        let pick = try camera.dialog.pick()
        try await camera.person.do("photos 3")
        try await camera.person.do("press Camera")
        try await camera.shoot()
        try await camera.person.do("press 'Use Photo'")
        try await camera.read("The photo was saved in the album “Camera”")
        let role = try await camera.person.do(
            "role 'The photo was saved in the album “Camera”'"
        ).role
        #expect(["alert", "notification"].contains(role))
        try await camera.person.see("camera-saved")
        try await eventually("the album") {
            try await camera.person.do("albums").albums?.contains { $0.hasPrefix("Camera, 1 ") }
                == true
        }
        #expect(names(in: camera.dialog.home.pictures.appending("Camera")).count == 1)
        try await camera.person.do("press Cancel")
        #expect(try await pick.exitStatus() == 1)
        // What was saved stays, whatever becomes of the request.
        #expect(names(in: camera.dialog.home.pictures.appending("Camera")).count == 1)
    }

    @Test func `S5.14 a photo that cannot be saved is reported, and nobody says that it was`()
        async throws
    {
        let camera = try await CameraDialog()
        let place = camera.dialog.home.pictures.appending("Camera")
        try camera.dialog.home.write([1], to: place)
        let pick = try camera.dialog.pick()
        try await camera.person.do("photos 3")
        try await camera.person.do("press Camera")
        try await camera.shoot()
        try await camera.person.do("press 'Use Photo'")
        try await camera.read("The Photo Is Not Kept")
        try await camera.person.do("press Continue")
        try await eventually("the choice") {
            try await camera.person.texts().contains { $0.contains("1 photo") }
        }
        #expect(try await !camera.person.texts().contains { $0.contains("was saved") })
        try await camera.person.do("press Cancel")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `a photo of the camera is marked in the strip once the library has it`()
        async throws
    {
        let camera = try await CameraDialog()
        let pick = try camera.dialog.pick("--sheet", "--no-immediate", "--format", "json")
        try await camera.person.do("photos 3")
        try await camera.person.do("press Camera")
        try await camera.shoot()
        try await camera.person.do("press 'Use Photo'")
        try await camera.person.do("photos 4")
        // The newest photo is the first.
        try await eventually("the mark") {
            try await camera.person.do("photos 4").pressed == [true, false, false, false]
        }
        try await camera.person.see("camera-strip")
        // There it can be taken back and chosen again.
        for isChosen in [false, true] {
            try await camera.person.do("choose 0")
            try await eventually("the mark to be \(isChosen)") {
                try await camera.person.do("photos 4").pressed?.first == isChosen
            }
        }
        // Its name also says what is chosen.
        let row = try #require(
            try await camera.person.texts().first { $0.hasPrefix("Select 1 Photo") })
        try await camera.person.do("press '\(row)'")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.outputText.contains("/Camera/"))
    }

    @Test(arguments: [false, true])
    func `in German, at twice the size of text and in a narrow window, nothing is cut off`(
        isDark: Bool
    ) async throws {
        let home = try TestHome()
        let language = try await Language.german.prepare(in: home)
        let look = isDark ? "dark" : "light"
        let camera = try await CameraDialog(home: home, dark: isDark, environment: language) {
            try $0.setText(points: 22)
        }
        let pick = try camera.dialog.pick(
            "--source", "camera", "--single", "--filter", "min_width=12000")
        try await eventually("a live picture") {
            try await camera.person.attempt("enabled 'Foto aufnehmen'").enabled == true
        }
        try await camera.person.do("resize 360 640")
        try await eventually("the new layout") {
            try await camera.person.do("button-place 'Foto aufnehmen'").x.map { $0 < 200 } == true
        }
        try await camera.person.see("camera-narrow-\(look)")
        try await camera.person.expectNothingOutside()
        try await camera.person.do("press 'Foto aufnehmen'")
        try await camera.read("Die App benötigt Fotos, die mindestens 12.000 Pixel breit sind")
        try await camera.person.see("camera-narrow-review-\(look)")
        try await camera.person.expectNothingOutside()
        try await camera.person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }
}

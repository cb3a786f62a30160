// SPDX-License-Identifier: MIT

import Glibc
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The camera in the window: what a person sees and does, and what the app gets.
@Suite(.serialized) struct CameraWindowTests {
    @Test(arguments: [false, true])
    func `S1.16 S5.1 S5.13 a photo is taken, looked at and delivered, and is in the library`(
        isDark: Bool
    ) async throws {
        let camera = try await CameraDialog(dark: isDark)
        let look = isDark ? "dark" : "light"
        let pick = try camera.dialog.pick("--source", "camera", "--single")
        try await camera.waitForPicture()
        try await camera.person.see("camera-live-\(look)")
        let texts = try await camera.person.texts()
        #expect(texts.contains("Rear"))
        #expect(texts.contains("Camera is on"))
        try await camera.person.audit("camera-\(look)")
        try await camera.shoot()
        try await camera.person.see("camera-review-\(look)")
        // It is off while the person decides.
        try await eventually("the camera is off") { try await !camera.isRunning }
        #expect(try await !camera.person.texts().contains("Camera is on"))
        try await camera.person.do("press 'Use Photo'")
        #expect(try await pick.exitStatus() == 0)
        let path = try CameraDialog.photo(pick)
        #expect(
            path.removingLastComponent() == camera.dialog.home.pictures.appending("Camera"))
        let facts = try CameraDialog.facts(of: path)
        #expect(facts["ImageWidth"] == "640")
        #expect(facts["ImageHeight"] == "480")
        #expect(facts["Model"] == "Rear")
        #expect(facts["DateTimeOriginal"] != nil)
        #expect(facts["OffsetTimeOriginal"] != nil)
        #expect(facts.keys.allSatisfy { !$0.hasPrefix("GPS") })
    }

    @Test(.enabled(if: VirtualCameras.outliveClients, Comment(rawValue: VirtualCameras.skipReason)))
    func `S5.13 a photo can be taken again, and Escape leads back step by step`() async throws {
        let camera = try await CameraDialog()
        let pick = try camera.dialog.pick("--source", "camera", "--single")
        try await camera.shoot()
        try await camera.person.do("press Retake")
        try await camera.waitForPicture()
        try await camera.shoot()
        try await camera.person.do("key Escape")
        try await camera.waitForPicture()
        try await camera.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
        try await eventually("the camera is off") { try await !camera.isRunning }
        #expect(names(in: camera.dialog.home.pictures.appending("Camera")).isEmpty)
    }

    @Test(.enabled(if: VirtualCameras.outliveClients, Comment(rawValue: VirtualCameras.skipReason)))
    func `S1.5 S1.16 a row of the sheet opens the camera, and Use Photo finishes`()
        async throws
    {
        let camera = try await CameraDialog()
        let pick = try camera.dialog.pick("--sheet", "--format", "json")
        try await eventually("the row") {
            try await camera.person.do("enabled Camera").enabled == true
        }
        try await camera.person.do("press Camera")
        try await camera.waitForPicture()
        // Escape leads back to the sheet, and the camera is off.
        try await camera.person.do("key Escape")
        try await eventually("the sheet") { try await camera.person.texts().contains("Library") }
        try await eventually("the camera is off") { try await !camera.isRunning }
        try await camera.person.do("press Camera")
        try await camera.shoot()
        try await camera.person.do("press 'Use Photo'")
        #expect(try await pick.exitStatus() == 0)
        #expect(pick.outputText.contains("\"camera\""))
    }

    @Test func `among several photos one is taken, and the others stay chosen`() async throws {
        let camera = try await CameraDialog()
        let pick = try camera.dialog.pick()
        try await camera.person.do("photos 3")
        try await camera.person.do("loaded 3")
        try await camera.person.do("click 0")
        try await camera.person.do("press Camera")
        try await camera.shoot()
        try await camera.person.do("press 'Use Photo'")
        try await eventually("both") {
            try await camera.person.texts().contains { $0.contains("2 photos") }
        }
        try await camera.person.see("camera-tray")
        try await camera.person.do("press Select")
        #expect(try await pick.exitStatus() == 0)
        let folders = pick.outputText.split(separator: "\n")
            .map { FilePath(String($0)).removingLastComponent().lastComponent?.string }
        #expect(folders == ["Pictures", "Camera"])
    }

    @Test func `S5.8 S5.15 the rear camera comes first, and a button leads to the other`()
        async throws
    {
        let camera = try await CameraDialog([CameraDialog.front, CameraDialog.back])
        let pick = try camera.dialog.pick("--source", "camera", "--single")
        try await camera.waitForPicture()
        #expect(try await camera.person.texts().contains("Rear"))
        try await camera.person.do("press 'Switch Camera'")
        try await eventually("the other camera") {
            try await camera.person.texts().contains("Front")
        }
        try await camera.shoot()
        try await camera.person.do("press 'Use Photo'")
        #expect(try await pick.exitStatus() == 0)
        let facts = try CameraDialog.facts(of: CameraDialog.photo(pick))
        #expect(facts["ImageWidth"] == "1280")
        #expect(facts["Model"] == "Front")
    }

    @Test(.enabled(if: VirtualCameras.outliveClients, Comment(rawValue: VirtualCameras.skipReason)))
    func `S5.15 if the other camera sends nothing, the first one is back`() async throws {
        let camera = try await CameraDialog([CameraDialog.back])
        let silent = try await camera.cameras.add(CameraDialog.front)
        let pick = try camera.dialog.pick("--source", "camera", "--single")
        try await camera.waitForPicture()
        silent.signal(SIGSTOP)
        defer { silent.signal(SIGCONT) }
        try await camera.person.do("press 'Switch Camera'")
        try await eventually("a word about it") {
            try await camera.person.texts().contains("“Front” cannot be used")
        }
        try await camera.waitForPicture()
        #expect(try await camera.person.texts().contains("Rear"))
        try await camera.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `S5.13 a camera that is unplugged while it is live leaves a page that says so`()
        async throws
    {
        let camera = try await CameraDialog([])
        let rear = try await camera.cameras.add(CameraDialog.back)
        let pick = try camera.dialog.pick("--source", "camera", "--single")
        try await camera.waitForPicture()
        try await camera.cameras.remove(rear, CameraDialog.back)
        try await eventually("the page says so") {
            try await camera.person.texts().contains("The Camera Was Disconnected")
        }
        try await camera.person.see("camera-gone")
        try await camera.cameras.add(CameraDialog.front)
        try await camera.person.do("press 'Try Again'")
        try await camera.waitForPicture()
        #expect(try await camera.person.texts().contains("Front"))
        try await camera.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `S5.8 without a camera the page says so`() async throws {
        let camera = try await CameraDialog([])
        let pick = try camera.dialog.pick("--source", "camera", "--single")
        try await eventually("the page says so") {
            try await camera.person.texts().contains("No Camera Found")
        }
        try await camera.person.see("camera-none")
        try await camera.person.audit("camera-none")
        try await camera.person.do("press Back")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test(.enabled(if: VirtualCameras.outliveClients, Comment(rawValue: VirtualCameras.skipReason)))
    func `the camera is off while the screen is locked`() async throws {
        let camera = try await CameraDialog()
        let lock = try await camera.dialog.session.connect()
        #expect(try await lock.requestName("org.gnome.ScreenSaver") == .owner)
        let pick = try camera.dialog.pick("--source", "camera", "--single")
        try await camera.waitForPicture()
        for isLocked in [true, false] {
            try await lock.emit(
                ScreenLockInterfaces.activeChanged, of: "org.gnome.ScreenSaver",
                from: "/org/gnome/ScreenSaver", to: nil, Arguments(isLocked))
            try await eventually("the camera is \(isLocked ? "off" : "on")") {
                try await camera.isRunning != isLocked
            }
        }
        try await camera.waitForPicture()
        try await camera.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `S1.16 a photo that cannot be kept is reported, and the app gets it`() async throws {
        let camera = try await CameraDialog()
        // A file has the name of the folder.
        let place = camera.dialog.home.pictures.appending("Camera")
        try camera.dialog.home.write([1], to: place)
        let pick = try camera.dialog.pick("--source", "camera", "--single")
        try await camera.shoot()
        try await camera.person.do("press 'Use Photo'")
        try await eventually("a message") {
            try await camera.person.texts().contains("The Photo Is Not Kept")
        }
        try await camera.person.see("camera-not-kept")
        try await camera.person.do("press Continue")
        #expect(try await pick.exitStatus() == 0)
        #expect(try CameraDialog.facts(of: CameraDialog.photo(pick))["ImageWidth"] == "640")
    }

    @Test func `the timer counts, and takes the photo`() async throws {
        let camera = try await CameraDialog()
        let pick = try camera.dialog.pick("--source", "camera", "--single")
        try await camera.waitForPicture()
        try await camera.person.do("press 'Timer: No Timer'")
        try await camera.person.do("press 'Take Photo'")
        try await eventually("the count") {
            try await camera.person.texts().contains("Stop the Timer")
        }
        try await camera.person.see("camera-timer")
        try await eventually("the photo") {
            try await camera.person.texts().contains("Use Photo")
        }
        try await camera.person.do("press 'Use Photo'")
        #expect(try await pick.exitStatus() == 0)
    }
}

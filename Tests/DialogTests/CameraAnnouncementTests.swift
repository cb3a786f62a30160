// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// What screen readers say while the page with the camera is open.
///
/// Each text is an alert that appears.
@Suite(.serialized) struct CameraAnnouncementTests {
    private func hear(_ text: String, _ camera: CameraDialog) async throws {
        try await camera.read(text)
        let role = try await camera.person.do("role '\(text)'").role
        #expect(["alert", "notification"].contains(role), "\(text)")
    }

    @Test(.enabled(if: VirtualCameras.outliveClients, Comment(rawValue: VirtualCameras.skipReason)))
    func `the camera, each second of the timer, and the photo are announced`() async throws {
        let camera = try await CameraDialog()
        let pick = try camera.dialog.pick("--source", "camera", "--single")
        try await camera.waitForPicture()
        try await hear("“Rear” is on", camera)
        // The longer timer, so that a slow machine is there for its last seconds.
        try await camera.person.do("press 'Timer: No Timer'")
        try await camera.person.do("press 'Timer: 3 Seconds'")
        try await camera.person.do("press 'Take Photo'")
        for text in ["3 Seconds", "2 Seconds", "1 Second"] { try await camera.read(text) }
        try await hear("Photo taken", camera)
        try await camera.person.do("press Retake")
        try await camera.waitForPicture()
        try await hear("“Rear” is on", camera)
        try await camera.person.do("press 'Take Photo'")
        try await camera.read("10 Seconds")
        try await camera.person.do("press 'Stop the Timer'")
        try await hear("Timer stopped", camera)
        try await camera.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `failures are announced`() async throws {
        let camera = try await CameraDialog([])
        let pick = try camera.dialog.pick("--source", "camera", "--single")
        try await hear(
            "No Camera Found. Connect a camera, and its picture appears here.", camera)
        let rear = try await camera.cameras.add(CameraDialog.back)
        try await camera.person.do("press 'Try Again'")
        try await camera.waitForPicture()
        try await hear("“Rear” is on", camera)
        try await camera.cameras.remove(rear, CameraDialog.back)
        try await hear(
            "The Camera Was Disconnected. Connect it again, or use another one.", camera)
        try await camera.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `the reason why the app does not take a photo is announced`() async throws {
        let camera = try await CameraDialog()
        let pick = try camera.dialog.pick(
            "--source", "camera", "--single", "--filter", "min_width=641")
        try await camera.shoot()
        let reason = "The app needs photos at least 641 pixels wide"
        try await eventually("the reason, twice") {
            try await camera.person.texts().filter { $0 == reason }.count >= 2
        }
        try await camera.person.do("key Escape Escape")
        #expect(try await pick.exitStatus() == 1)
    }
}

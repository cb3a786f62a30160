// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// The window on a desktop whose settings forbid cameras.
@Suite(.serialized) struct CameraLockdownWindowTests {
    private func start() async throws -> CameraDialog {
        try await CameraDialog { home in
            try home.turnOffAnimations()
            try LockdownBackend.install(in: home)
        }
    }

    @Test(.enabled(if: VirtualCameras.outliveClients, Comment(rawValue: VirtualCameras.skipReason)))
    func `a live camera goes off when the desktop forbids it, and on again when it may`()
        async throws
    {
        let camera = try await start()
        let backend = try await LockdownBackend.start(
            on: camera.dialog.session, forbidding: false)
        let pick = try camera.dialog.pick("--source", "camera", "--single")
        try await camera.waitForPicture()
        try backend.set(true)
        try await camera.read("Cameras Are Not Allowed")
        try await eventually("the camera is off") { try await !camera.isRunning }
        try await camera.person.see("camera-forbidden")
        let unlabelled = try await camera.person.do("unlabelled").unlabelled
        #expect(unlabelled == [])
        #expect(try await !camera.person.texts().contains("Try Again"))
        try backend.set(false)
        try await camera.waitForPicture()
        try await camera.person.do("key Escape")
        #expect(try await pick.exitStatus() == 1)
    }

    @Test func `neither the grid nor the sheet has anything of a camera that is forbidden`()
        async throws
    {
        let camera = try await start()
        let backend = try await LockdownBackend.start(
            on: camera.dialog.session, forbidding: false)
        for isSheet in [true, false] {
            let pick = try isSheet ? camera.dialog.pick("--sheet") : camera.dialog.pick()
            try await camera.person.do("photos 3")
            try await camera.read("Camera")
            try backend.set(true)
            try await eventually("the end of it") {
                try await !camera.person.texts().contains("Camera")
            }
            try await camera.person.see("camera-forbidden-\(isSheet ? "sheet" : "grid")")
            try backend.set(false)
            try await camera.read("Camera")
            // Rows that have just moved do nothing.
            try await camera.person.do("ready")
            try await camera.person.do("press Cancel")
            #expect(try await pick.exitStatus() == 1)
        }
    }
}

// SPDX-License-Identifier: MIT

import CameraWork
import Glibc
import ImageWork
import Photos
import Processes
import SystemPackage
import TestSupport
import Testing

/// A session with a program for cameras that was taken over by one, or that has stopped.
@Suite struct HostileCameraTests {
    private let home: TestHome
    private static let view = PixelSize(width: 64, height: 48)

    init() throws {
        home = try TestHome()
    }

    /// A session with a program that tells one lie.
    private func session(_ lie: String) throws -> CameraSession {
        let path = home.scratch.appending(lie)
        let program = ProgramFolder.sibling("hostile-camera")
        guard
            program.withPlatformString({ target in
                path.withPlatformString { symlink(target, $0) }
            }) == 0
        else { throw Errno(rawValue: errno) }
        return CameraSession(program: path, environment: [])
    }

    /// Does everything once; the error of what fails.
    private func useAll(_ session: CameraSession) async -> CameraError? {
        await problem { () async throws(CameraError) in
            let cameras = try await session.cameras()
            guard let camera = cameras.first else { throw .noCamera }
            _ = try await session.open(camera.id)
            _ = try await session.frame(filling: Self.view, .upright)
            _ = try await session.shoot(.upright, reviewFitting: Self.view)
            try await session.set(.flash, true)
            try await session.point(x: 0, y: 1)
        }
    }

    @Test func `a program that does not lie is believed`() async throws {
        #expect(try await useAll(session("honest")) == nil)
    }

    @Test(arguments: [
        "manyCameras", "noModes", "hugeModes", "sameCameras", "emptyID", "longID",
        "unknownControls", "unsealed", "noDescriptor", "extraDescriptor", "largerThanAsked",
        "hugeSize", "emptySize", "emptyPhoto",
        "otherReply", "otherMode", "unknownCode", "unknownError", "trailingByte", "longPacket",
        "deepError",
    ])
    func `a program that lies is refused and killed, and the next call starts another`(
        lie: String
    ) async throws {
        let session = try session(lie)
        #expect(await useAll(session) == .garbage)
        #expect(await useAll(session) == .garbage)
    }

    @Test(arguments: ["dying", "emptyPacket"])
    func `a program that ends is started again by the next call`(lie: String) async throws {
        let session = try session(lie)
        #expect(await useAll(session) == .vanished)
        #expect(try await session.cameras().count == 1)
    }

    @Test func `a name is one short line, whatever the program says`() async throws {
        let session = try session("longName")
        let name = try #require(try await session.cameras().first?.name)
        #expect(name.count <= Camera.longestName)
        #expect(!name.contains("\n") && !name.contains("\u{202E}"))
    }

    // MARK: - Processes

    @Test func `a program that stops is an error in time, and is killed`() async throws {
        let session = try session("honest")
        let cameras = try await session.cameras()
        _ = try await session.open(try #require(cameras.first?.id))
        let process = try #require(session.processID)
        kill(process, SIGSTOP)
        let start = ContinuousClock.now
        let error = await problem { () async throws(CameraError) in
            try await session.frame(filling: Self.view, .upright)
        }
        #expect(error == .vanished)
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(kill(process, 0) != 0)
        #expect(try await session.cameras().count == 1)
    }

    @Test func `the end of a session is the end of its program, and of what waits`() async throws {
        let session = try session("honest")
        _ = try await session.cameras()
        let process = try #require(session.processID)
        kill(process, SIGSTOP)
        async let waiting = problem { () async throws(CameraError) in
            try await session.cameras()
        }
        session.end()
        session.end()
        #expect(await waiting == .cancelled)
        try await eventually("the end of the program") { kill(process, 0) != 0 }
        let late = await problem { () async throws(CameraError) in try await session.cameras() }
        #expect(late == .cancelled)
    }

    @Test func `who gives up waits no longer`() async throws {
        let session = try session("honest")
        _ = try await session.cameras()
        kill(try #require(session.processID), SIGSTOP)
        let task = Task {
            await problem { () async throws(CameraError) in try await session.cameras() }
        }
        let start = ContinuousClock.now
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(ContinuousClock.now - start < .seconds(2))
        session.end()
    }

    @Test func `the program does nothing when it is started by hand`() async throws {
        let child = try ChildProcess(
            Programs.path("photo-portal-camera"), environment: home.environment,
            scratch: home.scratch)
        #expect(try await child.exitStatus() == 2)
        #expect(child.errorText.contains("does nothing when it is started by hand"))
    }
}

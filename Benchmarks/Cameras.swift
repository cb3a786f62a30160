// SPDX-License-Identifier: MIT

import CameraWork
import Files
import Glibc
import Photos
import Processes
import SystemPackage
import TestSupport

/// A live picture of a camera, and how long a photo takes.
///
/// The camera has 1920×1080 pixels and 30 frames a second. Our window shows them, or our program alone delivers
/// frames for a view; the peer shows the same frames in a window. No figure contains the server of PipeWire or the
/// display.
struct Cameras {
    /// How long a live picture is measured.
    private static let period = Duration.seconds(5)
    private static let shots = 10
    /// A usual window, a large one, and one as large as the frames.
    private static let views = [
        PixelSize(width: 960, height: 540), PixelSize(width: 1280, height: 720),
        PixelSize(width: 1920, height: 1080),
    ]
    private static let model = VirtualCameras.Model(
        "bench", "Bench", width: 1920, height: 1080)

    func measure() async throws -> [Row] {
        let session = try await Session.start()
        let cameras = try await VirtualCameras.start(
            in: session.home, bus: session.bus.address)
        try await cameras.add(Self.model)
        // One after the other: a virtual camera serves one client well.
        let peer = try await peerWindow(session)
        let window = try await ownWindow(session)
        let client = CameraSession(
            program: ProgramFolder.sibling("photo-portal-camera"),
            environment: cameras.environment)
        defer { client.end() }
        guard let camera = try await client.cameras().first else {
            throw NeverHappened(description: "there is no camera")
        }
        _ = try await client.open(camera.id)
        var rows: [Row] = [
            .lessIsBetter(
                "camera of 1080p30 in our window: processor time of all programs per second",
                unit: "ms", ours: window, peer: "gst-launch ximagesink", theirs: peer)
        ]
        for view in Self.views {
            let (used, frames) = try await live(client, view)
            rows += [
                .lessIsBetter(
                    "camera of 1080p30 in a view of \(view): processor time per second",
                    unit: "ms", ours: used, peer: "gst-launch ximagesink", theirs: peer),
                .moreIsBetter("the same: frames per second", unit: "1/s", ours: frames),
            ]
        }
        rows.append(
            .lessIsBetter(
                "camera of 1080p30: from the shutter to the photo", unit: "ms",
                ours: try await shutter(client)))
        return rows
    }

    /// The milliseconds of processor time that our program uses in a second, and the frames that come in it.
    private func live(
        _ client: CameraSession, _ view: PixelSize
    ) async throws -> (used: Double, frames: Double) {
        _ = try await client.frame(filling: view, .mirrored)
        guard let process = client.processID else {
            throw NeverHappened(description: "the program has ended")
        }
        let (start, used) = (ContinuousClock.now, Self.time(of: process))
        var frames = 0
        while ContinuousClock.now - start < Self.period {
            _ = try await client.frame(filling: view, .mirrored)
            frames += 1
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let time = (Self.time(of: process) - used) / .milliseconds(1)
        return (time / seconds, Double(frames) / seconds)
    }

    /// The milliseconds of processor time that our window and its program use in a second.
    private func ownWindow(_ session: Session) async throws -> Double {
        let screen = try await Screen(session.home)
        let service = try await session.startService()
        let dialog = try session.start("photo-portal-dialog", environment: screen.environment)
        try await session.waitForOwner(
            of: "org.freedesktop.impl.portal.desktop.photoportal", dialog)
        let pick = try session.start("portal-pick", ["--source", "camera", "--single"])
        let program = try await eventually("the program for cameras") {
            try await session.run("pgrep", ["-P", "\(dialog.processID)", "photo-portal-ca"]).output
                .split(separator: "\n").first.flatMap { Int32($0) }
        }
        // It has started once it has used as much as ten frames need.
        try await eventually("the picture") { Self.time(of: program) > .milliseconds(150) }
        let processes = [program, dialog.processID]
        let start = ContinuousClock.now
        let used = processes.map(Self.time).reduce(.zero, +)
        try await Task.sleep(for: Self.period)
        let time = (processes.map(Self.time).reduce(.zero, +) - used) / .milliseconds(1)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try await pick.stop()
        // A virtual camera whose client is torn away may serve no other one.
        try await eventually("the end of the program") { Self.time(of: program) == .zero }
        for process in [dialog, service] { try await process.stop() }
        return time / seconds
    }

    /// The milliseconds of processor time that the peer uses in a second.
    private func peerWindow(_ session: Session) async throws -> Double {
        let screen = try await Screen(session.home)
        let properties = "props,media.type=Video,media.category=Capture,media.role=Camera"
        let viewer = try session.start(
            "gst-launch-1.0",
            [
                "-q", "pipewiresrc", "target-object=\(Self.model.name)",
                "stream-properties=\(properties)", "!", "videoconvert", "!", "ximagesink",
            ], environment: screen.environment)
        // It has started once it has used as much as ten frames need.
        try await eventually("the window") {
            guard !viewer.hasEnded else {
                throw NeverHappened(description: viewer.errorText)
            }
            return Self.time(of: viewer.processID) > .milliseconds(60)
        }
        let (start, used) = (ContinuousClock.now, Self.time(of: viewer.processID))
        try await Task.sleep(for: Self.period)
        let time = (Self.time(of: viewer.processID) - used) / .milliseconds(1)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try await viewer.stop(SIGINT)
        return time / seconds
    }

    /// The milliseconds from a live picture to the photo and its picture for review.
    private func shutter(_ client: CameraSession) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<Self.shots {
            _ = try await client.frame(filling: Self.views[0], .upright)
            times.append(
                try await milliseconds {
                    _ = try await client.shoot(.upright, reviewFitting: Self.views[0])
                })
        }
        return median(times)
    }

    /// The processor time that a process has used; zero if it has ended.
    private static func time(of process: Int32) -> Duration {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            return .zero
        }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

// SPDX-License-Identifier: MIT

import CameraWork
import Glibc
import ImageWork
import Photos
import SystemPackage
import TestSupport
import Testing

/// Cameras of a real PipeWire: lists, live pictures, and what happens if one fails.
@Suite(.serialized) struct LiveCameraTests {
    private let stage: CameraStage
    private static let vga = PixelSize(width: 640, height: 480)
    private static let small = PixelSize(width: 320, height: 240)

    init() async throws {
        stage = try await CameraStage()
    }

    @Test func `S5.8 cameras are listed with their modes, the back camera first`() async throws {
        try await stage.add(
            VirtualCameras.Model("selfie", "Front", location: "front", rotation: "90"),
            VirtualCameras.Model(
                "main", "Main", width: 1280, height: 720, rate: 25, location: "back",
                rotation: "270"),
            VirtualCameras.Model("desk", "Desk", width: 320, height: 240))
        let cameras = try await stage.session.cameras()
        #expect(cameras.map(\.name) == ["Main", "Desk", "Front"])
        #expect(cameras.map(\.facing) == [.back, .other, .front])
        #expect(cameras.map(\.mounting) == [1, 0, 3])
        #expect(
            cameras.first?.modes.all
                == [CameraMode(PixelSize(width: 1280, height: 720), FrameRate(25))])
        #expect(cameras.last?.modes.choices == [Self.vga])
        #expect(cameras.allSatisfy { $0.controls.isEmpty && $0.pointControls.isEmpty })
    }

    @Test(arguments: Orientation.allCases)
    func `S5.11 a frame fills the view, turned and mirrored as asked`(
        orientation: Orientation
    ) async throws {
        try await stage.add(VirtualCameras.Model("front", "Front"))
        let opened = try await stage.open("Front")
        #expect(opened.mode.size == Self.vga)
        let view = orientation.applied(to: Self.small)
        let picture = try await stage.session.frame(filling: view, orientation).picture
        #expect(picture.size == view)
        let pixels = try ShownPixels(picture)
        for (column, colour) in [(20, ShownPixels.white), (300, ShownPixels.blue)] {
            let place = orientation.place(ofStored: (column, 20), in: Self.small)
            #expect(pixels.shows(colour, at: place), "\(pixels.colour(place.x, place.y))")
        }
    }

    @Test func `a view of another shape shows the middle of the frame`() async throws {
        try await stage.add(VirtualCameras.Model("front", "Front"))
        try await stage.open("Front")
        // A square shows columns 80 to 560 of 640, without half of the first bar.
        let square = PixelSize(width: 240, height: 240)
        let picture = try await stage.session.frame(filling: square, .upright).picture
        #expect(picture.size == square)
        let pixels = try ShownPixels(picture)
        #expect(pixels.shows(ShownPixels.white, at: (2, 20)))
        #expect(!pixels.shows(ShownPixels.white, at: (12, 20)))
        // A view with more pixels than the camera gets all of them, and none that are made up.
        let large = PixelSize(width: 4000, height: 2000)
        let whole = try await stage.session.frame(filling: large, .upright).picture
        #expect(whole.size == PixelSize(width: 640, height: 320))
        let tiny = PixelSize(width: 1, height: 1)
        #expect(try await stage.session.frame(filling: tiny, .turnedLeft).picture.size == tiny)
    }

    @Test(arguments: [
        "video/x-raw,format=NV12", "video/x-raw,format=YUY2", "video/x-raw,format=BGRx",
        "video/x-raw,format=NV21", "video/x-raw,format=RGB",
        "video/x-raw,format=UYVY", "video/x-raw,format=xRGB", "video/x-raw,format=Y42B",

    ])
    func `frames of all usual formats have their colours`(format: String) async throws {
        var model = VirtualCameras.Model("front", "Front")
        model.capabilities = "\(format),width=640,height=480,framerate=30/1"
        try await stage.add(model)
        try await stage.open("Front")
        let pixels = try ShownPixels(
            try await stage.session.frame(filling: Self.small, .upright).picture)
        #expect(pixels.shows(ShownPixels.white, at: (20, 20)), "\(pixels.colour(20, 20))")
        #expect(pixels.shows(ShownPixels.blue, at: (300, 20)), "\(pixels.colour(300, 20))")
    }

    @Test(arguments: ["RGB", "BGRx", "xRGB", "YVYU"])
    func `S5.11 pixels of formats without planes are turned each way, also with odd sides`(
        format: String
    ) async throws {
        var model = VirtualCameras.Model("front", "Front")
        // Each pixel has another colour, and no two frames differ.
        model.pattern = "colors"
        model.capabilities = "video/x-raw,format=\(format),width=321,height=243,framerate=30/1"
        try await stage.add(model)
        try await stage.open("Front")
        let stored = PixelSize(width: 161, height: 121)
        let upright = try ShownPixels(
            try await stage.session.frame(filling: stored, .upright).picture)
        var pictures: Set<[[Int]]> = []
        for orientation in Orientation.allCases {
            let view = orientation.applied(to: stored)
            let picture = try await stage.session.frame(filling: view, orientation).picture
            #expect(picture.size == view)
            let turned = try ShownPixels(picture)
            let expected = Self.places(in: view).map { x, y in
                let source = orientation.storedPosition(x: x, y: y, in: stored)
                return upright.colour(source.x, source.y)
            }
            #expect(
                Self.places(in: view).map { turned.colour($0, $1) } == expected, "\(orientation)")
            pictures.insert(expected)
        }
        // Otherwise, the pattern would hide a wrong turn.
        #expect(pictures.count == Orientation.allCases.count)
    }

    /// All pixels, row by row.
    private static func places(in size: PixelSize) -> [(Int, Int)] {
        (0..<size.height).flatMap { y in (0..<size.width).map { ($0, y) } }
    }

    @Test(.enabled(if: VirtualCameras.outliveClients, Comment(rawValue: VirtualCameras.skipReason)))
    func `S5.15 switching shows the other camera, and keeps the size if it can`()
        async throws
    {
        var second = VirtualCameras.Model("second", "Second", width: 1280, height: 720)
        second.pattern = "red"
        try await stage.add(VirtualCameras.Model("first", "First"), second)
        try await stage.open("First")
        let opened = try await stage.open("Second", preferring: Self.vga)
        // It does not have that size.
        #expect(opened.mode.size == PixelSize(width: 1280, height: 720))
        let red = try ShownPixels(
            try await stage.session.frame(filling: Self.small, .upright).picture)
        #expect(red.shows([255, 0, 0], at: (20, 20)))
        try await stage.open("First", preferring: Self.vga)
        let bars = try ShownPixels(
            try await stage.session.frame(filling: Self.small, .upright).picture)
        #expect(bars.shows(ShownPixels.white, at: (20, 20)))
    }

    @Test(.enabled(if: VirtualCameras.outliveClients, Comment(rawValue: VirtualCameras.skipReason)))
    func `S5.15 if the other camera does not start, the one before is put back`()
        async throws
    {
        let model = VirtualCameras.Model("broken", "Broken")
        let broken = try await stage.cameras.add(model)
        try await stage.add(VirtualCameras.Model("good", "Good"))
        let cameras = try await stage.session.cameras()
        let (id, good) = (try #require(cameras.first?.id), try #require(cameras.last?.id))
        _ = try await stage.session.open(good)
        // The list still has it.
        try await stage.cameras.remove(broken, model)
        let error = await problem { () async throws(CameraError) in
            try await stage.session.open(id)
        }
        #expect(error == .restored(because: .vanished))
        let frame = try await stage.session.frame(filling: Self.small, .upright)
        #expect(try ShownPixels(frame.picture).shows(ShownPixels.white, at: (20, 20)))
    }

    @Test func `a camera that says nothing is an error in time, whether it starts or is live`()
        async throws
    {
        let camera = try await stage.cameras.add(VirtualCameras.Model("front", "Front"))
        try await stage.open("Front")
        camera.signal(SIGSTOP)
        let start = ContinuousClock.now
        // A last frame may be on its way.
        let error = try await eventually("the silence") {
            await problem { () async throws(CameraError) in
                try await stage.session.frame(filling: Self.small, .upright)
            }
        }
        #expect(error == .silent)
        let second = await problem { () async throws(CameraError) in
            try await stage.session.frame(filling: Self.small, .upright)
        }
        #expect(second == .silent)
        #expect(ContinuousClock.now - start < .seconds(12))
        camera.signal(SIGCONT)
    }

    @Test func `a camera that is unplugged while it is live ends with an error, and can come back`()
        async throws
    {
        let model = VirtualCameras.Model("front", "Front")
        let camera = try await stage.cameras.add(model)
        try await stage.add(VirtualCameras.Model("other", "Other"))
        try await stage.open("Front")
        _ = try await stage.session.frame(filling: Self.small, .upright)
        try await stage.cameras.remove(camera, model)
        let error = try await eventually("the end of the frames") {
            await problem { () async throws(CameraError) in
                try await stage.session.frame(filling: Self.small, .upright)
            }
        }
        // No other camera takes its place unasked.
        #expect([.vanished, .silent].contains(error), "\(error)")
        #expect(try await stage.session.cameras().map(\.name) == ["Other"])
        try await stage.add(model)
        try await eventually("the camera") {
            try await stage.session.cameras().map(\.name) == ["Front", "Other"]
        }
        try await stage.open("Front")
        _ = try await stage.session.frame(filling: Self.small, .upright)
    }

    @Test func `a frame tells that a camera has come or gone, once`() async throws {
        try await stage.add(VirtualCameras.Model("front", "Front"))
        try await stage.open("Front")
        let first = try await stage.session.frame(filling: Self.small, .upright)
        #expect(!first.camerasChanged)
        try await stage.add(VirtualCameras.Model("second", "Second"))
        try await eventually("the news") {
            try await stage.session.frame(filling: Self.small, .upright).camerasChanged
        }
        #expect(try await stage.session.cameras().count == 2)
        #expect(try await !stage.session.frame(filling: Self.small, .upright).camerasChanged)
    }

    @Test(.enabled(if: VirtualCameras.outliveClients, Comment(rawValue: VirtualCameras.skipReason)))
    func `the program and the camera's stream end with the session`() async throws {
        try await stage.add(VirtualCameras.Model("front", "Front"))
        try await stage.open("Front")
        let process = try #require(stage.session.processID)
        stage.session.end()
        try await eventually("the end of the program") { kill(process, 0) != 0 }
        // The camera is free for others.
        let other = CameraSession(
            program: CameraStage.program, environment: stage.cameras.environment)
        let camera = try #require(try await other.cameras().first)
        _ = try await other.open(camera.id)
        _ = try await other.frame(filling: Self.small, .upright)
        other.end()
    }

    @Test func `S5.9 a camera with many modes opens in the size that was chosen`() async throws {
        let stage = try await CameraStage(hasChoice: true)
        let camera = try await eventually("the camera") {
            try await stage.session.cameras().first { $0.name == VirtualCameras.manyModes }
        }
        #expect(camera.modes.choices == CameraPreset.allCases.map(\.size))
        for size in camera.modes.choices {
            let opened = try await stage.session.open(camera.id, preferring: size)
            #expect(opened.mode.size == size)
            let frame = try await stage.session.frame(filling: size, .upright)
            #expect(frame.picture.size == size)
        }
        let opened = try await stage.session.open(camera.id)
        #expect(opened.mode.size == CameraPreset.fullHD.size)
        stage.session.end()
    }

    @Test func `nodes that are no cameras are not listed, and having none is no error`()
        async throws
    {
        #expect(try await stage.session.cameras().isEmpty)
        var screen = VirtualCameras.Model("screen", "Screen")
        screen.role = "Screen"
        try await stage.add(screen)
        #expect(try await stage.session.cameras().isEmpty)
        let error = await problem { () async throws(CameraError) in
            try await stage.session.frame(filling: Self.small, .upright)
        }
        #expect(error == .noCamera)
        let unknown = await problem { () async throws(CameraError) in
            try await stage.session.open("999")
        }
        #expect(unknown == .vanished)
    }

    @Test func `without PipeWire and without a program there are no cameras`() async throws {
        let missing = CameraSession(program: "/nowhere/photo-portal-camera", environment: [])
        let none = await problem { () async throws(CameraError) in try await missing.cameras() }
        #expect(none == .unavailable)
        let alone = CameraSession(
            program: CameraStage.program,
            environment: ["XDG_RUNTIME_DIR=\(stage.home.scratch)"])
        let error = await problem { () async throws(CameraError) in try await alone.cameras() }
        #expect(error == .unavailable)
    }

    @Test func `S5.12 a camera without controls refuses them, and goes on`() async throws {
        try await stage.add(VirtualCameras.Model("front", "Front"))
        try await stage.open("Front")
        for control in CameraControl.allCases {
            let error = await problem { () async throws(CameraError) in
                try await stage.session.set(control, true)
            }
            #expect(error == .unsupported(nil))
        }
        let error = await problem { () async throws(CameraError) in
            try await stage.session.point(x: 0.5, y: 0.5)
        }
        #expect(error == .unsupported(nil))
        _ = try await stage.session.frame(filling: Self.small, .upright)
    }
}

// SPDX-License-Identifier: MIT

import Photos
import Testing

private func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: width, height: height)
}

private func mode(_ width: Int, _ height: Int, _ rate: Int? = 30) -> CameraMode {
    CameraMode(size(width, height), rate.flatMap { FrameRate($0) })
}

/// Cameras, their modes, and which way up their pictures are.
@Suite struct CameraTests {
    // MARK: - Claims

    @Test func `rates without a meaning are none`() {
        for (frames, seconds) in [(0, 1), (1, 0), (-30, 1), (30, -1), (.max, 1), (1, .max)] {
            #expect(FrameRate(frames, in: seconds) == nil)
        }
        #expect(FrameRate(30) == FrameRate(60, in: 2))
        #expect(Set([FrameRate(30), FrameRate(60, in: 2)]).count == 1)
    }

    @Test func `sizes that no frame has are left out`() {
        let modes = CameraModes([
            mode(0, 0), mode(-1, 480), mode(1 << 31, 1 << 31), mode(.max, 1), mode(16_384, 16_384),
            mode(640, 480),
        ])
        #expect(modes.all == [mode(640, 480)])
    }

    @Test func `of a size the highest rate counts, and one that is told more than none`() {
        let modes = CameraModes([
            mode(640, 480, nil), mode(640, 480, 15), mode(640, 480, 60), mode(640, 480, nil),
        ])
        #expect(modes.all == [mode(640, 480, 60)])
    }

    @Test func `of thousands of modes the largest are kept`() {
        let modes = CameraModes((1...5000).map { mode($0, 1) })
        #expect(modes.all.count == CameraMode.mostModes)
        #expect(modes.all.first == mode(5000, 1))
    }

    @Test(arguments: [
        ("front" as String?, CameraFacing.front), ("back", .back), ("external", .other),
        ("rear", .other),
        ("Front Camera", .other), (nil, .other),
    ])
    func `only the location tells where a camera looks`(
        location: String?, facing: CameraFacing
    ) {
        #expect(CameraFacing(location: location) == facing)
    }

    @Test(arguments: [
        ("0" as String?, 0), ("90", 3), ("180", 2), ("270", 1), ("360", 0), ("45", 0), ("-90", 0),
        ("", 0),
        (nil, 0),
    ])
    func `only quarter turns count as a mounting`(rotation: String?, quarters: Int) {
        #expect(Camera.mounting(rotation: rotation) == quarters)
    }

    @Test func `names are one bounded line, and points need a control`() {
        let camera = Camera(
            id: "1", name: "A\n\u{202E}" + String(repeating: "x", count: 1000),
            modes: CameraModes([]), mounting: -1, controls: [.focus, .flash],
            pointControls: [.focus, .exposure, .flash])
        #expect(camera.name.count == Camera.longestName)
        #expect(camera.name.hasPrefix("A \u{FFFD}xxx"))
        #expect(camera.mounting == 3)
        #expect(camera.pointControls == [.focus])
    }

    @Test func `S5.8 the back camera comes first, and the order never changes`() {
        func camera(_ id: String, _ name: String, _ facing: CameraFacing) -> Camera {
            Camera(id: id, name: name, facing: facing, modes: CameraModes([]))
        }
        let cameras = [
            camera("1", "A", .front), camera("2", "B", .other), camera("4", "A", .other),
            camera("3", "A", .other), camera("5", "Z", .back),
        ]
        #expect(Camera.sorted(cameras).map(\.id) == ["5", "3", "4", "2", "1"])
        #expect(Camera.sorted(cameras.reversed()).map(\.id) == ["5", "3", "4", "2", "1"])
    }

    // MARK: - Modes

    @Test func `S5.9 the presets that a camera has can be chosen`() {
        #expect(
            CameraPreset.allCases.map(\.size) == [
                size(320, 240), size(352, 288), size(640, 480), size(960, 540),
                size(1280, 720), size(1920, 1080), size(3840, 2160),
            ])
        let modes = CameraModes([mode(1920, 1080), mode(800, 600), mode(640, 480, 5)])
        #expect(modes.choices == [size(640, 480), size(1920, 1080)])
        #expect(CameraModes([mode(800, 600), mode(1600, 1200, 5)]).choices == [size(800, 600)])
        #expect(CameraModes([]).choices.isEmpty)
    }

    @Test func `the best mode is fluent if there is one, and the fastest otherwise`() {
        #expect(CameraModes([mode(640, 480), mode(1920, 1080, 5)]).best == mode(640, 480))
        let slow = CameraModes([mode(640, 480, 10), mode(800, 600, 10), mode(1920, 1080, 5)])
        #expect(slow.best == mode(800, 600, 10))
        #expect(CameraModes([mode(640, 480, nil)]).best == mode(640, 480, nil))
        #expect(CameraModes([]).best == nil)
    }

    @Test func `the live picture is at most full HD, and a photo is as large as can be`() {
        let modes = CameraModes([
            mode(3840, 2160), mode(1920, 1080, 5), mode(1280, 720), mode(640, 480),
        ])
        #expect(modes.live == mode(1280, 720))
        #expect(modes.still == mode(3840, 2160))
        let large = CameraModes([mode(3840, 2160), mode(4000, 3000)])
        #expect(large.live == mode(3840, 2160))
        #expect(CameraModes([]).live == nil)
        #expect(CameraModes([]).still == nil)
    }

    @Test func `S5.16 switching keeps the size if both cameras have it, or takes a smaller preset`()
    {
        let back = CameraModes([mode(1920, 1080), mode(1280, 720), mode(640, 480)])
        let front = CameraModes([mode(1280, 720), mode(640, 480), mode(800, 600)])
        #expect(back.size(size(1280, 720), switchingTo: front) == size(1280, 720))
        #expect(back.size(size(1920, 1080), switchingTo: front) == size(1280, 720))
        let odd = CameraModes([mode(800, 600), mode(1000, 1000, 5)])
        #expect(back.size(size(1920, 1080), switchingTo: odd) == size(800, 600))
        #expect(back.size(size(640, 480), switchingTo: CameraModes([])) == nil)
        #expect(front.mode(preferring: size(1920, 1080)) == mode(1280, 720))
        #expect(front.mode(preferring: size(640, 480)) == mode(640, 480))
        #expect(odd.mode(preferring: size(640, 480)) == mode(800, 600))
        #expect(front.mode(preferring: nil) == mode(1280, 720))
    }

    // MARK: - Which way up

    /// Where the upper left corner of a scene is in the picture of a sensor, which is held in some way.
    private static func corner(
        mounting: Int, device: Int, facing: CameraFacing
    ) -> (column: Int, row: Int) {
        // Corners clockwise from the upper left. A sensor that must be turned clockwise by n quarters has
        // the scene turned counterclockwise; so has a back camera that was turned clockwise with its device.
        let turn =
            switch facing {
            case .back: mounting + device
            case .front: mounting - device
            case .other: mounting
            }
        return [(0, 0), (0, 1), (1, 1), (1, 0)][((turn % 4) + 4) % 4]
    }

    @Test(arguments: 0..<4, 0..<4)
    func `a photo is upright and not mirrored, however the device is held`(
        mounting: Int, device: Int
    ) {
        let sensor = PixelSize(width: 2, height: 2)
        let turns: [Orientation] = [.upright, .turnedRight, .turnedAround, .turnedLeft]
        for facing in CameraFacing.allCases {
            let photo = CameraRotation.photo(mounting: mounting, device: device, facing: facing)
            #expect(turns.contains(photo))
            let expected = Self.corner(mounting: mounting, device: device, facing: facing)
            #expect(photo.storedPosition(x: 0, y: 0, in: sensor) == expected)
            let preview = CameraRotation.preview(
                mounting: mounting, device: device, facing: facing)
            // In a mirror the upper left corner is at the right.
            let column = facing == .front ? 1 : 0
            #expect(preview.storedPosition(x: column, y: 0, in: sensor) == expected)
            #expect(turns.contains(preview) == (facing != .front))
        }
    }

    @Test(arguments: [
        (CameraFacing.back, [Orientation.turnedRight, .turnedAround, .turnedLeft, .upright]),
        (.front, [.turnedRight, .upright, .turnedLeft, .turnedAround]),
        (.other, [.turnedRight, .turnedRight, .turnedRight, .turnedRight]),
    ])
    func `a sensor on its side turns with the device`(
        facing: CameraFacing, expected: [Orientation]
    ) {
        let photos = (0..<4).map {
            CameraRotation.photo(mounting: 1, device: $0, facing: facing)
        }
        #expect(photos == expected)
    }

    @Test(arguments: Orientation.allCases)
    func `a mirror exchanges left and right of the upright picture`(orientation: Orientation) {
        let stored = PixelSize(width: 3, height: 2)
        let upright = orientation.applied(to: stored)
        #expect(orientation.inMirror.inMirror == orientation)
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                #expect(
                    orientation.inMirror.storedPosition(x: x, y: y, in: stored)
                        == orientation.storedPosition(x: upright.width - 1 - x, y: y, in: stored))
            }
        }
    }
}

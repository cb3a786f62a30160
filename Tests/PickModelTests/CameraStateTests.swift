// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// The page on which the person takes a photo.
@Suite struct CameraStateTests {
    private static func camera(
        _ id: String, _ facing: CameraFacing = .other, sizes: [(Int, Int)] = [(640, 480)],
        controls: Set<CameraControl> = [], points: Set<CameraControl> = []
    ) -> Camera {
        let rate = FrameRate(30)
        return Camera(
            id: id, name: id, facing: facing,
            modes: CameraModes(
                sizes.map { CameraMode(PixelSize(width: $0.0, height: $0.1), rate) }),
            controls: controls, pointControls: points)
    }

    private static let back = camera("back", .back, sizes: [(640, 480), (1920, 1080)])
    private static let front = camera("front", .front, sizes: [(640, 480), (1280, 720)])

    private static func mode(_ camera: Camera) throws -> CameraMode {
        try #require(camera.modes.live)
    }

    /// A page with a live picture of the first camera.
    private static func live(_ cameras: [Camera] = [back, front]) throws -> CameraState {
        var state = CameraState()
        _ = state.handle(.opened)
        _ = state.handle(.listed(cameras))
        let first = try #require(cameras.first)
        _ = state.handle(.started(first.id, try mode(first)))
        _ = state.handle(.appeared)
        #expect(state.phase == .live)
        return state
    }

    // MARK: - Starting

    @Test func `S5.8 the page begins with the best camera`() throws {
        var state = CameraState()
        #expect(state.handle(.opened) == [.list])
        #expect(state.isOn)
        #expect(!state.canShoot)
        #expect(state.handle(.listed([Self.back, Self.front])) == [.open("back", nil)])
        #expect(!state.streams)
        #expect(state.handle(.started("back", try Self.mode(Self.back))) == [.stream])
        // What nobody has seen yet is not to be taken.
        #expect(state.streams)
        #expect(!state.canShoot)
        #expect(state.handle(.shutter) == [])
        _ = state.handle(.appeared)
        #expect(state.canShoot)
    }

    @Test func `S5.8 without a camera the page says so, and another look finds one`() throws {
        var state = CameraState()
        _ = state.handle(.opened)
        #expect(state.handle(.listed([])) == [.stop])
        #expect(state.phase == .failed(.absent))
        #expect(!state.isOn)
        #expect(state.handle(.shutter) == [])
        #expect(state.handle(.resumed) == [.list])
        #expect(state.handle(.listed([Self.front])) == [.open("front", nil)])
    }

    @Test
    func `S5.12 a camera balances colours and focuses by itself, if it can, and does not flash`()
        throws
    {
        let camera = Self.camera("a", controls: [.flash, .whiteBalance, .focus])
        var state = CameraState()
        _ = state.handle(.opened)
        _ = state.handle(.listed([camera]))
        let effects = state.handle(.started("a", try Self.mode(camera)))
        _ = state.handle(.appeared)
        #expect(effects.first == .stream)
        #expect(Set(effects.dropFirst()) == [.set(.whiteBalance, true), .set(.focus, true)])
        #expect(state.switchedOn == [.whiteBalance, .focus])
        #expect(state.handle(.controlSet(.flash, true)) == [.set(.flash, true)])
        #expect(state.handle(.controlSet(.exposure, true)) == [])
        _ = state.handle(.controlRefused(.flash))
        #expect(state.switchedOn == [.whiteBalance, .focus])
    }

    // MARK: - Photos

    @Test func `S5.13 a photo is shown with the camera off, and taken again or used`() throws {
        var state = try Self.live()
        #expect(state.handle(.shutter) == [.shoot])
        // A second press changes nothing.
        #expect(state.handle(.shutter) == [])
        #expect(state.handle(.shot) == [.stop, .examine])
        #expect(state.phase == .reviewing)
        #expect(!state.isOn)
        #expect(state.handle(.retake) == [.list])
        #expect(state.handle(.listed([Self.back, Self.front])) == [.open("back", nil)])
    }

    @Test func `a photo can be used once it is known that the app takes it`() throws {
        var state = try Self.live()
        // An answer about an earlier photo means nothing.
        #expect(state.handle(.examined(nil)) == [])
        _ = state.handle(.shutter)
        _ = state.handle(.shot)
        #expect(!state.canUse)
        _ = state.handle(.examined(nil))
        #expect(state.canUse)
        var filter = PhotoFilter()
        filter.minimumWidth = 4000
        let refusal = Refusal.unfit(.minimumWidth, of: filter)
        _ = state.handle(.examined(refusal))
        #expect(state.verdict == .refused(refusal))
        #expect(!state.canUse)
        // What held for one photo does not for the next one.
        _ = state.handle(.retake)
        _ = state.handle(.listed([Self.back]))
        _ = state.handle(.started("back", try Self.mode(Self.back)))
        _ = state.handle(.appeared)
        _ = state.handle(.shutter)
        _ = state.handle(.shot)
        #expect(state.verdict == .pending)
    }

    @Test func `S5.13 without a photo the picture is live again`() throws {
        var state = try Self.live()
        _ = state.handle(.shutter)
        #expect(state.handle(.notShot(.silent)) == [.stream, .announceNoPhoto])
        #expect(state.phase == .live)
    }

    @Test func `the timer counts down, and a second press stops it`() throws {
        var state = try Self.live()
        _ = state.handle(.timerChosen(3))
        #expect(state.handle(.shutter) == [.count])
        #expect(state.phase == .counting(3))
        #expect(state.handle(.ticked) == [.count])
        #expect(state.handle(.shutter) == [])
        #expect(state.phase == .live)
        #expect(state.handle(.ticked) == [])
        _ = state.handle(.shutter)
        for _ in 0..<2 { #expect(state.handle(.ticked) == [.count]) }
        #expect(state.handle(.ticked) == [.shoot])
        _ = state.handle(.notShot(.silent))
        #expect(state.handle(.timerChosen(7)) == [])
        #expect(state.timer == 3)
    }

    // MARK: - Switching

    @Test func `S5.15 only several cameras can be switched, and the next one is opened`() throws {
        var alone = try Self.live([Self.back])
        #expect(!alone.canSwitch)
        #expect(alone.handle(.switched) == [])
        var state = try Self.live()
        #expect(state.canSwitch)
        #expect(state.handle(.switched) == [.open("front", nil)])
        #expect(state.camera?.id == "front")
        _ = state.handle(.started("front", try Self.mode(Self.front)))
        _ = state.handle(.appeared)
        #expect(state.handle(.switched) == [.open("back", nil)])
    }

    @Test
    func `S5.15 if the next camera does not start, the one before is back, and the person told`()
        throws
    {
        var state = try Self.live()
        _ = state.handle(.switched)
        #expect(
            state.handle(.notStarted(.busy, isRestored: true))
                == [.stream, .announceSwitchFailure("front")])
        #expect(state.camera?.id == "back")
        #expect(state.mode == (try Self.mode(Self.back)))
        _ = state.handle(.appeared)
        #expect(state.phase == .live)
    }

    @Test func `S5.15 if none of them starts, the page says why, and another one can be tried`()
        throws
    {
        var state = try Self.live()
        _ = state.handle(.switched)
        #expect(state.handle(.notStarted(.busy, isRestored: false)) == [.stop])
        #expect(state.phase == .failed(.busy))
        #expect(state.handle(.switched) == [.open("back", nil)])
    }

    @Test func `S5.16 the next camera gets the largest resolution that both have`() throws {
        var state = try Self.live()
        let size = PixelSize(width: 1920, height: 1080)
        #expect(state.handle(.sizeChosen(size)) == [.open("back", size)])
        _ = state.handle(.started("back", try #require(Self.back.modes.mode(of: size))))
        _ = state.handle(.appeared)
        #expect(
            state.handle(.switched) == [.open("front", PixelSize(width: 640, height: 480))])
    }

    @Test func `S5.9 the resolutions of the camera can be chosen, if there are several`() throws {
        #expect(try Self.live().sizes.map(\.width) == [1920, 640])
        #expect(try Self.live([Self.camera("a")]).sizes.isEmpty)
    }

    @Test func `a resolution that does not start leaves the one before`() throws {
        var state = try Self.live()
        _ = state.handle(.sizeChosen(PixelSize(width: 1920, height: 1080)))
        #expect(
            state.handle(.notStarted(.silent, isRestored: true))
                == [.stream, .announceSwitchFailure(nil)])
    }

    @Test func `for an app that does not take its photos, no camera is used`() {
        var state = CameraState(isWanted: false)
        for event in [.opened, .resumed, .hidden(true), .hidden(false), .switched] as [CameraEvent]
        {
            #expect(state.handle(event) == [])
        }
        #expect(state.phase == .failed(.unwanted))
        #expect(!state.canResume)
    }

    // MARK: - The end of a picture

    @Test func `a camera that is unplugged while it is live leaves a page that says so`() throws {
        var state = try Self.live()
        #expect(state.handle(.broke(.gone)) == [.stop])
        #expect(state.phase == .failed(.gone))
        // What comes late changes nothing.
        #expect(state.handle(.started("back", try Self.mode(Self.back))) == [])
        #expect(state.handle(.broke(.silent)) == [])
        #expect(state.phase == .failed(.gone))
    }

    @Test func `another camera that comes or goes does not disturb the picture`() throws {
        var state = try Self.live([Self.back])
        #expect(state.handle(.camerasChanged) == [.list])
        #expect(state.handle(.listed([Self.back, Self.front])) == [])
        #expect(state.canSwitch)
        #expect(state.handle(.listed([Self.back])) == [])
        #expect(!state.canSwitch)
        #expect(state.phase == .live)
    }

    @Test func `a page that nobody can see has its camera off, and goes on by itself`() throws {
        var state = try Self.live()
        #expect(state.handle(.hidden(true)) == [.stop])
        #expect(!state.isOn)
        #expect(state.handle(.hidden(false)) == [.list])
        #expect(state.phase == .starting)
    }

    @Test func `a photo stays while nobody can see the page`() throws {
        var state = try Self.live()
        _ = state.handle(.shutter)
        _ = state.handle(.shot)
        #expect(state.handle(.hidden(true)) == [])
        #expect(state.handle(.hidden(false)) == [])
        #expect(state.phase == .reviewing)
    }

    @Test func `after a while without input the camera is off until the person wants it again`()
        throws
    {
        var state = try Self.live()
        #expect(state.handle(.idled) == [.stop])
        #expect(state.phase == .resting(.idle))
        #expect(state.handle(.hidden(true)) == [])
        #expect(state.handle(.hidden(false)) == [])
        #expect(state.handle(.resumed) == [.list])
    }

    // MARK: - Focus

    @Test func `S5.19 a press focuses only where the camera can`() throws {
        let point = FocusPoint(x: 0.25, y: 0.75)
        var plain = try Self.live()
        #expect(plain.handle(.pointed(point)) == [])
        var able = try Self.live([
            Self.camera("a", controls: [.exposure], points: [.exposure])
        ])
        #expect(able.handle(.pointed(point)) == [.point(point)])
    }

    @Test func `S5.11 only the live picture of a front camera is mirrored`() throws {
        #expect(try Self.live([Self.front]).previewOrientation == .mirrored)
        #expect(try Self.live([Self.front]).photoOrientation == .upright)
        #expect(try Self.live([Self.back]).previewOrientation == .upright)
    }

    @Test func `a photo is upright however the device is held`() throws {
        var state = try Self.live()
        _ = state.handle(.deviceTurned(1))
        #expect(state.photoOrientation == .turnedRight)
        _ = state.handle(.deviceTurned(-1))
        #expect(state.photoOrientation == .turnedLeft)
    }

    // MARK: - What the desktop forbids

    @Test func `a camera that is forbidden while it is live stops, and runs again when it may`()
        throws
    {
        var state = try Self.live()
        #expect(state.handle(.forbidden(true)) == [.stop])
        #expect(state.phase == .failed(.forbidden))
        #expect(!state.isOn && !state.canResume && !state.canSwitch)
        #expect(state.handle(.resumed) == [])
        #expect(state.handle(.switched) == [])
        #expect(state.handle(.hidden(true)) == [])
        #expect(state.handle(.hidden(false)) == [])
        #expect(state.phase == .failed(.forbidden))
        #expect(state.handle(.forbidden(false)) == [.list])
    }

    @Test func `a page that opens where cameras are forbidden starts none`() throws {
        var state = CameraState(isForbidden: true)
        #expect(state.handle(.opened) == [])
        #expect(state.phase == .failed(.forbidden))
        #expect(!state.isOn)
    }

    @Test func `a photo that was taken before can be used`() throws {
        var state = try Self.live()
        _ = state.handle(.shutter)
        _ = state.handle(.shot)
        _ = state.handle(.examined(nil))
        #expect(state.handle(.forbidden(true)) == [])
        #expect(state.canUse)
        #expect(state.handle(.retake) == [])
        #expect(state.phase == .failed(.forbidden))
    }

    @Test func `an app that takes no photos learns nothing of that`() throws {
        var state = CameraState(isWanted: false)
        _ = state.handle(.opened)
        #expect(state.handle(.forbidden(true)) == [])
        #expect(state.handle(.forbidden(false)) == [])
        #expect(state.phase == .failed(.unwanted))
    }
}

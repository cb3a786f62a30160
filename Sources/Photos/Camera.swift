// SPDX-License-Identifier: MIT

/// How many frames a camera delivers in a time, as a fraction.
package struct FrameRate: Hashable, Comparable, Sendable {
    package let frames: Int
    /// In so many seconds.
    package let seconds: Int

    /// - Parameters:
    ///   - frames: 1…1,000,000.
    ///   - seconds: 1…1,000,000.
    /// - Returns: Nil if one of them is not allowed.
    package init?(_ frames: Int, in seconds: Int = 1) {
        guard Self.allowed ~= frames, Self.allowed ~= seconds else { return nil }
        self.frames = frames
        self.seconds = seconds
    }

    private static let allowed = 1...1_000_000

    package var perSecond: Double { Double(frames) / Double(seconds) }

    // Neither product overflows.
    package static func < (one: FrameRate, other: FrameRate) -> Bool {
        one.frames * other.seconds < other.frames * one.seconds
    }

    package static func == (one: FrameRate, other: FrameRate) -> Bool {
        one.frames * other.seconds == other.frames * one.seconds
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(perSecond) }
}

/// A size in which a camera delivers frames, and how fast.
package struct CameraMode: Hashable, Sendable {
    package let size: PixelSize
    /// The highest rate in this size; nil if the camera does not tell it.
    package let frameRate: FrameRate?

    package init(_ size: PixelSize, _ frameRate: FrameRate?) {
        self.size = size
        self.frameRate = frameRate
    }

    /// The longest side of a frame in pixels.
    package static let maximumSide = 16_384
    /// The most pixels of a frame: more than any camera of a computer or a telephone has.
    package static let mostPixels = 1 << 26
    /// The most modes of a camera that are looked at.
    package static let mostModes = 64

    /// Whether movement looks continuous; a camera that does not tell its rate gets the benefit of the doubt.
    package var isFluent: Bool { frameRate.map { $0.perSecond >= 24 } ?? true }
}

/// Where a camera looks.
package enum CameraFacing: UInt8, CaseIterable, Sendable {
    /// Towards the person.
    case front = 0
    /// Away from the person.
    case back = 1
    /// The camera is not part of the device, or does not tell.
    case other = 2

    /// Reads the property `api.libcamera.location` of a PipeWire node.
    ///
    /// A name such as “Front Camera” is no proof, because anybody may choose it.
    package init(location: String?) {
        self =
            switch location {
            case "front": .front
            case "back": .back
            default: .other
            }
    }
}

/// Something that a camera can do by itself.
package enum CameraControl: UInt8, CaseIterable, Sendable {
    case flash = 0
    case whiteBalance = 1
    case focus = 2
    case exposure = 3

    /// Whether it may follow a point of the picture.
    package var hasPoint: Bool { self == .focus || self == .exposure }
}

/// A camera of this device, or one connected with it.
package struct Camera: Hashable, Sendable {
    /// What distinguishes it from others while it is connected.
    package let id: String
    /// The name for people.
    package let name: String
    package let facing: CameraFacing
    package let modes: CameraModes
    /// The quarter turns clockwise, 0…3, that make its picture upright while the device is held upright.
    package let mounting: Int
    /// What can be switched on.
    package let controls: Set<CameraControl>
    /// What follows a point; each is also in ``controls``.
    package let pointControls: Set<CameraControl>

    /// The most cameras that are shown.
    package static let mostCameras = 32
    /// The longest name in characters.
    package static let longestName = 80
    /// The longest id in bytes.
    package static let longestID = 255

    /// - Parameters:
    ///   - name: Any text; only what can be shown in one line is kept.
    ///   - mounting: Any number of quarter turns.
    package init(
        id: String, name: String, facing: CameraFacing = .other, modes: CameraModes,
        mounting: Int = 0, controls: Set<CameraControl> = [],
        pointControls: Set<CameraControl> = []
    ) {
        self.id = id
        self.name = name.printable.cut(to: Self.longestName)
        self.facing = facing
        self.modes = modes
        self.mounting = Rotation(quarters: mounting).quarters
        self.controls = controls
        self.pointControls = controls.intersection(pointControls).filter(\.hasPoint)
    }

    /// The quarter turns clockwise by which a picture must still be turned.
    ///
    /// - Parameter rotation: The property `api.libcamera.rotation`, such as `90`. Other angles than quarter
    ///   turns count as none.
    /// - Source: V4L2, `V4L2_CID_CAMERA_SENSOR_ROTATION`, which libcamera passes on: “the rotation correction in
    ///   degrees in the counter-clockwise direction to be applied to the captured images”.
    package static func mounting(rotation: String?) -> Int {
        guard let degrees = rotation.flatMap({ Int($0) }), (0..<360).contains(degrees),
            degrees.isMultiple(of: 90)
        else { return 0 }
        return (4 - degrees / 90) % 4
    }

    /// Sorts cameras: the back camera first (S5.8), then those that do not tell, then the front camera.
    ///
    /// Those of one kind are sorted by name, and by id, so that the order is always the same.
    package static func sorted(_ cameras: [Camera]) -> [Camera] {
        cameras.sorted { one, other in
            (one.facing.place, one.name, one.id) < (other.facing.place, other.name, other.id)
        }
    }
}

extension CameraFacing {
    fileprivate var place: Int {
        switch self {
        case .back: 0
        case .other: 1
        case .front: 2
        }
    }
}

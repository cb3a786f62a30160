// SPDX-License-Identifier: MIT

import ImageWork
import Photos
import SystemPackage

extension PacketWriter {
    mutating func write(_ size: PixelSize) {
        write(UInt32(clamping: size.width))
        write(UInt32(clamping: size.height))
    }

    mutating func write(_ mode: CameraMode) {
        write(mode.size)
        write(UInt32(clamping: mode.frameRate?.frames ?? 0))
        write(UInt32(clamping: mode.frameRate?.seconds ?? 0))
    }

    mutating func write(_ controls: Set<CameraControl>) {
        write(controls.reduce(UInt8(0)) { $0 | 1 << $1.rawValue })
    }

    mutating func write(_ camera: Camera) {
        write(camera.id)
        write(camera.name)
        write(camera.facing.rawValue)
        write(UInt8(camera.mounting))
        write(camera.controls)
        write(camera.pointControls)
        write(UInt8(clamping: camera.modes.all.count))
        for mode in camera.modes.all { write(mode) }
    }

    mutating func write(_ target: PictureTarget) {
        write(target.number)
        write(target.file)
    }

    mutating func write(_ error: CameraError) {
        let (code, text): (UInt8, String) =
            switch error {
            case .noCamera: (1, "")
            case .busy: (2, "")
            case .denied: (3, "")
            case .vanished: (4, "")
            case .silent: (5, "")
            case .unsupported(let name): (6, name ?? "")
            case .unavailable: (7, "")
            case .garbage: (8, "")
            case .cancelled: (9, "")
            // The program restores nothing.
            case .restored: (4, "")
            }
        write(code)
        write(text)
    }
}

extension PacketReader {
    mutating func size() throws(PacketError) -> PixelSize {
        PixelSize(width: Int(try uint32()), height: Int(try uint32()))
    }

    /// A size that a picture for the window may have.
    mutating func pictureSize() throws(PacketError) -> PixelSize {
        let size = try size()
        guard CameraLimits.allows(size) else { throw PacketError(.value) }
        return size
    }

    mutating func orientation() throws(PacketError) -> Orientation {
        guard let orientation = Orientation(rawValue: try uint8()) else {
            throw PacketError(.value)
        }
        return orientation
    }

    mutating func control() throws(PacketError) -> CameraControl {
        guard let control = CameraControl(rawValue: try uint8()) else { throw PacketError(.value) }
        return control
    }

    private mutating func controls() throws(PacketError) -> Set<CameraControl> {
        let bits = try uint8()
        let controls = CameraControl.allCases.filter { bits & 1 << $0.rawValue != 0 }
        guard bits >> CameraControl.allCases.count == 0 else { throw PacketError(.value) }
        return Set(controls)
    }

    mutating func mode() throws(PacketError) -> CameraMode {
        let size = try size()
        let frames = Int(try uint32())
        let seconds = Int(try uint32())
        return CameraMode(size, FrameRate(frames, in: seconds))
    }

    mutating func camera() throws(PacketError) -> Camera {
        let id = try text()
        let name = try text()
        guard let facing = CameraFacing(rawValue: try uint8()) else { throw PacketError(.value) }
        let mounting = Int(try uint8())
        let controls = try controls()
        let points = try self.controls()
        let count = Int(try uint8())
        guard (1...CameraMode.mostModes).contains(count), mounting < 4,
            (1...Camera.longestID).contains(id.utf8.count)
        else { throw PacketError(.value) }
        var modes: [CameraMode] = []
        for _ in 0..<count { modes.append(try mode()) }
        let camera = Camera(
            id: id, name: name, facing: facing, modes: CameraModes(modes), mounting: mounting,
            controls: controls, pointControls: points)
        guard !camera.modes.all.isEmpty else { throw PacketError(.value) }
        return camera
    }

    mutating func target() throws(PacketError) -> PictureTarget {
        PictureTarget(number: try uint32(), file: try descriptor())
    }

    mutating func error() throws(PacketError) -> CameraError {
        let code = try uint8()
        let text = try text()
        guard text.utf8.count <= 255 else { throw PacketError(.value) }
        switch code {
        case 1: return .noCamera
        case 2: return .busy
        case 3: return .denied
        case 4: return .vanished
        case 5: return .silent
        case 6: return .unsupported(text.isBlank ? nil : text.printable)
        case 7: return .unavailable
        case 8: return .garbage
        // Nobody but the caller cancels.
        default: throw PacketError(.value)
        }
    }
}

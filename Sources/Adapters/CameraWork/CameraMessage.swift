// SPDX-License-Identifier: MIT

package import Files
package import ImageWork
package import Photos

/// What the program for cameras is asked for; each request gets one reply.
package enum CameraRequest: Hashable, Sendable {
    case cameras
    /// The mode is the one nearest to a size.
    case open(String, preferring: PixelSize?)
    /// A frame that is cropped to the shape of a size.
    case frame(PixelSize, Orientation, into: PictureTarget)
    /// A photo, and a picture of it that is not larger than a size.
    case shoot(Orientation, PixelSize, ShotTime, into: PictureTarget)
    case set(CameraControl, Bool)
    case point(FocusPoint)
}

/// When a photo is taken: the program knows no time zone.
package struct ShotTime: Hashable, Sendable {
    /// Since 1970.
    package let milliseconds: Int64
    /// How much the local time is ahead of UTC, in minutes.
    package let offset: Int32

    package init(milliseconds: Int64, offset: Int32) {
        self.milliseconds = milliseconds
        self.offset = offset
    }
}

/// What the program for cameras answers.
package enum CameraReply: Sendable {
    case cameras([Camera])
    case opened(CameraMode)
    /// A frame of this size is in the memory.
    case frame(PixelSize, camerasChanged: Bool)
    /// A JPEG file; a picture of it, of this size, is in the memory.
    case shot(Descriptor, PixelSize)
    case done
    case failed(CameraError)
}

/// The packets between the dialog and the program for cameras; both ends come from the same build.
package enum CameraProtocol {
    private enum Code: UInt8 {
        case cameras = 1
        case open = 2
        case frame = 3
        case shoot = 4
        case set = 5
        case point = 6
        case done = 7
        case failed = 8
    }

    // MARK: - Requests

    package static func encode(_ request: CameraRequest) -> ([UInt8], [Descriptor]) {
        var writer = PacketWriter()
        switch request {
        case .cameras: writer.write(Code.cameras.rawValue)
        case .open(let id, let size):
            writer.write(Code.open.rawValue)
            writer.write(id)
            writer.write(size ?? PixelSize(width: 0, height: 0))
        case .frame(let size, let orientation, let memory):
            writer.write(Code.frame.rawValue)
            writer.write(size)
            writer.write(memory)
            writer.write(orientation.rawValue)
        case .shoot(let orientation, let size, let time, let memory):
            writer.write(Code.shoot.rawValue)
            writer.write(orientation.rawValue)
            writer.write(size)
            writer.write(memory)
            writer.write(time.milliseconds)
            writer.write(time.offset)
        case .set(let control, let isOn):
            writer.write(Code.set.rawValue)
            writer.write(control.rawValue)
            writer.write(isOn)
        case .point(let point):
            writer.write(Code.point.rawValue)
            writer.write(point.x.bitPattern)
            writer.write(point.y.bitPattern)
        }
        return (writer.bytes, writer.descriptors)
    }

    package static func decodeRequest(
        _ packet: [UInt8], _ descriptors: [Descriptor]
    ) throws(PacketError) -> CameraRequest {
        var reader = PacketReader(packet, descriptors)
        let request: CameraRequest
        switch Code(rawValue: try reader.uint8()) {
        case .cameras: request = .cameras
        case .open:
            let id = try reader.text()
            let size = try reader.size()
            request = .open(id, preferring: size.isEmpty ? nil : size)
        case .frame:
            let size = try reader.pictureSize()
            let memory = try reader.target()
            request = .frame(size, try reader.orientation(), into: memory)
        case .shoot:
            let orientation = try reader.orientation()
            let size = try reader.pictureSize()
            let memory = try reader.target()
            let time = ShotTime(
                milliseconds: try reader.int64(),
                offset: Int32(bitPattern: try reader.uint32()))
            request = .shoot(orientation, size, time, into: memory)
        case .set: request = .set(try reader.control(), try reader.bool())
        case .point:
            request = .point(
                FocusPoint(
                    x: Double(bitPattern: try reader.uint64()),
                    y: Double(bitPattern: try reader.uint64())))
        case .done, .failed, nil: throw PacketError(.kind)
        }
        guard reader.isAtEnd else { throw PacketError(.tooLong) }
        return request
    }

    // MARK: - Replies

    package static func encode(_ reply: CameraReply) -> ([UInt8], [Descriptor]) {
        var writer = PacketWriter()
        switch reply {
        case .cameras(let cameras):
            writer.write(Code.cameras.rawValue)
            let shown = cameras.prefix(Camera.mostCameras)
            writer.write(UInt8(clamping: shown.count))
            for camera in shown { writer.write(camera) }
        case .opened(let mode):
            writer.write(Code.open.rawValue)
            writer.write(mode)
        case .frame(let size, let camerasChanged):
            writer.write(Code.frame.rawValue)
            writer.write(size)
            writer.write(camerasChanged)
        case .shot(let file, let size):
            writer.write(Code.shoot.rawValue)
            writer.write(file)
            writer.write(size)
        case .done: writer.write(Code.done.rawValue)
        case .failed(let error):
            writer.write(Code.failed.rawValue)
            writer.write(error)
        }
        return (writer.bytes, writer.descriptors)
    }

    /// Reads a reply, and checks it: a camera may have taken over the program.
    package static func decodeReply(
        _ packet: [UInt8], _ descriptors: [Descriptor]
    ) throws(PacketError) -> CameraReply {
        var reader = PacketReader(packet, descriptors)
        let reply: CameraReply
        switch Code(rawValue: try reader.uint8()) {
        case .cameras:
            let count = Int(try reader.uint8())
            guard count <= Camera.mostCameras else { throw PacketError(.value) }
            var cameras: [Camera] = []
            for _ in 0..<count { cameras.append(try reader.camera()) }
            guard Set(cameras.map(\.id)).count == count else { throw PacketError(.value) }
            reply = .cameras(cameras)
        case .open: reply = .opened(try reader.mode())
        case .frame: reply = .frame(try reader.pictureSize(), camerasChanged: try reader.bool())
        case .shoot:
            let file = try reader.sealedFile(1...CameraLimits.mostPhotoBytes)
            reply = .shot(file, try reader.pictureSize())
        case .done: reply = .done
        case .failed: reply = .failed(try reader.error())
        case .set, .point, nil: throw PacketError(.kind)
        }
        guard reader.isAtEnd else { throw PacketError(.tooLong) }
        return reply
    }
}

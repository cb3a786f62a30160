// SPDX-License-Identifier: MIT
// A program for cameras that was taken over by one: it speaks the protocol and lies. The name by which it is
// started says what about.

import CFiles
import CameraWork
import Files
import Glibc
import ImageWork
import Photos
import Processes
import SystemPackage

/// What the program lies about; one lie for each run.
enum Lie: String {
    /// Every reply is as it should be, which shows that only the lies are refused.
    case honest
    /// No lie either: a camera that focuses at a point, and shows black 30 times a second.
    case focusing

    // The list
    case manyCameras, noModes, hugeModes, sameCameras, emptyID, longID, longName, unknownControls
    // The picture
    case largerThanAsked, hugeSize, emptySize, extraDescriptor
    // The photo
    case emptyPhoto, unsealed, noDescriptor
    // The packet
    case otherReply, otherMode, unknownCode, unknownError, trailingByte, emptyPacket, longPacket
    case deepError
    // The process
    case dying
}

@main
enum HostileCamera {
    static func main() throws {
        let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
        guard let lie = Lie(rawValue: name) else { exit(1) }
        let liar = Liar(lie: lie)
        while let packet = try WorkerSocket.receive(capacity: CameraLimits.packetSize) {
            let request = try CameraProtocol.decodeRequest(packet.bytes, packet.descriptors)
            if lie == .dying, request != .cameras { exit(1) }
            let (bytes, descriptors) = try liar.answer(request)
            try WorkerSocket.send(bytes, descriptors: descriptors)
        }
    }
}

/// Makes up the replies, which are right in everything except the lie.
struct Liar {
    let lie: Lie

    private static let size = PixelSize(width: 64, height: 48)
    private static let mode = CameraMode(size, FrameRate(30))

    private func camera(_ id: String) -> Camera {
        Camera(id: id, name: "Camera", modes: CameraModes([Self.mode]))
    }

    func answer(_ request: CameraRequest) throws -> ([UInt8], [Descriptor]) {
        switch request {
        case .cameras: (try list(), [])
        case .open:
            CameraProtocol.encode(
                .opened(
                    lie == .otherMode
                        ? CameraMode(PixelSize(width: 65, height: 48), nil) : Self.mode))
        case .frame(let size, _, into: _): try frame(size)
        case .shoot(_, let size, _, into: _): try shot(size)
        case .set, .point: CameraProtocol.encode(.done)
        }
    }

    private func shot(_ size: PixelSize) throws -> ([UInt8], [Descriptor]) {
        let photo =
            switch lie {
            case .emptyPhoto: try Descriptor(openableMemory: 0)
            case .unsealed: try Descriptor(openableMemory: 3)
            default: try MemoryFile.make(named: "photo", holding: [1, 2, 3])
            }
        let (bytes, descriptors) = CameraProtocol.encode(.shot(photo, size))
        return (bytes, lie == .noDescriptor ? [] : descriptors)
    }

    // MARK: - The list

    /// A list with one camera, field by field.
    private func list() throws -> [UInt8] {
        var writer = PacketWriter()
        let count =
            switch lie {
            case .manyCameras: 255
            case .sameCameras: 2
            default: 1
            }
        writer.write(UInt8(1))
        writer.write(UInt8(count))
        for number in 0..<count { write(number, to: &writer) }
        if lie == .longPacket {
            for _ in 0...CameraLimits.packetSize / 8 { writer.write(UInt64(0)) }
        }
        return writer.bytes
    }

    private func write(_ number: Int, to writer: inout PacketWriter) {
        switch lie {
        case .emptyID: writer.write("")
        case .longID: writer.write(String(repeating: "x", count: 256))
        case .sameCameras: writer.write("0")
        default: writer.write("\(number)")
        }
        writer.write(
            lie == .longName ? "A\n\u{202E}" + String(repeating: "x", count: 50_000) : "Camera")
        writer.write(UInt8(0))
        writer.write(UInt8(0))
        let focus: UInt8 = lie == .focusing ? 1 << CameraControl.focus.rawValue : 0
        writer.write(lie == .unknownControls ? 0xF0 : focus)
        writer.write(focus)
        writer.write(UInt8(lie == .noModes ? 0 : 1))
        guard lie != .noModes else { return }
        writer.write(lie == .hugeModes ? UInt32.max : 64)
        writer.write(lie == .hugeModes ? UInt32.max : 48)
        writer.write(UInt32(30))
        writer.write(UInt32(1))
    }

    // MARK: - Pictures

    private func frame(_ size: PixelSize) throws -> ([UInt8], [Descriptor]) {
        switch lie {
        case .focusing: usleep(33_000)
        case .otherReply: return CameraProtocol.encode(.done)
        case .unknownCode: return ([200], [])
        case .emptyPacket: return ([], [])
        case .unknownError: return ([8, 99, 0, 0, 0, 0], [])
        case .deepError:
            let error: [UInt8] = [10, 0, 0, 0, 0]
            return ([8] + Array(repeating: error, count: 20_000).joined(), [])
        default: break
        }
        var (bytes, descriptors) = CameraProtocol.encode(
            .frame(self.size(size), camerasChanged: false))
        switch lie {
        case .extraDescriptor: descriptors.append(try Descriptor(openableMemory: 1))
        case .trailingByte: bytes.append(0)
        default: break
        }
        return (bytes, descriptors)
    }

    /// The size of a picture that nobody has written.
    private func size(_ asked: PixelSize) -> PixelSize {
        switch lie {
        case .largerThanAsked: PixelSize(width: asked.width + 1, height: asked.height)
        case .hugeSize: PixelSize(width: Int(UInt32.max), height: Int(UInt32.max))
        case .emptySize: PixelSize(width: 0, height: 0)
        default: asked
        }
    }
}

extension Descriptor {
    /// A memory file that anybody may still change.
    fileprivate convenience init(openableMemory byteCount: Int) throws {
        self.init(owning: .init(rawValue: pp_memory_file("unsealed")))
        ftruncate(rawValue, byteCount)
    }
}

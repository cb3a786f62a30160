// SPDX-License-Identifier: MIT

import CameraWork
import Files
import ImageWork
import Photos
import Testing

/// The packets that the program for cameras reads.
@Suite struct CameraMessageTests {
    private static let requests: [CameraRequest] = [
        .cameras, .open("1", preferring: nil),
        .open("node", preferring: PixelSize(width: 640, height: 480)),
        .set(.exposure, true), .point(FocusPoint(x: 0.25, y: 1)),
    ]

    private static let size = PixelSize(width: 3, height: 8192)

    /// Requests that come with memory for a picture.
    private static func pictureRequests() throws -> [CameraRequest] {
        let memory = PictureTarget(
            number: 7, file: try SharedMemory(named: "test", byteCount: 1).file)
        let time = ShotTime(milliseconds: 1_700_000_000_123, offset: -570)
        return [
            .frame(size, .turnedLeft, into: memory), .shoot(.mirrored, size, time, into: memory),
        ]
    }

    @Test func `requests for pictures arrive as they were sent`() throws {
        for request in try Self.pictureRequests() {
            let (bytes, descriptors) = CameraProtocol.encode(request)
            #expect(try CameraProtocol.decodeRequest(bytes, descriptors) == request)
            #expect(throws: PacketError.self) { try CameraProtocol.decodeRequest(bytes, []) }
        }
    }

    @Test(arguments: requests)
    func `requests arrive as they were sent`(request: CameraRequest) throws {
        let (bytes, descriptors) = CameraProtocol.encode(request)
        #expect(try CameraProtocol.decodeRequest(bytes, descriptors) == request)
    }

    @Test(arguments: requests)
    func `requests that are cut or longer are none`(request: CameraRequest) {
        let (packet, _) = CameraProtocol.encode(request)
        for count in 0..<packet.count {
            #expect(throws: PacketError.self) {
                try CameraProtocol.decodeRequest(Array(packet.prefix(count)), [])
            }
        }
        #expect(throws: PacketError(.tooLong)) {
            try CameraProtocol.decodeRequest(packet + [0], [])
        }
    }

    @Test(arguments: [
        CameraError.noCamera, .busy, .denied, .vanished, .silent, .unsupported(nil),
        .unsupported("4K"), .unavailable, .garbage,
    ])
    func `errors arrive as they were sent`(error: CameraError) throws {
        let (bytes, descriptors) = CameraProtocol.encode(.failed(error))
        guard case .failed(let found) = try CameraProtocol.decodeReply(bytes, descriptors) else {
            Issue.record("another reply")
            return
        }
        #expect(found == error)
    }

    @Test func `a full list of cameras with the longest names fits in a packet`() throws {
        let modes = CameraModes(
            (1...CameraMode.mostModes).map {
                CameraMode(PixelSize(width: $0, height: 1), FrameRate(30))
            })
        let cameras = (0..<Camera.mostCameras).map { number in
            Camera(
                id: String(repeating: "x", count: Camera.longestID - 2) + "\(number % 10)",
                name: String(repeating: "e\u{301}\u{302}\u{303}", count: Camera.longestName),
                modes: modes)
        }
        let (bytes, _) = CameraProtocol.encode(.cameras(cameras))
        #expect(bytes.count <= CameraLimits.packetSize)
    }
}

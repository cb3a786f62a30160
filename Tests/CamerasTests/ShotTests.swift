// SPDX-License-Identifier: MIT

import CameraWork
import Files
import ImageWork
import Photos
import Pixels
import SystemPackage
import TestSupport
import Testing

/// Photos that are taken with a camera of a real PipeWire.
@Suite(.serialized) struct ShotTests {
    private let stage: CameraStage
    private static let box = PixelSize(width: 300, height: 300)

    init() async throws {
        stage = try await CameraStage()
    }

    /// A photo as a file, and its metadata as ExifTool reads them.
    private func metadata(of shot: CameraShot) throws -> [String: String] {
        let path = stage.home.scratch.appending("shot.jpg")
        try stage.home.write(shot.file.read(upTo: 1 << 26), to: path)
        let text = try ExifTool.run(["-a", "-G1", "-s", "-n", path.string])
        var values: [String: String] = [:]
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = parts[0].split(separator: " ").joined(separator: " ")
            values[name] = String(parts[1].drop { $0 == " " })
        }
        return values
    }

    @Test func `S5.13 a photo says when it was taken and with what, and not where`() async throws {
        try await stage.add(VirtualCameras.Model("front", "Front", width: 1280, height: 720))
        try await stage.open("Front")
        let shot = try await stage.session.shoot(.upright, reviewFitting: Self.box)
        let values = try metadata(of: shot)
        #expect(values["[File] MIMEType"] == "image/jpeg")
        #expect(values["[File] ImageWidth"] == "1280")
        #expect(values["[File] ImageHeight"] == "720")
        #expect(values["[IFD0] Model"] == "Front")
        #expect(values["[IFD0] Software"] == "Photo Portal")
        #expect(values["[IFD0] Orientation"] == "1")
        #expect(values["[ExifIFD] ExifImageWidth"] == "1280")
        let date = try #require(values["[ExifIFD] DateTimeOriginal"])
        let zone = try #require(values["[ExifIFD] OffsetTimeOriginal"])
        #expect(date.contains(#/^20\d\d:\d\d:\d\d \d\d:\d\d:\d\d$/#))
        #expect(zone.contains(#/^[+-]\d\d:\d\d$/#))
        #expect(values["[ExifIFD] SubSecTimeOriginal"]?.count == 3)
        #expect(!values.keys.contains { $0.contains("GPS") })
        #expect(shot.picture.size == PixelSize(width: 300, height: 169))
    }

    @Test(arguments: 0..<4)
    func `S5.3 a photo is upright however the device is held, and not mirrored`(
        quarters: Int
    ) async throws {
        try await stage.add(
            VirtualCameras.Model("back", "Back", location: "back", rotation: "90"))
        let opened = try await stage.open("Back")
        let orientation = CameraRotation.photo(
            mounting: opened.camera.mounting, device: quarters, facing: .back)
        let shot = try await stage.session.shoot(orientation, reviewFitting: Self.box)
        let values = try metadata(of: shot)
        #expect(values["[IFD0] Orientation"] == "\(orientation.rawValue)")
        // As a viewer shows the file, and as it is shown for review.
        let (bitmap, _) = try PictureFile.decode(shot.file, fitting: 320, .exact)
        let sensor = PixelSize(width: 320, height: 240)
        #expect(bitmap.size == orientation.applied(to: sensor))
        for (column, colour) in [(20, ShownPixels.white), (300, ShownPixels.blue)] {
            let place = orientation.place(ofStored: (column, 20), in: sensor)
            let start = (place.y * bitmap.size.width + place.x) * 3
            let found = bitmap.bytes[start..<start + 3].map { Int($0) }
            #expect(zip(found, colour).allSatisfy { abs($0 - $1) <= 24 }, "\(found)")
        }
        let review = orientation.applied(to: PixelSize(width: 300, height: 225))
        #expect(shot.picture.size == review)
        let white = orientation.place(ofStored: (20, 20), in: PixelSize(width: 300, height: 225))
        #expect(try ShownPixels(shot.picture).shows(ShownPixels.white, at: white))
    }

    @Test(.enabled(if: VirtualCameras.outliveClients, Comment(rawValue: VirtualCameras.skipReason)))
    func `a photo is as large as the camera can, and the live picture goes on`()
        async throws
    {
        var model = VirtualCameras.Model("front", "Front")
        model.capabilities = "video/x-raw,format=I420,width=3840,height=2160,framerate=10/1"
        try await stage.add(model)
        try await stage.open("Front")
        let shot = try await stage.session.shoot(.upright, reviewFitting: Self.box)
        #expect(try metadata(of: shot)["[File] ImageWidth"] == "3840")
        let view = PixelSize(width: 320, height: 180)
        #expect(try await stage.session.frame(filling: view, .upright).picture.size == view)
        let second = try await stage.session.shoot(.upright, reviewFitting: Self.box)
        #expect(second.picture.size == PixelSize(width: 300, height: 169))
    }

    @Test(.enabled(if: VirtualCameras.outliveClients, Comment(rawValue: VirtualCameras.skipReason)))
    func `a photo has the largest size, or the one that was chosen`() async throws {
        let stage = try await CameraStage(hasChoice: true)
        let camera = try await eventually("the camera") {
            try await stage.session.cameras().first { $0.name == VirtualCameras.manyModes }
        }
        let small = PixelSize(width: 320, height: 240)
        for chosen in [nil, small, nil] {
            let opened = try await stage.session.open(camera.id, preferring: chosen)
            #expect(opened.mode.size == chosen ?? CameraPreset.fullHD.size)
            let live = try await stage.session.frame(filling: small, .upright)
            #expect(live.picture.size == small)
            let shot = try await stage.session.shoot(.upright, reviewFitting: Self.box)
            let size = try ImageFacts(reading: FileBytes(shot.file)).size
            #expect(size == chosen ?? CameraPreset.ultraHD.size)
        }
        stage.session.end()
    }

    @Test func `S5.13 without a camera nothing is shot`() async throws {
        #expect(try await stage.session.cameras().isEmpty)
        let error = await problem { () async throws(CameraError) in
            try await stage.session.shoot(.upright, reviewFitting: Self.box)
        }
        #expect(error == .noCamera)
    }
}

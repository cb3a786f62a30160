// SPDX-License-Identifier: MIT

import Cameras
import Photos
import Testing

/// The modes in what a camera claims to deliver.
@Suite struct CapabilityTests {
    init() throws {
        try #require(CameraSystem.load() == nil)
    }

    private func mode(_ width: Int, _ height: Int, _ rate: Int?) -> CameraMode {
        CameraMode(
            PixelSize(width: width, height: height), rate.flatMap { FrameRate($0) })
    }

    @Test func `raw frames and JPEG files are modes, in the sizes and rates of a real camera`() {
        let modes = CameraModes(
            capabilities: """
                video/x-raw,format=YUY2,width=1920,height=1080,framerate=5/1;
                video/x-raw,format=YUY2,width=640,height=480,framerate={30/1,15/1};
                image/jpeg,width=1920,height=1080,framerate={15/1,30/1}
                """)
        #expect(modes.all == [mode(1920, 1080, 30), mode(640, 480, 30)])
    }

    @Test func `of ranges the presets and the largest size count`() {
        let modes = CameraModes(
            capabilities: """
                video/x-raw,format=NV12,width=[16,2000],height=[16,1200],framerate=[0/1,60/1]
                """)
        #expect(modes.all.first == mode(2000, 1200, 60))
        #expect(modes.choices.last == PixelSize(width: 1920, height: 1080))
        #expect(modes.choices.count == 6)
        let steps = CameraModes(
            capabilities: "video/x-raw,width=[320,640,320],height=[240,480,240],framerate=30/1")
        #expect(
            Set(steps.all.map(\.size)) == [
                PixelSize(width: 640, height: 480), PixelSize(width: 320, height: 240),
            ])
    }

    @Test(arguments: [
        "", "nonsense!", "ANY", "EMPTY", "audio/x-raw,rate=8000",
        "video/x-raw,width=0,height=0,framerate=30/1",
        "video/x-raw,width=-640,height=480", "video/x-raw,width=2147483647,height=2147483647",
        "video/x-raw,width=[2000000,2147483647],height=[1,2]", "video/x-raw,width=640",
        "video/x-raw,format=P010_10LE,width=640,height=480",
        "video/x-raw(memory:DMABuf),format=DMA_DRM,width=640,height=480",
        "video/x-raw,width=(string)640,height=480",
    ])
    func `claims that no frame can meet are no modes`(capabilities: String) {
        #expect(CameraModes(capabilities: capabilities).all.isEmpty)
    }

    @Test(arguments: ["0/1", "2147483647/1", "[0/1,2147483647/1]", "-30/1", "{0/1}"])
    func `rates that no camera has are unknown`(rate: String) {
        let modes = CameraModes(
            capabilities: "video/x-raw,width=640,height=480,framerate=\(rate)")
        #expect(modes.all == [mode(640, 480, nil)])
    }

    @Test func `thousands of modes are bounded`() {
        let claims = (1...3000).map { "video/x-raw,width=\($0),height=16,framerate=30/1" }
        let modes = CameraModes(capabilities: claims.joined(separator: ";"))
        #expect(modes.all.count == CameraMode.mostModes)
        let widths = (1...500).map(String.init).joined(separator: ",")
        let lists = CameraModes(
            capabilities: "video/x-raw,width={\(widths)},height={\(widths)},framerate=30/1")
        #expect(lists.all.count <= CameraMode.mostModes)
    }
}

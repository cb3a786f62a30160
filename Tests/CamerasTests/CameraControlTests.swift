// SPDX-License-Identifier: MIT

import CameraWork
import Cameras
import Photos
import Testing

@testable import CameraProgram

/// What is set at a camera, and in which order, with a device that records it.
@Suite struct CameraControlTests {
    /// A device with some controls.
    private final class Recording: ControlDevice {
        private let ranges: [DeviceControl: ClosedRange<Int64>]
        private let entries: [DeviceControl: Set<Int64>]
        let regionBounds: PixelRectangle?
        /// What the device refuses, although it lists it.
        var refused: Set<DeviceControl> = []
        private(set) var calls: [String] = []

        init(
            _ ranges: [DeviceControl: ClosedRange<Int64>] = [:],
            entries: [DeviceControl: Set<Int64>] = [:], region: PixelRectangle? = nil
        ) {
            self.ranges = ranges
            self.entries = entries
            regionBounds = region
        }

        func range(of control: DeviceControl) -> ClosedRange<Int64>? { ranges[control] }

        func hasEntry(_ entry: Int64, of control: DeviceControl) -> Bool {
            entries[control]?.contains(entry) == true
        }

        func set(_ control: DeviceControl, _ value: Int64) -> Bool {
            guard !refused.contains(control) else { return false }
            calls.append("\(control) \(value)")
            return true
        }

        func setRegion(_ region: PixelRectangle) -> Bool {
            guard !refused.contains(.region) else { return false }
            calls.append("region \(region)")
            return true
        }
    }

    private static let bounds = PixelRectangle(x: 0, y: 0, width: 1000, height: 500)

    /// A device with everything; the region drives exposure and focus.
    private static func complete(regionMode: Int64 = 0b1001) -> Recording {
        Recording(
            [.autoWhiteBalance: 0...1, .autoFocus: 0...1, .regionMode: 0...regionMode],
            entries: [.autoExposure: [1, 3], .flashMode: [0, 1, 2]], region: bounds)
    }

    @Test func `S5.12 only what the device lists is supported`() {
        let all = CameraControls(Self.complete())
        #expect(all.supported == Set(CameraControl.allCases))
        #expect(all.supportedAtPoint == [.focus, .exposure])
        #expect(CameraControls(nil).supported.isEmpty)
        #expect(CameraControls(Recording()).supported.isEmpty)
        // A flash that can only be switched off, and an exposure that is only manual.
        let useless = Recording(entries: [.flashMode: [0], .autoExposure: [1]])
        #expect(CameraControls(useless).supported.isEmpty)
        let torch = Recording(entries: [.flashMode: [0, 2]])
        #expect(CameraControls(torch).supported == [.flash])
    }

    @Test func `S5.12 flash and white balance are automatic from the start`() {
        let device = Self.complete()
        CameraControls(device).setDefaults()
        #expect(device.calls == ["flashMode 1", "autoWhiteBalance 1"])
        let plain = Recording()
        CameraControls(plain).setDefaults()
        #expect(plain.calls.isEmpty)
    }

    @Test func `S5.18 the point is set first, and then the modes`() throws {
        let device = Self.complete()
        try CameraControls(device).point(FocusPoint(x: 0.5, y: 0.5))
        #expect(
            device.calls == [
                "region 200×100+400+200", "regionMode 9", "autoFocus 1", "autoExposure 3",
            ])
    }

    @Test(arguments: [false, true])
    func `S5.19 focus and exposure share the point, each only if its mode is supported`(
        isFocus: Bool
    ) throws {
        let regionMode: Int64 = isFocus ? 0b1000 : 0b0001
        let device = Self.complete(regionMode: regionMode)
        try CameraControls(device).point(FocusPoint(x: 0, y: 1))
        let mode = isFocus ? "autoFocus 1" : "autoExposure 3"
        #expect(device.calls == ["region 200×100+0+400", "regionMode \(regionMode)", mode])
    }

    @Test func `S5.19 without a region, or a mode that follows it, nothing is set`() {
        for device in [
            Self.complete(regionMode: 0b0110), Recording([.autoFocus: 0...1]), Recording(),
        ] {
            #expect(throws: CameraError.unsupported(nil)) {
                try CameraControls(device).point(.middle)
            }
            #expect(device.calls.isEmpty)
        }
    }

    @Test func `what the device refuses is an error, and nothing follows it`() {
        let device = Self.complete()
        device.refused = [.region]
        #expect(throws: CameraError.unsupported(nil)) {
            try CameraControls(device).point(.middle)
        }
        #expect(device.calls.isEmpty)
        device.refused = [.flashMode]
        #expect(throws: CameraError.unsupported(nil)) {
            try CameraControls(device).set(.flash, true)
        }
        #expect(throws: CameraError.unsupported(nil)) {
            try CameraControls(nil).set(.focus, true)
        }
    }

    @Test func `controls can be switched off again`() throws {
        let device = Self.complete()
        for control in CameraControl.allCases {
            try CameraControls(device).set(control, false)
        }
        #expect(
            device.calls == [
                "flashMode 0", "autoWhiteBalance 0", "autoFocus 0", "autoExposure 1",
            ])
    }

    @Test func `a region is inside, also of bounds that make no sense`() {
        let corner = CameraControls.region(around: FocusPoint(x: 1, y: 1), in: Self.bounds)
        #expect(corner == PixelRectangle(x: 800, y: 400, width: 200, height: 100))
        let tiny = PixelRectangle(x: -5, y: 7, width: 1, height: 1)
        #expect(CameraControls.region(around: .middle, in: tiny) == tiny)
        let huge = PixelRectangle(
            x: Int(Int32.min), y: Int(Int32.min), width: Int(UInt32.max), height: Int(UInt32.max))
        let region = CameraControls.region(around: FocusPoint(x: 1, y: 0), in: huge)
        #expect(region.x + region.width == huge.x + huge.width)
    }
}

// SPDX-License-Identifier: MIT

package import CameraWork
package import Cameras
package import Photos

/// What can be switched on at one camera, and in which order that is done.
package struct CameraControls {
    /// Nil if the camera has no controls that we could reach.
    private let device: (any ControlDevice)?

    package init(_ device: (any ControlDevice)?) {
        self.device = device
    }

    /// What the device lists (S5.12, S5.19).
    package var supported: Set<CameraControl> {
        Set(CameraControl.allCases.filter { mode(of: $0) != nil })
    }

    /// What follows a point: it needs the control, and a region of interest that drives it.
    package var supportedAtPoint: Set<CameraControl> {
        guard let device, device.regionBounds != nil else { return [] }
        return supported.filter { control in
            guard let bit = control.regionBit else { return false }
            return device.range(of: .regionMode).map { $0.upperBound & bit != 0 } ?? false
        }
    }

    /// Switches flash and white balance to automatic, where the device lists them (S5.12).
    ///
    /// A camera that does not do it is a camera without it.
    func setDefaults() {
        for control in [CameraControl.flash, .whiteBalance] { try? set(control, true) }
    }

    /// - Throws: `.unsupported` if the device does not list the control, or does not set it.
    package func set(_ control: CameraControl, _ isOn: Bool) throws(CameraError) {
        guard let device, let mode = mode(of: control) else { throw .unsupported(nil) }
        guard device.set(mode.control, isOn ? mode.on : mode.off) else { throw .unsupported(nil) }
    }

    /// Sets the point first and the modes after it: reversed, the point before would be used (S5.18).
    ///
    /// - Throws: `.unsupported` if nothing follows a point, or the device does not set it.
    package func point(_ point: FocusPoint) throws(CameraError) {
        let controls = supportedAtPoint
        guard let device, let bounds = device.regionBounds, !controls.isEmpty else {
            throw .unsupported(nil)
        }
        guard device.setRegion(Self.region(around: point, in: bounds)) else {
            throw .unsupported(nil)
        }
        let bits = controls.reduce(0) { $0 | ($1.regionBit ?? 0) }
        guard device.set(.regionMode, bits) else { throw .unsupported(nil) }
        for control in CameraControl.allCases where controls.contains(control) {
            try set(control, true)
        }
    }

    /// A fifth of each side, around the point and inside.
    static func region(around point: FocusPoint, in bounds: PixelRectangle) -> PixelRectangle {
        let width = max(1, bounds.width / 5)
        let height = max(1, bounds.height / 5)
        let left = Int(point.x * Double(bounds.width)) - width / 2
        let top = Int(point.y * Double(bounds.height)) - height / 2
        return PixelRectangle(
            x: bounds.x + min(max(left, 0), bounds.width - width),
            y: bounds.y + min(max(top, 0), bounds.height - height), width: width, height: height)
    }

    // MARK: - One control

    private typealias Mode = (control: DeviceControl, on: Int64, off: Int64)

    /// How a control is switched on the device; nil if it cannot be.
    private func mode(of control: CameraControl) -> Mode? {
        guard let device else { return nil }
        switch control {
        case .flash:
            // The LED lights while it is needed: as a flash if the device has one, as a torch otherwise.
            for entry in [DeviceControl.Flash.flash, DeviceControl.Flash.torch]
            where device.hasEntry(entry, of: .flashMode) {
                return (.flashMode, entry, DeviceControl.Flash.off)
            }
            return nil
        case .whiteBalance:
            return device.range(of: .autoWhiteBalance) == nil ? nil : (.autoWhiteBalance, 1, 0)
        case .focus: return device.range(of: .autoFocus) == nil ? nil : (.autoFocus, 1, 0)
        case .exposure:
            for entry in [DeviceControl.Exposure.auto, DeviceControl.Exposure.aperturePriority]
            where device.hasEntry(entry, of: .autoExposure) {
                return (.autoExposure, entry, DeviceControl.Exposure.manual)
            }
            return nil
        }
    }
}

extension CameraControl {
    /// What a region of interest drives.
    ///
    /// - Source: USB Video Class 1.5, 4.2.2.1.20, `bmAutoControls`.
    fileprivate var regionBit: Int64? {
        switch self {
        case .exposure: 1 << 0
        case .focus: 1 << 3
        case .flash, .whiteBalance: nil
        }
    }
}

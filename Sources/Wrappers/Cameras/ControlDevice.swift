// SPDX-License-Identifier: MIT

internal import CCamera
package import Photos

/// A control of V4L2 that is used here.
///
/// - Source: Linux, `v4l2-controls.h`.
package enum DeviceControl: UInt32, CaseIterable, Sendable {
    case autoWhiteBalance = 0x0098_090C
    case autoExposure = 0x009A_0901
    case autoFocus = 0x009A_090C
    case flashMode = 0x009C_0901
    /// The rectangle that automatic modes look at, and which of them do: since Linux 6.17.
    case region = 0x0098_11E1
    case regionMode = 0x0098_11E2

    /// The entries of ``flashMode``.
    package enum Flash {
        package static let off: Int64 = 0
        package static let flash: Int64 = 1
        package static let torch: Int64 = 2
    }

    /// The entries of ``autoExposure``.
    package enum Exposure {
        package static let auto: Int64 = 0
        package static let manual: Int64 = 1
        package static let aperturePriority: Int64 = 3
    }
}

/// A device with controls.
package protocol ControlDevice {
    /// The values of a control; nil if the device does not list it, or does not let anybody set it.
    func range(of control: DeviceControl) -> ClosedRange<Int64>?
    /// Whether a menu has an entry.
    func hasEntry(_ entry: Int64, of control: DeviceControl) -> Bool
    /// Returns whether the device did it.
    func set(_ control: DeviceControl, _ value: Int64) -> Bool
    /// The largest region of interest; nil if there is none.
    var regionBounds: PixelRectangle? { get }
    /// Returns whether the device did it.
    func setRegion(_ region: PixelRectangle) -> Bool
}

/// A video device of the kernel.
///
/// One thread uses it.
package final class V4L2Device: ControlDevice {
    private let device: CInt

    private init(_ device: CInt) {
        self.device = device
    }

    /// Opens a device; nil if there is none, or this user may not.
    package static func open(_ path: String?) -> V4L2Device? {
        guard let path else { return nil }
        let device = pp_control_open(path)
        return device < 0 ? nil : V4L2Device(device)
    }

    deinit {
        pp_control_close(device)
    }

    package func range(of control: DeviceControl) -> ClosedRange<Int64>? {
        var (low, high): (Int64, Int64) = (0, 0)
        guard pp_control_query(device, control.rawValue, &low, &high) != 0, low <= high else {
            return nil
        }
        return low...high
    }

    package func hasEntry(_ entry: Int64, of control: DeviceControl) -> Bool {
        guard let range = range(of: control), range.contains(entry),
            let index = UInt32(exactly: entry)
        else { return false }
        return pp_control_has_entry(device, control.rawValue, index) != 0
    }

    package func set(_ control: DeviceControl, _ value: Int64) -> Bool {
        pp_control_set(device, control.rawValue, value) == 0
    }

    package var regionBounds: PixelRectangle? {
        var bounds = pp_control_rectangle()
        guard pp_control_bounds(device, DeviceControl.region.rawValue, &bounds) != 0 else {
            return nil
        }
        return PixelRectangle(
            x: Int(bounds.left), y: Int(bounds.top), width: Int(bounds.width),
            height: Int(bounds.height))
    }

    package func setRegion(_ region: PixelRectangle) -> Bool {
        let rectangle = pp_control_rectangle(
            left: Int32(clamping: region.x), top: Int32(clamping: region.y),
            width: UInt32(clamping: region.width), height: UInt32(clamping: region.height))
        return pp_control_set_rectangle(device, DeviceControl.region.rawValue, rectangle) == 0
    }
}

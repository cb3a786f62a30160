// SPDX-License-Identifier: MIT

internal import CCamera
package import Photos

/// A running camera, which keeps its newest frame.
///
/// It stops together with this object. One thread uses it.
package final class CameraStream {
    private let camera: OpaquePointer

    init(_ camera: OpaquePointer) {
        self.camera = camera
    }

    deinit {
        pp_camera_close(camera)
    }

    /// Waits for a frame that is newer than the last one.
    ///
    /// - Parameter patience: How long to wait, in milliseconds.
    /// - Throws: ``CameraProblem``; the stream is then of no use any more.
    package func next(patience: Int32) throws(CameraProblem) {
        try CameraProblem.check(pp_camera_next(camera, patience))
    }

    /// Copies the frame, for one that is used later: the memory of a camera that is unplugged goes with it.
    ///
    /// - Throws: ``CameraProblem``, `.unavailable` without memory.
    package func keep() throws(CameraProblem) {
        try CameraProblem.check(pp_camera_own(camera))
    }

    /// The size of the frame, as the sensor delivers it.
    package var size: PixelSize {
        var (width, height): (UInt32, UInt32) = (0, 0)
        pp_camera_frame_size(camera, &width, &height)
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// What the bytes of a pixel are.
    package enum Layout {
        case rgb
        /// With 255 as the fourth byte.
        case bgra

        package var bytesPerPixel: Int {
            switch self {
            case .rgb: 3
            case .bgra: 4
            }
        }
    }

    /// Converts a part of the frame, scales it and turns it.
    ///
    /// - Parameters:
    ///   - part: A rectangle inside the frame, not empty.
    ///   - stored: The size before the turn, at least one pixel.
    ///   - orientation: The turn; only ``Layout/bgra`` can be turned.
    ///   - layout: What the pixels are.
    ///   - pixels: Room for exactly the pixels of the result.
    /// - Throws: ``CameraProblem``, `.garbage` if the frame is smaller than it claims.
    package func convert(
        _ part: PixelRectangle, to stored: PixelSize, _ orientation: Orientation,
        as layout: Layout, into pixels: UnsafeMutableRawBufferPointer
    ) throws(CameraProblem) {
        precondition(part.clamped(to: size) == part && !stored.isEmpty)
        precondition(layout == .bgra || orientation == .upright)
        precondition(pixels.count == stored.width * stored.height * layout.bytesPerPixel)
        guard let start = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let area = pp_camera_part(
            x: UInt32(part.x), y: UInt32(part.y), width: UInt32(part.width),
            height: UInt32(part.height))
        try CameraProblem.check(
            pp_camera_convert(
                camera, area, UInt32(stored.width), UInt32(stored.height),
                UInt32(orientation.rawValue), layout == .rgb ? PP_CAMERA_RGB : PP_CAMERA_BGRA,
                start))
    }
}

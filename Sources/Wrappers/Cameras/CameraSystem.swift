// SPDX-License-Identifier: MIT

internal import CCamera
package import Photos

/// The cameras of PipeWire, and those of V4L2 where PipeWire has none.
///
/// One thread of a process uses one of them, until the process ends.
package final class CameraSystem {
    /// A camera, and what only this module knows of it.
    package struct Found {
        package let id: String
        package let name: String
        package let facing: CameraFacing
        package let modes: CameraModes
        package let mounting: Int
        /// The path of its V4L2 device; nil if it has none.
        package let node: String?
        /// For each mode, how the camera is asked for it.
        fileprivate let streams: [CameraMode: pp_camera_mode]
    }

    private let watch: OpaquePointer

    /// Connects with PipeWire, if it runs.
    ///
    /// - Throws: ``CameraProblem/unavailable`` without memory.
    package init() throws(CameraProblem) {
        guard let watch = pp_camera_watch_open() else { throw .unavailable }
        self.watch = watch
    }

    /// Loads GStreamer and the plugins that cameras need, and has it generate its code.
    ///
    /// - Returns: The name of the file that is missing; nil if all is there.
    package static func load() -> String? {
        if let missing = pp_camera_load() { return String(cString: missing) }
        pp_camera_prepare()
        return nil
    }

    /// Whether a camera has come or gone since the last list, or the last such question.
    package var hasChanged: Bool { pp_camera_watch_has_changed(watch) != 0 }

    /// The cameras that have a usable mode, in no order.
    ///
    /// - Throws: ``CameraProblem/unavailable`` if there is neither PipeWire nor a camera of V4L2.
    package func cameras() throws(CameraProblem) -> [Found] {
        var list: UnsafeMutablePointer<pp_camera_info>?
        var count = 0
        try CameraProblem.check(pp_camera_watch_list(watch, Camera.mostCameras, &list, &count))
        defer { pp_camera_list_free(list, count) }
        return UnsafeBufferPointer(start: list, count: count).compactMap { info in
            let camera = Found(info)
            return camera.modes.all.isEmpty ? nil : camera
        }
    }

    /// Starts a camera of the last list, and waits for its first frame.
    ///
    /// - Parameters:
    ///   - mode: One of its modes.
    ///   - patience: How long to wait, in milliseconds.
    /// - Throws: ``CameraProblem``.
    package func open(
        _ camera: Found, _ mode: CameraMode, patience: Int32
    ) throws(CameraProblem) -> CameraStream {
        guard var wanted = camera.streams[mode] else { throw .unsupported }
        var stream: OpaquePointer?
        try CameraProblem.check(pp_camera_open(watch, camera.id, &wanted, patience, &stream))
        guard let stream else { throw .unavailable }
        return CameraStream(stream)
    }
}

extension CameraSystem.Found {
    fileprivate init(_ info: pp_camera_info) {
        id = String(cString: info.id)
        name = String(cString: info.name)
        facing = CameraFacing(location: info.location.map { String(cString: $0) })
        mounting = Camera.mounting(rotation: info.rotation.map { String(cString: $0) })
        node = info.node.map { String(cString: $0) }
        let claims = UnsafeBufferPointer(start: info.modes, count: info.mode_count)
        modes = CameraModes(claims.map(\.mode))
        var streams: [CameraMode: pp_camera_mode] = [:]
        for claim in claims {
            // Frames that need no decoding are preferred.
            if streams[claim.mode] == nil || claim.is_jpeg == 0 { streams[claim.mode] = claim }
        }
        self.streams = streams
    }
}

extension pp_camera_mode {
    fileprivate var mode: CameraMode {
        CameraMode(
            PixelSize(width: Int(width), height: Int(height)),
            FrameRate(Int(frames), in: Int(seconds)))
    }
}

extension CameraModes {
    /// The modes in capabilities, as GStreamer writes them.
    package init(capabilities: String) {
        var modes = [pp_camera_mode](repeating: pp_camera_mode(), count: 512)
        let count = pp_camera_modes(capabilities, &modes, modes.count)
        self.init(modes.prefix(count).map(\.mode))
    }
}

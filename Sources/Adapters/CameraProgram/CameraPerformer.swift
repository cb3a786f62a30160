// SPDX-License-Identifier: MIT

import CameraWork
import Cameras
import Files
import ImageWork
import Photos
import Pixels

/// Does what the program for cameras is asked for; one camera runs at a time.
final class CameraPerformer {
    /// A camera that was opened, and may be stopped.
    private struct Open {
        let camera: CameraSystem.Found
        let mode: CameraMode
        let controls: CameraControls
        /// Nil while it is stopped.
        var stream: CameraStream?
        /// Whether the frame that is kept was not asked for yet: it came while the camera started.
        var hasNewFrame = false
    }

    private let system: CameraSystem
    /// The last list.
    private var cameras: [CameraSystem.Found] = []
    private var open: Open?
    /// Whether cameras have changed, and nobody has been told.
    private var hasChanged = false
    /// The pixels of the last picture; the next one needs the same memory.
    private var pixels = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    init(_ system: CameraSystem) {
        self.system = system
    }

    deinit {
        pixels.deallocate()
    }

    func reply(to request: CameraRequest) -> CameraReply {
        do throws(CameraError) {
            switch request {
            case .cameras: return .cameras(try list())
            case .open(let id, let size): return .opened(try open(id, preferring: size))
            case .frame(let size, let orientation): return try frame(filling: size, orientation)
            case .shoot(let orientation, let size, let time):
                return try shoot(orientation, reviewFitting: size, time)
            case .set(let control, let isOn):
                try controls().set(control, isOn)
                return .done
            case .point(let point):
                try controls().point(point)
                return .done
            }
        } catch {
            return .failed(error)
        }
    }

    // MARK: - Cameras

    private func list() throws(CameraError) -> [Camera] {
        do throws(CameraProblem) {
            cameras = try system.cameras()
        } catch {
            throw CameraError(error)
        }
        hasChanged = false
        return cameras.map { found in
            let controls = CameraControls(V4L2Device.open(found.node))
            return Camera(
                id: found.id, name: found.name, facing: found.facing, modes: found.modes,
                mounting: found.mounting, controls: controls.supported,
                pointControls: controls.supportedAtPoint)
        }
    }

    /// Stops the camera that runs, because two may be too much for one bus, and starts another.
    private func open(_ id: String, preferring size: PixelSize?) throws(CameraError) -> CameraMode {
        // A program that has just been started anew knows no list.
        if cameras.isEmpty { _ = try list() }
        guard let camera = cameras.first(where: { $0.id == id }) else { throw .vanished }
        guard let mode = camera.modes.mode(preferring: size) else { throw .unsupported(nil) }
        open = nil
        let stream = try start(camera, mode)
        let controls = CameraControls(V4L2Device.open(camera.node))
        controls.setDefaults()
        open = Open(
            camera: camera, mode: mode, controls: controls, stream: stream, hasNewFrame: true)
        return mode
    }

    private func start(
        _ camera: CameraSystem.Found, _ mode: CameraMode,
        patience: Int32 = CameraLimits.silence
    ) throws(CameraError) -> CameraStream {
        do throws(CameraProblem) {
            return try system.open(camera, mode, patience: patience)
        } catch {
            throw CameraError(error)
        }
    }

    /// Starts the open camera again, if it was stopped.
    private func resume() throws(CameraError) {
        guard let open else { throw .noCamera }
        guard open.stream == nil else { return }
        self.open?.stream = try start(open.camera, open.mode)
        self.open?.hasNewFrame = true
    }

    private func controls() throws(CameraError) -> CameraControls {
        guard let open else { throw .noCamera }
        return open.controls
    }

    // MARK: - Frames

    /// Waits for the next frame, and returns who keeps it.
    private func next() throws(CameraError) -> CameraStream {
        try resume()
        guard let open, let stream = open.stream else { throw .noCamera }
        if open.hasNewFrame {
            self.open?.hasNewFrame = false
            return stream
        }
        do throws(CameraProblem) {
            try stream.next(patience: CameraLimits.silence)
        } catch {
            // The next frame starts it again.
            self.open?.stream = nil
            throw CameraError(error)
        }
        return stream
    }

    private func frame(
        filling size: PixelSize, _ orientation: Orientation
    ) throws(CameraError) -> CameraReply {
        let stream = try next()
        // The view as the sensor would see it.
        let view = orientation.applied(to: size)
        let part = PixelRectangle(stream.size).narrowed(to: view)
        // Enlarging is left to whoever draws it.
        let stored = PixelSize(
            width: min(view.width, part.width), height: min(view.height, part.height))
        let picture = try picture(of: stream, part, stored, orientation)
        hasChanged = system.hasChanged || hasChanged
        defer { hasChanged = false }
        return .frame(picture, camerasChanged: hasChanged)
    }

    /// A part of a frame in a memory file.
    private func picture(
        of stream: CameraStream, _ part: PixelRectangle, _ stored: PixelSize,
        _ orientation: Orientation
    ) throws(CameraError) -> CameraPicture {
        let layout = CameraStream.Layout.bgra
        let byteCount = stored.width * stored.height * layout.bytesPerPixel
        if pixels.count != byteCount {
            pixels.deallocate()
            pixels = .allocate(byteCount: byteCount, alignment: 16)
        }
        do {
            try stream.convert(part, to: stored, orientation, as: layout, into: pixels)
            let file = try MemoryFile.make(
                named: "frame", copying: UnsafeRawBufferPointer(pixels))
            return CameraPicture(size: orientation.applied(to: stored), file: file)
        } catch {
            throw (error as? CameraProblem).map { CameraError($0) } ?? .unavailable
        }
    }

    // MARK: - Photos

    private func shoot(
        _ orientation: Orientation, reviewFitting size: PixelSize, _ time: ShotTime
    ) throws(CameraError) -> CameraReply {
        guard let camera = open?.camera else { throw .noCamera }
        let stream = try stillStream()
        // Nobody looks at the camera while they look at the photo (S5.13).
        defer { open?.stream = nil }
        let whole = PixelRectangle(stream.size)
        let pixels = try stream.pixels(whole, whole.size, .upright)
        let description = ShotDescription(
            camera: camera.name, milliseconds: time.milliseconds, offset: Int(time.offset),
            orientation: orientation)
        do {
            let photo = try Bitmap(size: whole.size, format: .rgb, bytes: pixels)
                .photo(description, quality: CameraLimits.quality)
            let file = try MemoryFile.make(named: "photo", holding: photo)
            let review = try picture(
                of: stream, whole, whole.size.fitted(in: orientation.applied(to: size)), orientation
            )
            return .shot(file, review)
        } catch {
            throw error as? CameraError ?? .unavailable
        }
    }

    /// The camera with a frame in its largest size; in the size of the live picture if it does not change
    /// its mode in time.
    private func stillStream() throws(CameraError) -> CameraStream {
        guard let camera = open?.camera, let live = open?.mode, let still = camera.modes.still,
            still.size != live.size
        else { return try next() }
        // One mode ends before the other one begins: nobody else may hold the stream.
        open?.stream = nil
        do throws(CameraError) {
            return try start(camera, still, patience: CameraLimits.modeChange)
        } catch {
            return try next()
        }
    }
}

extension CameraStream {
    /// A part of the frame in our own memory.
    fileprivate func pixels(
        _ part: PixelRectangle, _ stored: PixelSize, _ orientation: Orientation
    ) throws(CameraError) -> [UInt8] {
        var problem: CameraProblem?
        let byteCount = stored.width * stored.height * 3
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            do throws(CameraProblem) {
                try convert(
                    part, to: stored, orientation, as: .rgb,
                    into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: byteCount)
                )
                count = byteCount
            } catch {
                problem = error
            }
        }
        if let problem { throw CameraError(problem) }
        return bytes
    }
}

extension PixelSize {
    /// The largest size of the same shape that fits in a box, never larger than this one.
    fileprivate func fitted(in box: PixelSize) -> PixelSize {
        let scale = min(
            1, Double(box.width) / Double(width), Double(box.height) / Double(height))
        return PixelSize(
            width: min(box.width, max(1, Int((Double(width) * scale).rounded()))),
            height: min(box.height, max(1, Int((Double(height) * scale).rounded()))))
    }
}

extension CameraError {
    init(_ problem: CameraProblem) {
        self =
            switch problem {
            case .busy: .busy
            case .denied: .denied
            case .vanished: .vanished
            case .silent: .silent
            case .unsupported: .unsupported(nil)
            case .unavailable: .unavailable
            case .garbage: .garbage
            }
    }
}

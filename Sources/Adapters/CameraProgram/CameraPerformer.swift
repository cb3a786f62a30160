// SPDX-License-Identifier: MIT

import CameraWork
import Cameras
import Files
import Glibc
import ImageWork
import Photos
import Pixels
import SystemPackage

/// Does what the program for cameras is asked for; one camera runs at a time.
final class CameraPerformer {
    /// A camera that was opened, and may be stopped.
    private struct Open {
        let camera: CameraSystem.Found
        let mode: CameraMode
        /// Whether the person chose this size, for photos as well.
        let isChosen: Bool
        let controls: CameraControls
        /// Nil while it is stopped.
        var stream: CameraStream?
        /// Whether the frame that is kept was not asked for yet: it came while the camera started.
        var hasNewFrame = false
    }

    private let system: CameraSystem
    /// The last list.
    private var cameras: [CameraSystem.Found] = []
    private var open: Open? {
        didSet { if oldValue?.stream != nil, open?.stream == nil { lastEnd = .now } }
    }
    /// When a stream was stopped last.
    private var lastEnd: ContinuousClock.Instant?
    /// Whether cameras have changed, and nobody has been told.
    private var hasChanged = false
    /// Memory for pictures, the oldest first.
    private var mapped: [Mapped] = []

    private static let mostMapped = 8

    private final class Mapped {
        let number: UInt32
        let memory: WritableMemory

        init(number: UInt32, memory: consuming WritableMemory) {
            self.number = number
            self.memory = memory
        }
    }

    init(_ system: CameraSystem) {
        self.system = system
    }

    func reply(to request: CameraRequest) -> CameraReply {
        do throws(CameraError) {
            switch request {
            case .cameras: return .cameras(try list())
            case .open(let id, let size): return .opened(try open(id, preferring: size))
            case .frame(let size, let orientation, let memory):
                return try frame(filling: size, orientation, into: memory)
            case .shoot(let orientation, let size, let time, let memory):
                return try shoot(orientation, reviewFitting: size, time, into: memory)
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
            camera: camera, mode: mode, isChosen: size != nil, controls: controls, stream: stream,
            hasNewFrame: true)
        return mode
    }

    /// Starts a stream.
    ///
    /// - Parameters:
    ///   - patience: How long the camera may say nothing, in milliseconds.
    ///   - waits: Whether it is tried again as long as the stream before may not have ended.
    private func start(
        _ camera: CameraSystem.Found, _ mode: CameraMode,
        patience: Int32 = CameraLimits.silence, waits: Bool = true
    ) throws(CameraError) -> CameraStream {
        while true {
            do throws(CameraProblem) {
                let stream = try system.open(camera, mode, patience: patience)
                // It may be a while until somebody asks for it.
                try stream.keep()
                return stream
            } catch {
                // PipeWire ends a stream later than it says, and the camera still has its mode.
                guard waits, [.busy, .unsupported].contains(error), let lastEnd,
                    lastEnd.duration(to: .now) < CameraLimits.handover
                else { throw CameraError(error) }
                usleep(20_000)
            }
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
    ///
    /// - Parameter isKept: Whether the frame is used for longer than it takes to convert it.
    private func next(isKept: Bool = false) throws(CameraError) -> CameraStream {
        try resume()
        guard let open, let stream = open.stream else { throw .noCamera }
        if open.hasNewFrame {
            self.open?.hasNewFrame = false
            return stream
        }
        do throws(CameraProblem) {
            try stream.next(patience: CameraLimits.silence)
            if isKept { try stream.keep() }
        } catch {
            // The next frame starts it again.
            self.open?.stream = nil
            throw CameraError(error)
        }
        return stream
    }

    private func frame(
        filling size: PixelSize, _ orientation: Orientation, into memory: PictureTarget
    ) throws(CameraError) -> CameraReply {
        let stream = try next()
        // The view as the sensor would see it.
        let view = orientation.applied(to: size)
        let part = PixelRectangle(stream.size).narrowed(to: view)
        // Enlarging is left to whoever draws it.
        let stored = PixelSize(
            width: min(view.width, part.width), height: min(view.height, part.height))
        let shown = try write(stream, part, stored, orientation, of: size, into: memory)
        hasChanged = system.hasChanged || hasChanged
        defer { hasChanged = false }
        return .frame(shown, camerasChanged: hasChanged)
    }

    /// Writes a part of a frame into memory.
    ///
    /// - Parameter size: The largest size that there is memory for.
    /// - Returns: The size of the picture.
    private func write(
        _ stream: CameraStream, _ part: PixelRectangle, _ stored: PixelSize,
        _ orientation: Orientation, of size: PixelSize, into memory: PictureTarget
    ) throws(CameraError) -> PixelSize {
        let pixels = try map(memory, CameraPicture.byteCount(size))
        do throws(CameraProblem) {
            let count = CameraPicture.byteCount(stored)
            guard count <= pixels.count else { throw .unavailable }
            try stream.convert(
                part, to: stored, orientation, as: .bgra,
                into: UnsafeMutableRawBufferPointer(rebasing: pixels[..<count]))
        } catch {
            throw CameraError(error)
        }
        return orientation.applied(to: stored)
    }

    /// Maps memory, once for all pictures that it is used for.
    private func map(
        _ memory: PictureTarget, _ byteCount: Int
    ) throws(CameraError) -> UnsafeMutableRawBufferPointer {
        if let known = mapped.first(where: { $0.number == memory.number }) {
            guard known.memory.bytes.count == byteCount else { throw .unavailable }
            return known.memory.bytes
        }
        // Of what is not used any more, nobody tells.
        if mapped.count >= Self.mostMapped { mapped.removeFirst() }
        do throws(Errno) {
            let made = Mapped(
                number: memory.number,
                memory: try WritableMemory(memory.file, byteCount: byteCount))
            mapped.append(made)
            return made.memory.bytes
        } catch {
            throw .unavailable
        }
    }

    // MARK: - Photos

    private func shoot(
        _ orientation: Orientation, reviewFitting size: PixelSize, _ time: ShotTime,
        into memory: PictureTarget
    ) throws(CameraError) -> CameraReply {
        guard let camera = open?.camera else { throw .noCamera }
        let stream = try stillStream()
        // Nobody looks at the camera while they look at the photo (S5.13).
        defer {
            open?.stream = nil
            lastEnd = .now
        }
        let whole = PixelRectangle(stream.size)
        let pixels = try stream.pixels(whole, whole.size, .upright)
        let description = ShotDescription(
            camera: camera.name, milliseconds: time.milliseconds, offset: Int(time.offset),
            orientation: orientation)
        do {
            let photo = try Bitmap(size: whole.size, format: .rgb, bytes: pixels)
                .photo(description, quality: CameraLimits.quality)
            let file = try MemoryFile.make(named: "photo", holding: photo)
            let shown = try write(
                stream, whole, whole.size.fitted(in: orientation.applied(to: size)), orientation,
                of: size, into: memory)
            return .shot(file, shown)
        } catch {
            throw error as? CameraError ?? .unavailable
        }
    }

    /// The open camera and its largest mode, if that is another one than the live picture has and the person has
    /// chosen none.
    private var otherMode: (CameraSystem.Found, CameraMode)? {
        guard let open, !open.isChosen, let still = open.camera.modes.still,
            still.size != open.mode.size
        else { return nil }
        return (open.camera, still)
    }

    /// The camera with a frame in its largest size; in the size of the live picture if it does not change
    /// its mode in time.
    private func stillStream() throws(CameraError) -> CameraStream {
        guard let (camera, still) = otherMode else { return try next(isKept: true) }
        // One mode ends before the other one begins: nobody else may hold the stream.
        self.open?.stream = nil
        do throws(CameraError) {
            return try start(
                camera, still, patience: CameraLimits.modeChange, waits: false)
        } catch {
            lastEnd = .now
            return try next(isKept: true)
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

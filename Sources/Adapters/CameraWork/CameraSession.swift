// SPDX-License-Identifier: MIT

package import Files
import Glibc
package import Photos
package import SystemPackage

/// A camera that runs.
package struct OpenedCamera: Hashable, Sendable {
    package let camera: Camera
    package let mode: CameraMode
}

/// A frame of a live picture.
package struct CameraFrame: Sendable {
    package let picture: CameraPicture
    /// Whether a camera has come or gone since the last frame or list.
    package let camerasChanged: Bool
}

/// A photo that was just taken.
package struct CameraShot: Sendable {
    /// A JPEG file as a sealed memory file.
    ///
    /// The program that made it is not trusted.
    package let file: Descriptor
    /// The photo, upright, for the person to look at.
    package let picture: CameraPicture
}

/// Cameras, each call by a program that is not trusted, which starts with the first call.
///
/// Calls wait for their turn on a thread of its own. A program that says nonsense, or nothing in time, is
/// killed, and the next call starts it anew.
package final class CameraSession: Sendable {
    private let worker: CameraWorker
    private let pictures = PictureMemory()

    /// Starts nothing yet.
    ///
    /// - Parameters:
    ///   - program: The path of `photo-portal-camera`.
    ///   - environment: What it learns of the person's session; by default what PipeWire needs of our own.
    package init(
        program: FilePath, environment: [String] = CameraSession.sessionEnvironment
    ) {
        worker = CameraWorker(program, environment)
    }

    deinit {
        worker.end()
    }

    /// Where this session's PipeWire is, as `NAME=value`.
    package static var sessionEnvironment: [String] {
        let names: [String] = ["XDG_RUNTIME_DIR", "PIPEWIRE_RUNTIME_DIR", "PIPEWIRE_REMOTE"]
        return names.compactMap { name in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
    }

    /// The cameras, the best first (S5.8).
    ///
    /// Starts the program if it does not run.
    ///
    /// - Throws: ``CameraError``; having no camera is none.
    package func cameras() async throws(CameraError) -> [Camera] {
        guard case .cameras(let cameras) = try await worker.reply(to: .cameras) else {
            throw worker.refuse()
        }
        return Camera.sorted(cameras)
    }

    /// Opens a camera of the last list, and waits for its first frame.
    ///
    /// - Parameter size: The size to shoot live pictures in; nil for the best.
    /// - Throws: ``CameraError``, `.restored` if the camera before is back (S5.15).
    package func open(
        _ id: String, preferring size: PixelSize? = nil
    ) async throws(CameraError) -> OpenedCamera {
        guard let camera = worker.camera(id) else { throw .vanished }
        let reply = try await worker.reply(toOpening: .open(id, preferring: size))
        // No other mode than one that it claimed to have.
        guard case .opened(let mode) = reply, camera.modes.all.contains(mode) else {
            throw worker.refuse()
        }
        return OpenedCamera(camera: camera, mode: mode)
    }

    /// The next frame that is newer than the last one.
    ///
    /// - Parameters:
    ///   - size: The view in device pixels. The frame is cropped to its shape, and not enlarged.
    ///   - orientation: How the frame must be turned and mirrored.
    /// - Throws: ``CameraError``, `.silent` if none comes within three seconds; after `.vanished`, the camera
    ///   has to be opened again.
    package func frame(
        filling size: PixelSize, _ orientation: Orientation
    ) async throws(CameraError) -> CameraFrame {
        let size = Self.limited(size)
        let (memory, target) = try memory(for: size)
        guard
            case .frame(let shown, let camerasChanged) = try await worker.reply(
                to: .frame(size, orientation, into: target)), shown.fits(in: size)
        else { throw worker.refuse() }
        return CameraFrame(
            picture: CameraPicture(size: shown, memory: memory), camerasChanged: camerasChanged)
    }

    /// Takes a photo in the largest size of the camera, and stops the camera; the next frame starts it again.
    ///
    /// - Parameters:
    ///   - orientation: How the photo must be turned to be upright.
    ///   - size: The longest sides of the picture for review, in device pixels.
    /// - Throws: ``CameraError``.
    package func shoot(
        _ orientation: Orientation, reviewFitting size: PixelSize
    ) async throws(CameraError) -> CameraShot {
        let size = Self.limited(size)
        let (memory, target) = try memory(for: size)
        guard
            case .shot(let file, let shown) = try await worker.reply(
                to: .shoot(orientation, size, .now, into: target)), shown.fits(in: size)
        else { throw worker.refuse() }
        return CameraShot(file: file, picture: CameraPicture(size: shown, memory: memory))
    }

    /// Switches a control of the open camera on or off.
    ///
    /// - Throws: ``CameraError``, `.unsupported` if the camera does not have it.
    package func set(_ control: CameraControl, _ isOn: Bool) async throws(CameraError) {
        guard case .done = try await worker.reply(to: .set(control, isOn)) else {
            throw worker.refuse()
        }
    }

    /// Focuses on a point, and exposes for it, as far as the camera can (S5.19).
    ///
    /// - Parameters:
    ///   - x: From the left of the sensor, 0…1.
    ///   - y: From its top.
    /// - Throws: ``CameraError``, `.unsupported` if the camera can do neither.
    package func point(x: Double, y: Double) async throws(CameraError) {
        guard case .done = try await worker.reply(to: .point(FocusPoint(x: x, y: y))) else {
            throw worker.refuse()
        }
    }

    /// Ends the program for good, within a second.
    ///
    /// Calls that wait fail with `.cancelled`.
    package func end() {
        worker.end()
    }

    /// The process of the program, if it runs.
    package var processID: Int32? { worker.processID }

    private func memory(for size: PixelSize) throws(CameraError) -> (SharedMemory, PictureTarget) {
        do throws(Errno) {
            return try pictures.next(CameraPicture.byteCount(size))
        } catch {
            throw .unavailable
        }
    }

    private static func limited(_ size: PixelSize) -> PixelSize {
        PixelSize(
            width: min(max(size.width, 1), CameraLimits.longestSide),
            height: min(max(size.height, 1), CameraLimits.longestSide))
    }
}

extension PixelSize {
    fileprivate func fits(in other: PixelSize) -> Bool {
        width <= other.width && height <= other.height
    }
}

extension ShotTime {
    /// The time of the person's clock.
    fileprivate static var now: ShotTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var seconds = time.tv_sec
        var local = tm()
        localtime_r(&seconds, &local)
        return ShotTime(
            milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000,
            offset: Int32(clamping: local.tm_gmtoff / 60))
    }
}

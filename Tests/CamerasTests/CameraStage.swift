// SPDX-License-Identifier: MIT

import CameraWork
import Files
import ImageWork
import Photos
import Processes
import SystemPackage
import TestSupport

/// A home with PipeWire, cameras and a session that uses them; a suite keeps it while a test runs.
final class CameraStage: Sendable {
    let home: TestHome
    let cameras: VirtualCameras
    let session: CameraSession
    private let bus: PrivateBus

    static let program = ProgramFolder.sibling("photo-portal-camera")

    /// - Parameter hasChoice: Whether there is a camera with many modes.
    init(hasChoice: Bool = false) async throws {
        home = try TestHome()
        bus = try await PrivateBus.start(in: home)
        cameras = try await VirtualCameras.start(
            in: home, bus: bus.address, hasChoice: hasChoice)
        session = CameraSession(program: Self.program, environment: cameras.environment)
    }

    deinit {
        session.end()
    }

    /// Connects cameras.
    func add(_ models: VirtualCameras.Model...) async throws {
        for model in models { try await cameras.add(model) }
    }

    /// Opens the camera with a name.
    @discardableResult
    func open(_ name: String, preferring size: PixelSize? = nil) async throws -> OpenedCamera {
        let camera = try await session.cameras().first { $0.name == name }
        guard let camera else { throw NeverHappened(description: "no camera named \(name)") }
        let failure: CameraError
        do throws(CameraError) {
            return try await session.open(camera.id, preferring: size)
        } catch {
            failure = error
        }
        // On a busy machine, PipeWire may take longer to begin than a camera may be silent.
        guard failure == .silent else { throw failure }
        return try await session.open(camera.id, preferring: size)
    }
}

/// The error of a call; nil if it succeeds.
func problem<Value>(_ body: () async throws(CameraError) -> Value) async -> CameraError? {
    do throws(CameraError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// The pixels of a picture.
struct ShownPixels {
    /// The colours of the test pattern `smpte`: of its upper left corner, and of its upper right one.
    static let white = [255, 255, 255]
    static let blue = [0, 0, 255]

    private let memory: SharedMemory
    private let size: PixelSize

    init(_ picture: CameraPicture) throws {
        memory = picture.memory
        size = picture.size
    }

    func colour(_ x: Int, _ y: Int) -> [Int] {
        (0..<3).map { Int(memory.bytes[(y * size.width + x) * 4 + 2 - $0]) }
    }

    /// Whether two colours differ only as conversions do.
    func shows(_ colour: [Int], at place: (x: Int, y: Int)) -> Bool {
        zip(self.colour(place.x, place.y), colour).allSatisfy { abs($0 - $1) <= 16 }
    }
}

extension Orientation {
    /// Where a stored pixel is in the upright picture.
    func place(ofStored pixel: (Int, Int), in stored: PixelSize) -> (x: Int, y: Int) {
        let upright = applied(to: stored)
        for y in 0..<upright.height {
            for x in 0..<upright.width
            where storedPosition(x: x, y: y, in: stored) == (pixel.0, pixel.1) {
                return (x, y)
            }
        }
        preconditionFailure("each stored pixel is somewhere")
    }
}

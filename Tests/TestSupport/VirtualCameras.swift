// SPDX-License-Identifier: MIT

import Foundation
import SystemPackage

/// PipeWire with a session manager and cameras that show test patterns, for one home and one bus.
///
/// All of it ends with this object.
package final class VirtualCameras: Sendable {
    /// What a camera claims to be, and shows.
    package struct Model: Sendable {
        /// The name of its node.
        package var name: String
        /// What people read, without spaces.
        package var description: String
        package var location: String?
        /// Degrees counterclockwise, as `api.libcamera.rotation` says it.
        package var rotation: String?
        package var role = "Camera"
        /// The picture of `videotestsrc`; `smpte` has bars from white to blue.
        package var pattern = "smpte"
        /// What it delivers, as capabilities of GStreamer.
        package var capabilities: String

        package init(
            _ name: String, _ description: String, width: Int = 640, height: Int = 480,
            rate: Int = 30, location: String? = nil, rotation: String? = nil
        ) {
            self.name = name
            self.description = description
            self.location = location
            self.rotation = rotation
            capabilities =
                "video/x-raw,format=I420,width=\(width),height=\(height),framerate=\(rate)/1"
        }

        fileprivate var arguments: [String] {
            var properties = [
                "media.class=Video/Source", "media.role=\(role)", "node.name=\(name)",
                "node.description=\(description)",
                // A sink that was paused once does not start again.
                "node.pause-on-idle=false",
            ]
            if let location { properties.append("api.libcamera.location=\(location)") }
            if let rotation { properties.append("api.libcamera.rotation=(string)\(rotation)") }
            let encoder = capabilities.hasPrefix("image/jpeg") ? ["jpegenc", "!"] : []
            return ["-q", "videotestsrc", "is-live=true", "pattern=\(pattern)", "!"] + encoder
                + [
                    capabilities, "!", "pipewiresink", "mode=provide",
                    "stream-properties=props,\(properties.joined(separator: ","))",
                ]
        }
    }

    private let home: TestHome
    private let variables: [String: String]
    private let daemons: [ChildProcess]
    /// The cameras that were started; they end with this object.
    private let cameras = Recorder<ChildProcess>()

    /// Starts PipeWire without any camera.
    ///
    /// - Parameters:
    ///   - home: Its runtime folder gets PipeWire's socket.
    ///   - bus: The address of a session bus.
    ///   - hasChoice: Whether there is a camera named ``manyModes`` that delivers frames in any size.
    package static func start(
        in home: TestHome, bus: String, hasChoice: Bool = false
    ) async throws -> VirtualCameras {
        if hasChoice {
            let folder = home.configuration.appending("pipewire").appending("pipewire.conf.d")
            try home.write(Array(configuration.utf8), to: folder.appending("camera.conf"))
        }
        let variables = home.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus]) { $1 }
        let server = try ChildProcess("pipewire", environment: variables, scratch: home.scratch)
        let socket = home.runtime.appending("pipewire-0")
        try await eventually("PipeWire's socket: \(server.errorText)") {
            (try? socket.stat()) != nil
        }
        let manager = try ChildProcess(
            "wireplumber", environment: variables, scratch: home.scratch)
        return VirtualCameras(home, variables, [server, manager])
    }

    /// The name of a camera with many modes.
    package static let manyModes = "Many"

    /// The source of patterns that PipeWire itself has.
    private static let configuration = """
        context.spa-libs = { videotestsrc = videotestsrc/libspa-videotestsrc }
        context.objects = [
          { factory = spa-node-factory
            args = {
              factory.name = videotestsrc
              node.name = many
              node.description = \(manyModes)
              media.class = Video/Source
              media.role = Camera
            }
          }
        ]
        """

    private init(_ home: TestHome, _ variables: [String: String], _ daemons: [ChildProcess]) {
        self.home = home
        self.variables = variables
        self.daemons = daemons
    }

    /// Whether a virtual camera goes on when its client has left.
    ///
    /// From 1.2 on, PipeWire's sink for GStreamer ends with the link to its client.
    package static let outliveClients: Bool = {
        let home = try? TestHome()
        guard let home,
            let version = try? ChildProcess(
                "pipewire", ["--version"], environment: home.environment, scratch: home.scratch)
        else { return true }
        version.waitForEnd()
        let text = version.outputText.split(whereSeparator: \.isWhitespace)
        return text.contains { $0.hasPrefix("0.") }
    }()

    package static let skipReason = "the virtual cameras of this PipeWire end with their client"

    /// What a client of PipeWire needs, as `NAME=value`.
    package var environment: [String] { ["XDG_RUNTIME_DIR=\(home.runtime)"] }

    /// Connects a camera, and waits until PipeWire knows what it delivers.
    @discardableResult
    package func add(_ model: Model) async throws -> ChildProcess {
        let camera = try ChildProcess(
            "gst-launch-1.0", model.arguments, environment: variables, scratch: home.scratch)
        cameras.note(camera)
        try await eventually("the camera \(model.name)") {
            guard !camera.hasEnded else {
                throw NeverHappened(description: "no camera: \(camera.errorText)")
            }
            return try await self.lists(model.name)
        }
        return camera
    }

    /// Disconnects a camera, and waits until PipeWire knows.
    package func remove(_ camera: ChildProcess, _ model: Model) async throws {
        try await camera.stop(SIGKILL)
        try await eventually("the end of \(model.name)") { try await !self.lists(model.name) }
    }

    /// Whether PipeWire has a node with this name and formats.
    private func lists(_ name: String) async throws -> Bool {
        let dump = try ChildProcess("pw-dump", environment: variables, scratch: home.scratch)
        guard try await dump.exitStatus() == 0,
            let objects = try? JSONSerialization.jsonObject(with: Data(dump.outputText.utf8))
        else { return false }
        return (objects as? [[String: Any]] ?? []).contains { object in
            let info = object["info"] as? [String: Any]
            let properties = info?["props"] as? [String: Any]
            let parameters = info?["params"] as? [String: Any]
            let formats = parameters?["EnumFormat"] as? [Any] ?? []
            return properties?["node.name"] as? String == name && !formats.isEmpty
        }
    }
}

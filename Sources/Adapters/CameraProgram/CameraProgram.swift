// SPDX-License-Identifier: MIT

import CameraWork
import Cameras
import Processes
import Sandbox

/// The program that is alone with cameras and with what they send: it loads its libraries, connects with
/// PipeWire, and answers one request after the other.
package enum CameraProgram {
    /// A large frame as the camera sends it, as pixels and as a photo; and what PipeWire's and GStreamer's
    /// threads reserve.
    private static let limits = Sandbox.Limits(memory: 1 << 30, addressSpace: 8 << 30)

    /// Runs until the other end closes the socket.
    ///
    /// - Parameter name: The name of the program.
    /// - Returns: The exit status.
    package static func run(_ name: String) -> Int32 {
        guard WorkerSocket.isPresent else {
            StandardError.print(
                "\(name): this program reads cameras for the photo portal, which starts it. It does "
                    + "nothing when it is started by hand; see photo-portal(8).")
            return 2
        }
        do {
            // While a camera is silent, nobody looks at the socket.
            try WorkerSocket.endWithParent()
            if let missing = CameraSystem.load() {
                StandardError.print(
                    "\(name): \(missing) is missing; install \(package(with: missing)).")
                try refuse()
                return 1
            }
            // PipeWire's threads start when it connects, and the sandbox reaches them only in part.
            try Sandbox.restrictFiles()
            let system = try CameraSystem()
            try Sandbox.enter(limits, except: .cameras)
            StandardError.discard()
            try serve(CameraPerformer(system))
            return 0
        } catch let failure as Sandbox.Failure {
            StandardError.print("\(name): no sandbox: \(failure)")
            return 1
        } catch {
            StandardError.print("\(name): \(error)")
            return 1
        }
    }

    /// The Debian package that contains a file of GStreamer.
    static func package(with file: String) -> String {
        switch file {
        case "libgstpipewire.so": "gstreamer1.0-pipewire"
        case "libgstapp.so": "gstreamer1.0-plugins-base"
        case "libgstjpeg.so": "gstreamer1.0-plugins-good"
        default: "libgstreamer1.0-0"
        }
    }

    private static func serve(_ performer: CameraPerformer) throws {
        while let packet = try WorkerSocket.receive(capacity: CameraLimits.packetSize) {
            let request = try CameraProtocol.decodeRequest(packet.bytes, packet.descriptors)
            try answer(performer.reply(to: request))
        }
    }

    /// Says that there are no cameras here.
    private static func refuse() throws {
        while try WorkerSocket.receive(capacity: CameraLimits.packetSize) != nil {
            try answer(.failed(.unavailable))
        }
    }

    private static func answer(_ reply: CameraReply) throws {
        let (bytes, descriptors) = CameraProtocol.encode(reply)
        try WorkerSocket.send(bytes, descriptors: descriptors)
    }
}

// SPDX-License-Identifier: MIT

import Files
import Processes
import Sandbox
import SystemPackage
import Web
import WebFetch

/// A program that fetches one picture: it enters its sandbox, reads the request from the socket, and
/// answers it there.
package enum FetcherProgram {
    /// Twice the largest picture while it grows, once more as a memory file, and what TLS needs.
    private static let limits = Sandbox.Limits(memory: 320 << 20, addressSpace: 1 << 30)
    /// The largest file with authorities that is read, in bytes.
    private static let mostAuthorities = 4 << 20

    /// Runs until the picture is fetched.
    ///
    /// - Parameter name: The name of the program.
    /// - Returns: The exit status.
    package static func run(_ name: String, _ policy: FetchPolicy) -> Int32 {
        guard WorkerSocket.isPresent else {
            StandardError.print(
                "\(name): this program fetches pictures for the photo portal, which starts it. It does "
                    + "nothing when it is started by hand; see photo-portal(8).")
            return 2
        }
        do {
            // Nobody looks at the socket while a server is silent. The thread that started this waits for it.
            try WorkerSocket.endWithParent()
            // Whatever needs a file comes before the sandbox.
            guard let path = policy.authorities ?? WebClient.authorities,
                let client = WebClient(
                    certificates: try Descriptor.openForReading(FilePath(path))
                        .read(upTo: mostAuthorities))
            else { throw Errno.noMemory }
            try Sandbox.enter(limits, except: .network)
            StandardError.discard()
            guard let packet = try WorkerSocket.receive(capacity: FetchProtocol.packetSize) else {
                return 0
            }
            let request = try FetchProtocol.decodeRequest(packet.bytes)
            let (bytes, descriptors) = FetchProtocol.encode(
                PictureFetch(client, policy).message(for: request))
            try WorkerSocket.send(bytes, descriptors: descriptors)
            return 0
        } catch let failure as Sandbox.Failure {
            StandardError.print("\(name): no sandbox: \(failure)")
            return 1
        } catch {
            StandardError.print("\(name): \(error)")
            return 1
        }
    }
}

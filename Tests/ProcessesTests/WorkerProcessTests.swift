// SPDX-License-Identifier: MIT

import Processes
import SystemPackage
import TestSupport
import Testing

/// A child process that may have been taken over.
@Suite(.serialized) struct WorkerProcessTests {
    @Test func `descriptors in an empty packet are not kept`() async throws {
        let before = Self.descriptorCount
        // An empty packet cannot be told from the end of the child.
        let worker = try WorkerProcess(
            path: "/usr/bin/python3",
            arguments: [
                "-c",
                """
                import array, socket
                end = socket.socket(fileno=3)
                numbers = array.array("i", [0, 1, 2])
                end.sendmsg([b""], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)])
                end.recv(1)
                """,
            ])
        let reception = try worker.receive(capacity: 16, timeout: .seconds(60))
        worker.end()
        guard case .ended = reception else {
            Issue.record("\(reception)")
            return
        }
        try await eventually("end of the descriptors", within: .seconds(5)) {
            Self.descriptorCount <= before
        }
    }

    /// How many descriptors this process has open.
    private static var descriptorCount: Int { names(in: "/proc/self/fd").count }
}

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

    @Test func `the time that a thread waits for a processor counts like that of the first`()
        async throws
    {
        // The first thread sleeps; another one shares a processor with a process that is always busy.
        let worker = try WorkerProcess(
            path: "/usr/bin/python3",
            arguments: [
                "-c",
                """
                import hashlib, os, threading
                os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
                parent = os.getpid()
                if os.fork() == 0:
                    while os.getppid() == parent: pass
                    os._exit(0)
                data = bytes(1 << 20)
                def work():
                    while True: hashlib.sha256(data)
                threading.Thread(target=work).start()
                os.read(3, 1)
                os._exit(0)
                """,
            ])
        try await eventually("the wait") { worker.processorWait > .milliseconds(500) }
        worker.end()
    }

    /// How many descriptors this process has open.
    private static var descriptorCount: Int { names(in: "/proc/self/fd").count }
}

// SPDX-License-Identifier: MIT

import Processes
import Synchronization
import SystemPackage

/// Starts the decoder processes of one program.
///
/// The program is started once and forked for each process; see ``Processes/WorkerTemplate``.
final class DecoderTemplate: Sendable {
    private let program: FilePath
    private let timeout: Duration
    private let template = Mutex<WorkerTemplate?>(nil)

    /// - Parameter timeout: The time limit for the start of a process, which loads libraries.
    init(_ program: FilePath, timeout: Duration) {
        self.program = program
        self.timeout = timeout
    }

    /// Starts a process that is in its sandbox and has done nothing yet.
    ///
    /// - Returns: Nil if the program cannot be started, has no sandbox, or is of another version.
    func start() -> DecoderProcess? {
        // Twice, because the template may have been killed since it was used last.
        start(once: ()) ?? start(once: ())
    }

    private func start(once: Void) -> DecoderProcess? {
        let worker: WorkerProcess? = template.withLock { template in
            if template == nil, let process = Self.greeted(Self.begin(program), timeout) {
                template = WorkerTemplate(process)
            }
            do throws(Errno) {
                return try template?.startWorker(within: timeout)
            } catch {
                template.take()?.end()
                return nil
            }
        }
        guard let ready = Self.greeted(worker, timeout) else { return nil }
        return DecoderProcess(ready)
    }

    /// Ends the template; it is started again when it is needed.
    func end() {
        template.withLock { $0.take() }?.end()
    }

    /// Gives a decoder its memory in large pages, which the kernel provides sooner.
    ///
    /// - Source: mallopt(3) and the manual of the GNU C library, "Tunables".
    private static let environment = ["GLIBC_TUNABLES=glibc.malloc.hugetlb=1"]

    private static func begin(_ program: FilePath) -> WorkerProcess? {
        do {
            return try WorkerProcess(path: program, environment: environment)
        } catch {
            // Every job reports that there is no decoder; there is no more to say.
            return nil
        }
    }

    /// Returns the process if it says that it is ready and of our version.
    private static func greeted(
        _ process: consuming WorkerProcess?, _ timeout: Duration
    ) -> WorkerProcess? {
        guard let process else { return nil }
        // An error of the socket means that the process has ended.
        if case .packet(let packet)? = try? process.receive(
            capacity: DecoderProtocol.packetSize, timeout: timeout),
            packet.bytes == DecoderProtocol.greeting, packet.descriptors.isEmpty
        {
            return process
        }
        process.end()
        return nil
    }
}

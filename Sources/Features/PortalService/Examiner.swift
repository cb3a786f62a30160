// SPDX-License-Identifier: MIT

import Files
import Processes

/// Examines processes on dedicated threads.
///
/// A hostile process can make reading its files block (its root may be a FUSE mount), so each
/// examination has a time-out and the number of threads is limited.
actor Examiner {
    private static let timeout = Duration.seconds(10)
    private static let mostThreads = 16

    private let examination: ProcessExamination
    private var threads = 0

    init(_ examination: ProcessExamination) {
        self.examination = examination
    }

    /// Finds out which app a process belongs to.
    ///
    /// - Throws: ``ProcessExamination/Denial``, also if the examination takes too long.
    func identity(
        of processID: Int32, handle: Descriptor?
    ) async throws(ProcessExamination.Denial) -> AppIdentity {
        guard threads < Self.mostThreads else {
            throw ProcessExamination.Denial("too many processes are being examined")
        }
        threads += 1
        typealias Finding = Result<AppIdentity, ProcessExamination.Denial>
        let (findings, found) = AsyncStream<Finding>.makeStream()
        DedicatedThread.start(named: "identity") { [examination] in
            found.yield(
                Finding { () throws(ProcessExamination.Denial) in
                    try examination.identity(of: processID, handle: handle)
                })
            Task { await self.threadEnded() }
        }
        let clock = Task {
            // Cancelled once there is a result; a value yielded after that is ignored.
            try? await Task.sleep(for: Self.timeout)
            found.yield(.failure(ProcessExamination.Denial("examining the process took too long")))
        }
        defer { clock.cancel() }
        for await finding in findings { return try finding.get() }
        throw ProcessExamination.Denial("the examination was cancelled")
    }

    private func threadEnded() {
        threads -= 1
    }
}

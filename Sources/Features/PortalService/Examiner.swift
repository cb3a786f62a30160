// SPDX-License-Identifier: MIT

import Files
import Processes
import SDBus

/// Examines processes on dedicated threads.
///
/// A hostile process can make reading its files block (its root may be a FUSE mount), so each
/// examination has a time-out, and the number of threads is limited. A process with many
/// connections, like the bus proxy of a sandbox, has one thread at a time. A thread that is slow leaves
/// its turn to another process.
@BusActor
final class Examiner {
    private static let timeout = Duration.seconds(10)
    private static let slowness = Duration.milliseconds(500)

    private let examination: ProcessExamination
    private let threads = Turns<Int32>(total: 256)
    private let turns = Turns<Int32>(total: 16)

    init(_ examination: ProcessExamination) {
        self.examination = examination
    }

    /// Finds out which app a process belongs to.
    ///
    /// - Throws: ``ProcessExamination/Denial``, also if the examination takes too long.
    func identity(
        of processID: Int32, handle: Descriptor?
    ) async throws(ProcessExamination.Denial) -> AppIdentity {
        try await examine(processID) { examination throws(ProcessExamination.Denial) in
            try examination.identity(of: processID, handle: handle)
        }
    }

    /// Finds out whether an app can use the network; see ``ProcessExamination/hasNetwork(_:processID:)``.
    func hasNetwork(
        _ app: AppIdentity, _ processID: Int32
    ) async throws(ProcessExamination.Denial) -> Bool {
        try await examine(processID) { examination throws(ProcessExamination.Denial) in
            try examination.hasNetwork(app, processID: processID)
        }
    }

    private func examine<Value: Sendable>(
        _ processID: Int32,
        _ body: @escaping @Sendable (ProcessExamination) throws(ProcessExamination.Denial) -> Value
    ) async throws(ProcessExamination.Denial) -> Value {
        typealias Finding = Result<Value, ProcessExamination.Denial>
        let (findings, found) = AsyncStream<Finding>.makeStream()
        let work = Task {
            guard let thread = await threads.take(processID),
                let turn = await turns.take(processID)
            else { return }
            // The turn ends with the thread or after this time, whichever comes first.
            let slow = Deadlines.shared.add(after: Self.slowness) { _ = turn }
            DedicatedThread.start(named: "identity") { [examination] in
                found.yield(
                    Finding { () throws(ProcessExamination.Denial) in
                        try body(examination)
                    })
                Deadlines.shared.remove(slow)
                // It may end long after the time-out.
                withExtendedLifetime(thread) {}
            }
        }
        let deadline = Deadlines.shared.add(after: Self.timeout) {
            found.yield(.failure(ProcessExamination.Denial("examining the process took too long")))
        }
        defer {
            work.cancel()
            Deadlines.shared.remove(deadline)
        }
        for await finding in findings { return try finding.get() }
        throw ProcessExamination.Denial("the examination was cancelled")
    }
}

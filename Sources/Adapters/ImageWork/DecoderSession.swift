// SPDX-License-Identifier: MIT

package import Files
import Synchronization

/// Decoder processes for one file that an app receives.
///
/// They have seen no other file, so no other file can have spoilt them, and they see none afterwards.
package final class DecoderSession: Sendable {
    private let pool: DecoderPool
    let client: String
    let pictures = ReservedProcess()
    let heif = ReservedProcess()
    let rare = ReservedProcess()
    let videos = ReservedProcess()

    init(_ pool: DecoderPool, client: String) {
        self.pool = pool
        self.client = client
    }

    /// See ``DecoderPool/revision``.
    package var revision: String { pool.revision }

    /// Has a decoder of this session do a job; see ``DecoderPool/run(_:on:priority:client:origin:)``.
    package func run<Job: DecoderJob>(
        _ job: Job, on file: Descriptor
    ) async throws(DecodeError) -> Job.Reply {
        try await pool.run(job, on: file, in: self)
    }
}

/// A place for one decoder process, which ends together with the place.
final class ReservedProcess: Sendable {
    private let process = Mutex<DecoderProcess?>(nil)

    func take() -> DecoderProcess? {
        process.withLock { $0.take() }
    }

    func keep(_ process: consuming DecoderProcess) {
        var process = Optional(process)
        self.process.withLock { $0 = process.take() }
    }

    deinit {
        // Whoever releases a session last may be on one of the few threads of Swift's pool.
        take()?.endElsewhere()
    }
}

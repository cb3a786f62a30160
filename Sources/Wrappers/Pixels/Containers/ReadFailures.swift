// SPDX-License-Identifier: MIT

internal import CCodecs
import Synchronization

/// Reads that failed because of the disk, anywhere in this process.
///
/// Parsers and codecs take a file that cannot be read for one that is shorter, and do what they can.
/// But the disk may have failed for a moment only: what they made is not what the file contains, and a
/// location that they did not find may be there. So whoever passes a result on asks here first.
package enum ReadFailures {
    private static let hasFailed = Atomic(false)
    private static let others = Mutex<[@Sendable () -> Bool]>([])

    /// Asks a library that reads files by itself, too.
    ///
    /// - Parameter take: Returns whether a read has failed since its last call.
    package static func add(_ take: @escaping @Sendable () -> Bool) {
        others.withLock { $0.append(take) }
    }

    /// Notes that a read has failed.
    static func note() {
        hasFailed.store(true, ordering: .relaxed)
    }

    /// Whether a read has failed since the last call.
    package static func take() -> Bool {
        let failures =
            [hasFailed.exchange(false, ordering: .relaxed), pp_take_read_failure() != 0]
            + others.withLock { $0 }.map { $0() }
        return failures.contains(true)
    }
}

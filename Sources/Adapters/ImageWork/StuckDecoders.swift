// SPDX-License-Identifier: MIT

import Files
import Synchronization

/// Counts the decoder processes that were killed while they read a file, by the file's disk.
///
/// A process that reads from a disk which does not answer cannot be ended, and keeps its memory. So few
/// may wait for one disk; files on other disks go on being decoded.
final class StuckDecoders: Sendable {
    /// The most processes that may wait for one disk.
    private static let most = 4

    private let counts = Mutex<[UInt64: Int]>([:])

    /// Whether as many processes wait for the disk of this file as may.
    func isDiskGivenUp(of file: Descriptor) -> Bool {
        guard let device = file.knownFacts?.device else { return false }
        return counts.withLock { $0[device, default: 0] >= Self.most }
    }

    /// Ends a process that did not answer, and counts it until it is gone.
    func end(_ process: consuming DecoderProcess, of file: Descriptor) {
        guard let device = file.knownFacts?.device else { return process.end() }
        counts.withLock { $0[device, default: 0] += 1 }
        process.end { [self] in
            counts.withLock { counts in
                let count = counts[device, default: 1] - 1
                counts[device] = count > 0 ? count : nil
            }
        }
    }
}

// SPDX-License-Identifier: MIT

import Synchronization
package import SystemPackage

/// Files that this process holds record locks on, and must therefore not open in any other way.
///
/// When a process closes a descriptor of a file, it loses all of its record locks on that file, also
/// those that it took with other descriptors. SQLite protects the memory that it shares with other
/// processes by such locks.
///
/// ``Descriptor/openForReading(_:)`` refuses these files, whatever name they have, as long as this
/// object exists.
///
/// - Source: fcntl(2), “Advisory record locking”.
package final class LockedFiles: Sendable {
    /// The files, and how many objects protect each of them; locks belong to the whole process.
    private static let counts = Mutex<[FileIdentity: Int]>([:])

    private let files: [FileIdentity]

    /// Protects the files that exist among these.
    package init(_ paths: [FilePath]) {
        let files = paths.compactMap { FileIdentity(of: $0) }
        self.files = files
        Self.counts.withLock { counts in
            for file in files { counts[file, default: 0] += 1 }
        }
    }

    deinit {
        Self.counts.withLock { counts in
            for file in files {
                guard let count = counts[file], count > 1 else {
                    counts[file] = nil
                    continue
                }
                counts[file] = count - 1
            }
        }
    }

    /// Whether there are any such files.
    static var exist: Bool { counts.withLock { !$0.isEmpty } }

    static func contain(_ file: FileIdentity) -> Bool {
        counts.withLock { $0[file] != nil }
    }
}

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

    /// The files, without locks of their own; as long as they are held, no new file gets the number of one
    /// that was deleted, and is refused in its place.
    private let places: [Place]

    private var files: [FileIdentity] { places.map { FileIdentity($0.information) } }

    /// Protects the files that exist among these.
    package init(_ paths: [FilePath]) {
        places = paths.compactMap { try? Place($0) }
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

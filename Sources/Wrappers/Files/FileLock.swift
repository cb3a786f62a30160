// SPDX-License-Identifier: MIT

internal import Glibc
package import SystemPackage

/// A lock of a file that other programs of ours see, held until this object is released or the
/// process ends.
///
/// - Source: flock(2).
package final class FileLock: Sendable {
    private let file: Descriptor

    /// Locks a file, which is made if it is missing; nil if another lock is held.
    ///
    /// - Throws: `Errno`, for example if there is no such folder.
    /// - Isolation: any thread; does not wait for the other one.
    package init?(_ path: FilePath) throws(Errno) {
        file = try withErrno {
            Descriptor(
                owning: try FileDescriptor.open(
                    path, .readWrite, options: [.create, .closeOnExec, .noFollow],
                    permissions: .ownerReadWrite))
        }
        guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw Errno(rawValue: errno) }
            return nil
        }
    }

    /// Whether somebody holds the lock of a file.
    ///
    /// - Isolation: any thread.
    package static func isHeld(_ path: FilePath) -> Bool {
        guard (try? path.stat()) != nil else { return false }
        // If that cannot be found out, nobody should rely on the contrary.
        do { return try FileLock(path) == nil } catch { return true }
    }
}

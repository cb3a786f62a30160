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
        guard let file = try Self.locked(path) else { return nil }
        self.file = file
    }

    /// Locks an open file; nil if another lock is held.
    ///
    /// - Isolation: any thread; does not wait for the other one.
    package init?(_ file: Descriptor) throws(Errno) {
        guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw Errno(rawValue: errno) }
            return nil
        }
        self.file = file
    }

    private static func locked(_ path: FilePath) throws(Errno) -> Descriptor? {
        while true {
            let file = try withErrno {
                Descriptor(
                    owning: try FileDescriptor.open(
                        path, .readWrite, options: [.create, .closeOnExec, .noFollow],
                        permissions: .ownerReadWrite))
            }
            guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
                guard errno == EWOULDBLOCK else { throw Errno(rawValue: errno) }
                return nil
            }
            // It may have been removed before it was locked.
            let named = (try? path.stat()).map { FileIdentity($0) }
            if named == FileIdentity(try file.information()) { return file }
        }
    }
}

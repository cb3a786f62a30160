// SPDX-License-Identifier: MIT

internal import CShims
import Glibc
package import SystemPackage

/// Writing files so that a reader sees the old content or the new, never a part.
package enum AtomicFile {
    /// Writes a file under a temporary name in the same folder, then renames it into place.
    ///
    /// On failure the old file, if any, is as it was and no temporary file stays behind.
    ///
    /// - Parameters:
    ///   - bytes: The whole content.
    ///   - path: Where it appears; its folder must exist.
    ///   - permissions: Those of the file, the umask not applied.
    ///   - durably: Whether the content is on disk before the name is, so that a power
    ///     failure leaves the old content or the new, never an empty file.
    /// - Throws: `Errno`, for example `.noSpace`, `.readOnlyFileSystem`, `.permissionDenied`.
    /// - Isolation: any thread; blocks for the write.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to path: FilePath,
        permissions: FilePermissions = .ownerReadWrite,
        durably: Bool = false
    ) throws(Errno) {
        var template = path.removingLastComponent().appending(".photo-portal-XXXXXX")
            .withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1)) }
        let rawValue = pp_make_temporary(&template)
        guard rawValue >= 0 else { throw Errno(rawValue: errno) }
        let temporary = FilePath(platformString: template)
        let file = Descriptor(owning: FileDescriptor(rawValue: rawValue))
        do throws(Errno) {
            try withErrno { _ = try file.fileDescriptor.writeAll(bytes) }
            guard fchmod(rawValue, permissions.rawValue) == 0 else { throw Errno(rawValue: errno) }
            if durably, fsync(rawValue) != 0 { throw Errno(rawValue: errno) }
            try rename(temporary, to: path)
        } catch {
            temporary.withPlatformString { _ = unlink($0) }
            throw error
        }
    }

    /// Renames a file over whatever has the new name.
    ///
    /// - Source: rename(2).
    package static func rename(_ old: FilePath, to new: FilePath) throws(Errno) {
        let result = old.withPlatformString { old in
            new.withPlatformString { new in Glibc.rename(old, new) }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    /// Removes a file; one that is not there is not an error.
    package static func remove(_ path: FilePath) throws(Errno) {
        guard path.withPlatformString({ unlink($0) }) == 0 || errno == ENOENT else {
            throw Errno(rawValue: errno)
        }
    }
}

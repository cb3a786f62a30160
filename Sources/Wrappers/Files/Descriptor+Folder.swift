// SPDX-License-Identifier: MIT

internal import CFiles
import Glibc
package import SystemPackage

extension Descriptor {
    /// Opens a folder, so that what it holds stays the same whatever becomes of its path.
    ///
    /// - Parameter followsLink: Whether the path itself may be a link.
    /// - Throws: `Errno` of open(2), `.notDirectory` for anything else.
    package static func openFolder(
        _ path: FilePath, followsLink: Bool = true
    ) throws(Errno) -> Descriptor {
        var options: FileDescriptor.OpenOptions = [
            .closeOnExec, .nonBlocking, .directory, .noControllingTerminal,
        ]
        if !followsLink { options.insert(.noFollow) }
        return try withErrno {
            let opened = try FileDescriptor.open(path, .readOnly, options: options)
            return Descriptor(owning: opened)
        }
    }

    /// Opens a folder of this folder; a link is not followed.
    ///
    /// - Throws: `Errno` of openat(2), `.notDirectory` for anything else, also for a link.
    package func openFolder(_ name: FilePath.Component) throws(Errno) -> Descriptor {
        let opened = name.withPlatformString {
            openat(rawValue, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY)
        }
        guard opened >= 0 else { throw Errno(rawValue: errno) }
        return Descriptor(owning: FileDescriptor(rawValue: opened))
    }

    /// What fstatat(2) says about a name of this folder; of a link, not of what it leads to.
    package func information(on name: FilePath.Component) throws(Errno) -> Stat {
        var information = CInterop.Stat()
        let result = name.withPlatformString {
            fstatat(rawValue, $0, &information, AT_SYMLINK_NOFOLLOW)
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
        return Stat(rawValue: information)
    }

    /// Removes a file of this folder, or a link, but not what it leads to.
    ///
    /// - Throws: `Errno` of unlinkat(2); a file that does not exist is no error.
    package func removeFile(_ name: FilePath.Component) throws(Errno) {
        try remove(name, flags: 0)
    }

    /// Removes an empty folder of this folder.
    ///
    /// - Throws: `Errno` of unlinkat(2); a folder that does not exist is no error.
    package func removeFolder(_ name: FilePath.Component) throws(Errno) {
        try remove(name, flags: AT_REMOVEDIR)
    }

    private func remove(_ name: FilePath.Component, flags: CInt) throws(Errno) {
        let result = name.withPlatformString { unlinkat(rawValue, $0, flags) }
        guard result == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
    }

    /// A path that leads to this open folder in this process, whatever becomes of its name.
    ///
    /// - Source: proc(5), `/proc/PID/fd`.
    package var ownPath: FilePath { FilePath(ownName) }

    /// Whether this folder has an entry with a name; broken links are none.
    ///
    /// - Source: faccessat(2).
    package func contains(_ name: FilePath.Component) -> Bool {
        name.withPlatformString { faccessat(rawValue, $0, F_OK, 0) == 0 }
    }

    /// Writes the names of this folder to the disk, so that they survive a loss of power.
    ///
    /// - Source: fsync(2).
    package func synchronize() throws(Errno) {
        guard fsync(rawValue) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Whether the kernel makes up the files of this folder, as in `/proc`; false if that is unknown.
    ///
    /// - Source: statfs(2).
    package var isInPseudoFileSystem: Bool { pp_is_pseudo_file_system(rawValue) != 0 }

    /// Opens a file of this folder for reading; see ``openForReading(_:)``.
    ///
    /// - Throws: `Errno` of openat(2).
    package func openForReading(in name: String) throws(Errno) -> Descriptor {
        if LockedFiles.exist { return try Place(name, in: self).openForReading() }
        let opened = openat(
            rawValue, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard opened >= 0 else { throw Errno(rawValue: errno) }
        return Descriptor(owning: FileDescriptor(rawValue: opened))
    }
}

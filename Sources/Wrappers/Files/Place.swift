// SPDX-License-Identifier: MIT

internal import CFiles
import Glibc
package import SystemPackage

/// A file or folder that was looked up, but not opened.
///
/// Nothing is read, no device notices it, and no record lock is lost. It stays the same file, whatever
/// becomes of its names, so that a check of the place holds for the file that is opened afterwards.
///
/// - Source: open(2), `O_PATH`.
package struct Place: Sendable {
    private let descriptor: Descriptor
    package let information: Stat

    /// Looks up a path, with links followed.
    ///
    /// - Throws: `Errno` of open(2).
    /// - Isolation: any thread; blocks as long as the file system does.
    package init(_ path: FilePath) throws(Errno) {
        try self.init(path.withPlatformString { pp_open_place(AT_FDCWD, $0) })
    }

    /// Looks up a name in a folder, with links followed.
    package init(_ name: FilePath.Component, in folder: Descriptor) throws(Errno) {
        try self.init(name.withPlatformString { pp_open_place(folder.rawValue, $0) })
    }

    init(_ name: String, in folder: Descriptor) throws(Errno) {
        try self.init(pp_open_place(folder.rawValue, name))
    }

    private init(_ opened: CInt) throws(Errno) {
        guard opened >= 0 else { throw Errno(rawValue: errno) }
        descriptor = Descriptor(owning: FileDescriptor(rawValue: opened))
        information = try descriptor.information()
    }

    /// The path with links resolved; nil if it has none.
    package var path: FilePath? { descriptor.resolvedPath }

    /// - Throws: `Errno` of chmod(2).
    package func setPermissions(_ permissions: FilePermissions) throws(Errno) {
        guard chmod(descriptor.ownName, permissions.rawValue) == 0 else {
            throw Errno(rawValue: errno)
        }
    }

    /// Opens the file for reading; see ``Descriptor/openForReading(_:)``.
    ///
    /// - Throws: `Errno` of open(2); `.permissionDenied` also for ``LockedFiles``.
    package func openForReading() throws(Errno) -> Descriptor {
        guard !LockedFiles.contain(FileIdentity(information)) else { throw .permissionDenied }
        let opened = open(descriptor.ownName, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard opened >= 0 else { throw Errno(rawValue: errno) }
        return Descriptor(owning: FileDescriptor(rawValue: opened))
    }
}

// SPDX-License-Identifier: MIT

internal import CFiles
import Glibc
package import SystemPackage

/// Writing files so that a reader sees the old content or the new, never a part.
package enum AtomicFile {
    /// Writes a file under a temporary name in the same folder, then renames it into place.
    ///
    /// On failure the old file, if any, is unchanged and the temporary file is removed.
    ///
    /// - Parameters:
    ///   - bytes: The whole content.
    ///   - path: Where it appears; its folder must exist.
    ///   - permissions: The permissions of the file; the umask is not applied.
    ///   - durably: Whether the content is on disk before the name is, so that a power
    ///     failure leaves the old content or the new, never an empty file.
    ///   - replaces: Whether it replaces a file that has the name already.
    /// - Throws: `Errno`, for example `.noSpace`, `.readOnlyFileSystem`, `.permissionDenied`; and
    ///   `.fileExists` for a name that is taken, if it does not replace files.
    /// - Isolation: any thread; blocks for the write.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to path: FilePath,
        permissions: FilePermissions = .ownerReadWrite,
        durably: Bool = false, replaces: Bool = true
    ) throws(Errno) {
        try make(path, permissions, durably: durably, replaces: replaces) { file throws(Errno) in
            try withErrno { _ = try file.fileDescriptor.writeAll(bytes) }
        }
    }

    /// Copies a file in the same way, with some of its bytes replaced.
    ///
    /// Where the file system supports it, the copy shares the blocks of the original.
    ///
    /// - Parameters:
    ///   - source: An open file; its position is neither used nor changed.
    ///   - replacements: New bytes, and the offset of the bytes they replace.
    ///   - isCancelled: Asked again and again while a large file is copied.
    /// - Throws: `Errno`, also `.invalidArgument` for a replacement that reaches beyond the end,
    ///   and `.canceled`.
    package static func copy(
        _ source: Descriptor, to path: FilePath, permissions: FilePermissions = .ownerReadWrite,
        replacing replacements: [(offset: Int64, bytes: UnsafeRawBufferPointer)] = [],
        replaces: Bool = true, isCancelled: () -> Bool = { false }
    ) throws(Errno) {
        try make(path, permissions, durably: false, replaces: replaces) { file throws(Errno) in
            let count = try FileCopy(of: source, to: file).run(atMost: .max, isCancelled)
            for (offset, bytes) in replacements {
                guard (0...count).contains(offset), bytes.count <= count - offset else {
                    throw .invalidArgument
                }
                try withErrno {
                    _ = try file.fileDescriptor.writeAll(toAbsoluteOffset: offset, bytes)
                }
            }
        }
    }

    /// Copies a file into one that is empty, and makes sure that the copy is on the disk.
    ///
    /// For a file that has its name already; ``copy(_:to:permissions:replacing:replaces:isCancelled:)``
    /// makes one that is never seen incomplete.
    ///
    /// - Parameters:
    ///   - file: Open for writing.
    ///   - permissions: Those of the complete copy; the umask is not applied.
    ///   - limit: The most bytes; a file that grows as fast as it is read has no end.
    ///   - isCancelled: Asked again and again while a large file is copied.
    /// - Returns: How many bytes there are; more than the limit if the original has more.
    /// - Throws: `Errno`, also `.canceled`.
    /// - Isolation: any thread; blocks until the disk has the copy.
    package static func fill(
        _ file: Descriptor, from source: Descriptor, permissions: FilePermissions,
        atMost limit: Int64, isCancelled: () -> Bool
    ) throws(Errno) -> Int64 {
        let count = try FileCopy(of: source, to: file).run(atMost: limit, isCancelled)
        guard fchmod(file.rawValue, permissions.rawValue) == 0, fsync(file.rawValue) == 0 else {
            throw Errno(rawValue: errno)
        }
        try flush(file)
        return count
    }

    private static let temporaryPrefix = ".photo-portal-"
    /// How long a file without its final name may go without being written to, in seconds.
    ///
    /// After that, whoever wrote it was killed.
    package static let patience: Int64 = 60 * 60

    /// Removes the temporary files that killed programs of ours have left in a folder.
    ///
    /// Files that somebody may still be writing are kept, and so are all that have other names.
    ///
    /// - Throws: `Errno`; a folder that does not exist is not an error.
    /// - Isolation: any thread; blocks as long as the file system does.
    package static func removeLeftovers(in folder: FilePath) throws(Errno) {
        let listing: Directory.Listing
        do {
            // Others may have put anything there, and lots of it; it is not even looked at.
            listing = try Directory.listing(of: Descriptor.openFolder(folder)) { !isTemporary($0) }
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return
        }
        let now = Int64(time(nil))
        for entry in listing.entries where entry.information.type == .regular && !entry.isLink {
            guard now &- entry.information.modifiedSeconds > patience else { continue }
            try remove(folder.appending(entry.name))
        }
    }

    /// Whether a name is that of a file that has no final name yet.
    package static func isTemporary(_ name: FilePath.Component) -> Bool {
        let name = name.string
        return name.hasPrefix(temporaryPrefix)
            && name.utf8.count == temporaryPrefix.utf8.count + 6
    }

    private static func make(
        _ path: FilePath, _ permissions: FilePermissions, durably: Bool, replaces: Bool,
        _ fill: (Descriptor) throws(Errno) -> Void
    ) throws(Errno) {
        // A file without a name cannot replace another one.
        var draft = try Draft(in: path.removingLastComponent(), isNameless: !replaces)
        try fill(draft.file)
        try draft.name(path, permissions: permissions, durably: durably, replaces: replaces)
    }

    /// A file under a temporary name, which is removed unless it gets another one.
    package struct Draft: ~Copyable {
        fileprivate let file: Descriptor
        /// Nil for a file that has no name yet.
        private let temporary: FilePath?
        private var isNamed = false

        /// Makes an empty file that its owner alone can read.
        ///
        /// - Parameter isNameless: Whether the file has no name where the file system can do without, so
        ///   that a process that is killed leaves nothing. It can then get only a name that is not taken.
        /// - Throws: `Errno` of mkostemp(3).
        /// - Isolation: any thread; changes the folder.
        package init(in folder: FilePath, isNameless: Bool = false) throws(Errno) {
            if isNameless {
                let rawValue = folder.withPlatformString { pp_make_nameless($0) }
                if rawValue >= 0 {
                    file = Descriptor(owning: FileDescriptor(rawValue: rawValue))
                    temporary = nil
                    return
                }
            }
            var template = folder.appending(temporaryPrefix + "XXXXXX")
                .withPlatformString {
                    Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1))
                }
            let rawValue = pp_make_temporary(&template)
            guard rawValue >= 0 else { throw Errno(rawValue: errno) }
            temporary = FilePath(platformString: template)
            file = Descriptor(owning: FileDescriptor(rawValue: rawValue))
        }

        deinit {
            if !isNamed { temporary?.withPlatformString { _ = unlink($0) } }
        }

        /// Makes the file a copy of another one; see ``AtomicFile/copy(_:to:permissions:replacing:replaces:isCancelled:)``.
        package func fill(from source: Descriptor) throws(Errno) {
            _ = try FileCopy(of: source, to: file).run(atMost: .max) { false }
        }

        /// Replaces the whole content.
        package func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
            guard ftruncate(file.rawValue, 0) == 0 else { throw Errno(rawValue: errno) }
            try withErrno { _ = try file.fileDescriptor.writeAll(toAbsoluteOffset: 0, bytes) }
        }

        /// Replaces as many bytes as there are.
        ///
        /// - Throws: `Errno`, `.invalidArgument` beyond the end.
        package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Errno) {
            let size = try file.information().size
            guard (0...size).contains(offset), bytes.count <= size - offset else {
                throw .invalidArgument
            }
            try withErrno { _ = try file.fileDescriptor.writeAll(toAbsoluteOffset: offset, bytes) }
        }

        /// Opens the file anew, for somebody who must not change it.
        package func openForReading() throws(Errno) -> Descriptor {
            try Descriptor.openForReading(temporary ?? Self.path(of: file))
        }

        /// A file without a name, as the kernel shows it.
        private static func path(of file: Descriptor) -> FilePath {
            FilePath("/proc/self/fd/\(file.rawValue)")
        }

        /// Gives the file its name, once; after an error it can get another one.
        ///
        /// - Throws: `Errno`, `.fileExists` if the name is taken and is not to be replaced.
        /// - Isolation: any thread; blocks as long as the file system does.
        package mutating func name(
            _ path: FilePath, permissions: FilePermissions, durably: Bool = false, replaces: Bool
        ) throws(Errno) {
            guard fchmod(file.rawValue, permissions.rawValue) == 0 else {
                throw Errno(rawValue: errno)
            }
            if durably, fsync(file.rawValue) != 0 { throw Errno(rawValue: errno) }
            try flush(file)
            guard let temporary else {
                let isLinked = path.withPlatformString { path in
                    Self.path(of: file).withPlatformString {
                        linkat(AT_FDCWD, $0, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
                    }
                }
                guard isLinked else { throw Errno(rawValue: errno) }
                isNamed = true
                return
            }
            if replaces {
                try rename(temporary, to: path)
            } else {
                try rename(temporary, toNew: path)
            }
            isNamed = true
        }
    }

    /// Asks a file system that writes late, such as one in a network, whether it has room.
    ///
    /// - Source: close(2): errors of earlier writes are reported when any descriptor is closed.
    private static func flush(_ file: Descriptor) throws(Errno) {
        let copy = fcntl(file.rawValue, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0, close(copy) == 0 else { throw Errno(rawValue: errno) }
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

    /// Renames a file, unless there is one with the new name.
    ///
    /// - Throws: `Errno`, `.fileExists` if the name is taken.
    /// - Source: renameat2(2), or link(2) where the file system lacks that. Where it lacks both, there
    ///   is an empty file with the new name for a moment.
    package static func rename(_ old: FilePath, toNew new: FilePath) throws(Errno) {
        let result = old.withPlatformString { old in
            new.withPlatformString { new in pp_rename_to_new(old, new) }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    /// Removes a file.
    ///
    /// A file that does not exist is not an error.
    package static func remove(_ path: FilePath) throws(Errno) {
        guard path.withPlatformString({ unlink($0) }) == 0 || errno == ENOENT else {
            throw Errno(rawValue: errno)
        }
    }
}

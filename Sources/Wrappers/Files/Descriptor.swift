// SPDX-License-Identifier: MIT

internal import CFiles
import Glibc
import Synchronization
package import SystemPackage

/// An open file descriptor, closed with its last reference.
package final class Descriptor: Sendable {
    /// The borrowed number; valid as long as this object lives.
    package let fileDescriptor: FileDescriptor

    /// Closes the descriptor; nil if the thread of the last owner does.
    private let closer = Mutex<(@Sendable (FileDescriptor) -> Void)?>(nil)

    /// Takes ownership of an open descriptor.
    package init(owning fileDescriptor: FileDescriptor) {
        self.fileDescriptor = fileDescriptor
    }

    /// Has the descriptor closed elsewhere, where that may block.
    package func setCloser(_ close: @escaping @Sendable (FileDescriptor) -> Void) {
        closer.withLock { $0 = close }
    }

    deinit {
        if let close = closer.withLock({ $0 }) { return close(fileDescriptor) }
        // Linux closes the descriptor even when it reports an error, and nothing was written late.
        try? fileDescriptor.close()
    }

    /// The number as C calls take it.
    package var rawValue: CInt { fileDescriptor.rawValue }

    /// Opens a file for reading, never a terminal and never waiting for a FIFO's writer.
    ///
    /// - Throws: `Errno` of open(2), `.permissionDenied` also for ``LockedFiles``. A folder or a
    ///   device is not an error here; ask ``information()``.
    /// - Isolation: any thread; blocks as long as the file system does.
    package static func openForReading(_ path: FilePath) throws(Errno) -> Descriptor {
        if LockedFiles.exist { return try Place(path).openForReading() }
        return try withErrno {
            let opened = try FileDescriptor.open(
                path, .readOnly, options: [.closeOnExec, .nonBlocking, .noControllingTerminal])
            return Descriptor(owning: opened)
        }
    }

    /// Makes an empty file that its owner alone can read and write, and opens it for both.
    ///
    /// - Throws: `Errno` of open(2), `.fileExists` if the name is taken, even by a broken link.
    /// - Isolation: any thread; blocks as long as the file system does.
    package static func makeFile(_ path: FilePath) throws(Errno) -> Descriptor {
        try withErrno {
            let opened = try FileDescriptor.open(
                path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
            return Descriptor(owning: opened)
        }
    }

    /// Opens a file for a lock, which a file system in a network refuses to readers; a link is not
    /// followed.
    ///
    /// - Throws: `Errno` of open(2).
    /// - Isolation: any thread; blocks as long as the file system does.
    /// - Source: flock(2), "NFS details".
    package static func openForLocking(_ path: FilePath) throws(Errno) -> Descriptor {
        try withErrno {
            let opened = try FileDescriptor.open(
                path, .readWrite,
                options: [.closeOnExec, .nonBlocking, .noFollow, .noControllingTerminal])
            return Descriptor(owning: opened)
        }
    }

    /// Duplicates a descriptor that has another owner.
    ///
    /// - Source: fcntl(2), `F_DUPFD_CLOEXEC`.
    package static func duplicating(_ rawValue: CInt) throws(Errno) -> Descriptor {
        // The lowest number allowed is 3, so that a copy never becomes a standard stream.
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw Errno(rawValue: errno) }
        return Descriptor(owning: FileDescriptor(rawValue: copy))
    }

    /// The device and the last known size of the open file, without asking a disk that may not answer.
    ///
    /// - Source: statx(2), `AT_STATX_DONT_SYNC`.
    package var knownFacts: (device: UInt64, byteCount: Int64)? {
        var device: UInt64 = 0
        var size: Int64 = 0
        guard pp_known_facts(rawValue, &device, &size) == 0 else { return nil }
        return (device, size)
    }

    /// Returns what fstat(2) says about the open file.
    package func information() throws(Errno) -> Stat {
        try withErrno { try fileDescriptor.stat() }
    }

    /// The current size of the file; nil if it is unknown.
    package var byteCount: Int? {
        // Callers treat a file without a size as one that is too large.
        (try? information()).flatMap { Int(exactly: $0.size) }
    }

    /// Sets the time of the last change to now, which notes that the file was used.
    ///
    /// The file need not be open for writing, but we must own it.
    ///
    /// - Source: futimens(3).
    package func touch() throws(Errno) {
        guard futimens(rawValue, nil) == 0 else { throw Errno(rawValue: errno) }
    }

    /// The current path of the open file, with links resolved; nil if it was deleted.
    ///
    /// - Source: proc(5), `/proc/PID/fd`.
    package var path: FilePath? {
        // The name of a deleted file is followed by “ (deleted)”, which could also be part of a name.
        // A path that cannot be compared with the open file is not returned.
        guard let path = resolvedPath, let found = FileIdentity(of: path),
            let own = try? information(), found == FileIdentity(own)
        else { return nil }
        return path
    }

    /// The path that the kernel names for the open file, with links resolved.
    ///
    /// If the file was deleted, its last path, followed by “ (deleted)”. Nil if it has none.
    ///
    /// - Source: proc(5), `/proc/PID/fd`.
    package var resolvedPath: FilePath? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(ownName, &buffer, buffer.count - 1)
        guard count > 0, buffer[0] == CChar(bitPattern: UInt8(ascii: "/")) else { return nil }
        return FilePath(platformString: buffer)
    }

    /// The same file, opened again for reading, with a position of its own.
    ///
    /// Programs that are given one descriptor share its position.
    package func reopened() throws(Errno) -> Descriptor {
        try Descriptor.openForReading(FilePath(ownName))
    }

    /// Whether it is open for reading alone.
    package var isOpenForReading: Bool { fcntl(rawValue, F_GETFL) & O_ACCMODE == O_RDONLY }

    /// The name under which this process finds the open file, even if it has no other.
    var ownName: String { "/proc/self/fd/\(rawValue)" }

    /// Reads up to `count` bytes at an offset, fewer only at the end of the file.
    ///
    /// - Isolation: any thread; blocks as long as the file system does.
    /// - Source: pread(2).
    package func read(upTo count: Int, at offset: Int64 = 0) throws(Errno) -> [UInt8] {
        try withErrno {
            try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                while initialized < count {
                    let rest = UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized...])
                    let received = try fileDescriptor.read(
                        fromAbsoluteOffset: offset + Int64(initialized), into: rest)
                    if received == 0 { break }
                    initialized += received
                }
            }
        }
    }
}

extension FileDescriptor.OpenOptions {
    static var noControllingTerminal: Self { .init(rawValue: O_NOCTTY) }
}

/// Narrows the errors of swift-system, which throws only `Errno`, to that type.
package func withErrno<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
    do {
        return try body()
    } catch let error as Errno {
        throw error
    } catch {
        preconditionFailure("swift-system throws Errno only, not \(error)")
    }
}

extension Errno {
    /// Whether a disk is full, or the person's share of it.
    package var isLackOfSpace: Bool { self == .noSpace || self == .diskQuotaExceeded }

    /// Whether no file has the offset that was to be read, as with one that a damaged file names.
    package var isImpossibleOffset: Bool {
        self == .invalidArgument || self == .overflow
    }
}

// MARK: - Identity

extension Descriptor: Hashable {
    /// Two descriptors are equal if they are the same object, not if they refer to the same file.
    package static func == (left: Descriptor, right: Descriptor) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

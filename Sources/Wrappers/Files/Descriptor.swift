// SPDX-License-Identifier: MIT

import Glibc
package import SystemPackage

/// An open file descriptor, closed when its last reference goes.
package final class Descriptor: Sendable {
    /// The borrowed number; valid as long as this object lives.
    package let fileDescriptor: FileDescriptor

    /// Takes ownership of an open descriptor.
    package init(owning fileDescriptor: FileDescriptor) {
        self.fileDescriptor = fileDescriptor
    }

    deinit {
        try? fileDescriptor.close()
    }

    /// The number as C calls take it.
    package var rawValue: CInt { fileDescriptor.rawValue }

    /// Opens a file for reading, never a terminal and never waiting for a FIFO's writer.
    ///
    /// - Throws: `Errno` of open(2). A folder or a device is not an error here; ask
    ///   ``information()``.
    /// - Isolation: any thread; blocks as long as the file system does.
    package static func openForReading(_ path: FilePath) throws(Errno) -> Descriptor {
        try withErrno {
            let opened = try FileDescriptor.open(
                path, .readOnly, options: [.closeOnExec, .nonBlocking, .noControllingTerminal])
            return Descriptor(owning: opened)
        }
    }

    /// Duplicates a descriptor that somebody else owns.
    ///
    /// - Source: fcntl(2), `F_DUPFD_CLOEXEC`.
    package static func duplicating(_ rawValue: CInt) throws(Errno) -> Descriptor {
        // The lowest number allowed is 3, so that a copy never becomes a standard stream.
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw Errno(rawValue: errno) }
        return Descriptor(owning: FileDescriptor(rawValue: copy))
    }

    /// What fstat(2) tells of the open file.
    package func information() throws(Errno) -> Stat {
        try withErrno { try fileDescriptor.stat() }
    }

    /// The size of the file as it is now; nil when it cannot be told.
    package var byteCount: Int? {
        (try? information()).flatMap { Int(exactly: $0.size) }
    }

    /// Notes that the file was used: its time of change becomes now.
    ///
    /// It need not be open for writing, but must be ours.
    ///
    /// - Source: futimens(3).
    package func touch() throws(Errno) {
        guard futimens(rawValue, nil) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Where the open file is now, links followed; nil when it was deleted.
    ///
    /// - Source: proc(5), `/proc/PID/fd`.
    package var path: FilePath? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/fd/\(rawValue)", &buffer, buffer.count - 1)
        guard count > 0, buffer[0] == CChar(bitPattern: UInt8(ascii: "/")) else { return nil }
        let path = FilePath(platformString: buffer)
        // A deleted file keeps its name, with a remark behind it that is no part of a name here.
        guard let found = try? path.stat(), let own = try? information(),
            found.deviceID == own.deviceID, found.inode == own.inode
        else { return nil }
        return path
    }

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

/// Narrows the errors of swift-system, which throws nothing but `Errno`, to that type.
package func withErrno<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
    do {
        return try body()
    } catch let error as Errno {
        throw error
    } catch {
        preconditionFailure("swift-system throws Errno only, not \(error)")
    }
}

// MARK: - Identity

extension Descriptor: Hashable {
    /// Two are equal when they are the same descriptor, not when they lead to the same file.
    package static func == (left: Descriptor, right: Descriptor) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

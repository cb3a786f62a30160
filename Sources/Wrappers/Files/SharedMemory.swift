// SPDX-License-Identifier: MIT

internal import CFiles
import Glibc
package import SystemPackage

/// Memory of a fixed size that another process writes into.
///
/// Its bytes may change at any time: they can be shown, but nothing may depend on them.
package final class SharedMemory: Sendable {
    /// For the process that writes.
    package let file: Descriptor
    // Sound: nobody can shorten the file, and it is mapped read-only.
    nonisolated(unsafe) package let bytes: UnsafeRawBufferPointer

    /// Makes memory that is zero.
    ///
    /// - Parameters:
    ///   - name: What `/proc/PID/maps` shows; not unique.
    ///   - byteCount: 1 or more.
    /// - Throws: `Errno` of memfd_create(2), ftruncate(2) or mmap(2), for example `noMemory`.
    package init(named name: String, byteCount: Int) throws(Errno) {
        let file = Descriptor(owning: FileDescriptor(rawValue: pp_memory_file(name)))
        guard file.rawValue >= 0, ftruncate(file.rawValue, byteCount) == 0,
            pp_fix_size(file.rawValue) == 0,
            let start = mmap(nil, byteCount, PROT_READ, MAP_SHARED, file.rawValue, 0),
            start != MAP_FAILED
        else { throw Errno(rawValue: errno) }
        self.file = file
        bytes = UnsafeRawBufferPointer(start: start, count: byteCount)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }
}

/// ``SharedMemory`` of another process, to write into.
package struct WritableMemory: ~Copyable {
    package let bytes: UnsafeMutableRawBufferPointer

    /// - Parameter byteCount: The size of the memory, which its maker tells: a sandbox may not look.
    /// - Throws: `Errno`, `.permissionDenied` if somebody could shorten the file.
    package init(_ file: Descriptor, byteCount: Int) throws(Errno) {
        guard pp_has_fixed_size(file.rawValue) != 0 else { throw .permissionDenied }
        guard
            let start = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file.rawValue, 0),
            start != MAP_FAILED
        else { throw Errno(rawValue: errno) }
        bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }
}

// SPDX-License-Identifier: MIT

internal import CFiles
import Glibc
package import SystemPackage

/// Anonymous files that live in memory and travel between processes as descriptors.
package enum MemoryFile {
    /// Makes a file of exactly `byteCount` bytes, lets `fill` write them, and seals it.
    ///
    /// Once sealed, neither we nor a receiver can change, shorten or lengthen the file.
    ///
    /// - Parameters:
    ///   - name: What `/proc/PID/maps` shows; not unique.
    ///   - byteCount: The final size, 1 or more.
    ///   - fill: Writes the zeroed bytes; the buffer is valid only during the call.
    /// - Throws: `Errno` — of memfd_create(2), ftruncate(2) or mmap(2), for example
    ///   `noMemory`; or what `fill` throws.
    package static func make<Failure: Error>(
        named name: String, byteCount: Int,
        fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws -> Descriptor {
        let file = Descriptor(owning: FileDescriptor(rawValue: pp_memory_file(name)))
        guard file.rawValue >= 0 else { throw Errno(rawValue: errno) }
        guard ftruncate(file.rawValue, byteCount) == 0 else { throw Errno(rawValue: errno) }
        guard
            let start = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file.rawValue, 0),
            start != MAP_FAILED
        else { throw Errno(rawValue: errno) }
        do {
            // F_SEAL_WRITE is refused while a writable mapping exists.
            defer { munmap(start, byteCount) }
            try fill(UnsafeMutableRawBufferPointer(start: start, count: byteCount))
        }
        guard pp_seal_memory_file(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
        return file
    }

    /// Whether nobody can shorten, lengthen or change a file any more.
    package static func isSealed(_ file: Descriptor) -> Bool {
        pp_is_sealed(file.rawValue) != 0
    }

    /// Makes a sealed file that holds `bytes`.
    package static func make(named name: String, holding bytes: [UInt8]) throws -> Descriptor {
        try make(named: name, byteCount: bytes.count) { buffer in
            buffer.copyBytes(from: bytes)
        }
    }
}

/// A read-only view of a sealed memory file.
package final class MappedMemory: Sendable {
    // Sound: the file is sealed against writing and shrinking, and mapped read-only.
    nonisolated(unsafe) package let bytes: UnsafeRawBufferPointer

    /// Maps a whole file that came from a process we do not trust.
    ///
    /// - Throws: `Errno` — `.permissionDenied` if the file is not sealed, so that its
    ///   sender could still change it or its size; `.invalidArgument` if it is empty.
    package init(sealed file: Descriptor) throws(Errno) {
        guard MemoryFile.isSealed(file) else { throw .permissionDenied }
        let size = try file.information().size
        guard size > 0, let byteCount = Int(exactly: size) else { throw .invalidArgument }
        guard let start = mmap(nil, byteCount, PROT_READ, MAP_SHARED, file.rawValue, 0),
            start != MAP_FAILED
        else { throw Errno(rawValue: errno) }
        bytes = UnsafeRawBufferPointer(start: start, count: byteCount)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }
}

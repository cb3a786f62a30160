// SPDX-License-Identifier: MIT

import Glibc
package import SystemPackage

/// The first page of a file, mapped and written to: a further write changes no date of the file.
package final class MappedFile: Sendable {
    // Sound: the tests write and read single bytes, and another process reads them at any time anyway.
    nonisolated(unsafe) private let page: UnsafeMutableRawBufferPointer

    package init(_ path: FilePath) throws {
        let file = open(path.string, O_RDWR | O_CLOEXEC)
        defer { close(file) }
        guard file >= 0, let start = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
            start != MAP_FAILED
        else { throw Errno(rawValue: errno) }
        page = UnsafeMutableRawBufferPointer(start: start, count: 4096)
        page[0] = page[0]
    }

    deinit { munmap(page.baseAddress, page.count) }

    /// Replaces bytes of the file.
    ///
    /// - Parameter offset: Below 4096, with all bytes.
    package func write(_ bytes: [UInt8], at offset: Int) {
        UnsafeMutableRawBufferPointer(rebasing: page[offset..<offset + bytes.count])
            .copyBytes(from: bytes)
    }
}

/// A photo with a comment of spaces, behind which nothing moves when a place is written there.
package struct CommentedPhoto {
    package static let offset = 6
    package static let place = Array("48.858400, 2.294500".utf8)
    package static let spaces = [UInt8](repeating: 0x20, count: place.count)

    package let bytes: [UInt8]

    package init(_ photo: [UInt8]) {
        let comment = [0xFF, 0xFE, 0, 66] + [UInt8](repeating: 0x20, count: 64)
        bytes = photo.prefix(2) + comment + photo.dropFirst(2)
    }
}

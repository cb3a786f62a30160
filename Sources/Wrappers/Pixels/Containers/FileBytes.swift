// SPDX-License-Identifier: MIT

package import Files
import Glibc

/// The bytes of an open file, read where a parser asks for them.
///
/// The start of the file is kept, because headers are there; everything else is read anew. A
/// file that shrinks or grows meanwhile only looks shorter or longer.
package struct FileBytes: Sendable {
    private static let headSize = 16_384

    let file: Descriptor
    private let head: [UInt8]

    /// Reads the start of a file.
    ///
    /// - Throws: ``PixelError/unreadable``.
    package init(_ file: Descriptor) throws(PixelError) {
        self.file = file
        do {
            head = try file.read(upTo: Self.headSize)
        } catch {
            throw .unreadable
        }
    }

    /// The file as C calls take it.
    var number: CInt { file.rawValue }

    /// The first bytes, 16 KiB at the most.
    package var start: [UInt8] { head }

    /// Some bytes, or as many of them as there are.
    ///
    /// - Parameters:
    ///   - offset: From the start of the file.
    ///   - count: How many are wanted; the caller bounds it.
    package func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
        guard offset >= 0, count > 0 else { return [] }
        if offset < head.count, count <= head.count - offset {
            return head[offset..<offset + count]
        }
        guard head.count == Self.headSize else { return head.dropFirst(offset).prefix(count) }
        // What cannot be read is missing, as if the file were shorter.
        return (try? file.read(upTo: count, at: Int64(offset)))?[...] ?? []
    }
}

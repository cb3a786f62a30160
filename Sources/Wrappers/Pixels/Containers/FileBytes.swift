// SPDX-License-Identifier: MIT

package import Files

/// The bytes of an open file, read where a parser asks for them.
///
/// The start of the file is kept, because headers are there; everything else is read anew. A
/// file that shrinks or grows meanwhile only looks shorter or longer.
package struct FileBytes: Sendable {
    private static let headSize = 16_384

    let file: Descriptor
    /// The first bytes, 16 KiB at the most.
    package let start: [UInt8]
    let source: ByteSource

    /// Reads the start of a file.
    ///
    /// - Throws: ``PixelError/unreadable``.
    package init(_ file: Descriptor) throws(PixelError) {
        self.file = file
        do {
            start = try file.read(upTo: Self.headSize)
        } catch {
            throw .unreadable
        }
        source = ByteSource(start[...], rest: start.count == Self.headSize ? file : nil)
    }

    /// The file as C calls take it.
    var number: CInt { file.rawValue }

    /// Some bytes, or as many of them as there are.
    ///
    /// - Parameters:
    ///   - offset: From the start of the file.
    ///   - count: How many are wanted; the caller bounds it.
    package func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
        Block(self).bytes(at: offset, count: count)
    }
}

// SPDX-License-Identifier: MIT

package import Files

/// The bytes of an open file, read on demand.
///
/// The start of the file is kept in memory, because it contains headers; the rest is read each time. A
/// file that shrinks or grows meanwhile only seems shorter or longer.
package struct FileBytes: Sendable {
    private static let headSize = 16_384

    let file: Descriptor
    /// The first bytes, at most 16 KiB.
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

    /// The file in the form that C functions take.
    var number: CInt { file.rawValue }

    /// The size of the file, found by reading because a decoder may not ask for it.
    var end: Int {
        func exists(_ offset: Int) -> Bool { !bytes(at: offset, count: 1).isEmpty }
        guard exists(start.count) else { return start.count }
        var low = start.count
        var high = low * 2
        while exists(high), high < 1 << 50 {
            low = high
            high *= 2
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if exists(middle) { low = middle } else { high = middle }
        }
        return high
    }

    /// Some bytes, or as many of them as there are.
    ///
    /// - Parameters:
    ///   - offset: From the start of the file.
    ///   - count: The number of bytes; the caller limits it.
    package func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
        Block(self).bytes(at: offset, count: count)
    }
}

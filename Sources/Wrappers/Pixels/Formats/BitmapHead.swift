// SPDX-License-Identifier: MIT

import Photos

/// The start of a BMP file as gdk-pixbuf reads it: headers and colours, right before the pixels.
///
/// gdk-pixbuf takes what follows the colours for pixels. They may begin later, or before the last of the
/// colours that the header announces.
///
/// - Source: Microsoft, BITMAPFILEHEADER (`bfOffBits`), BITMAPCOREHEADER and BITMAPINFOHEADER; IBM,
///   BITMAPINFOHEADER2, which may end after any of its fields.
enum BitmapHead {
    private static let order = ByteReader.Order.littleEndian
    private static let coreSize = 12
    private static let shortestOS2 = 16
    private static let infoSize = 40

    /// What to read in place of the start of a file.
    ///
    /// - Returns: The headers and colours, and where the pixels begin in the file; nil if gdk-pixbuf
    ///   reads the file as it is.
    static func fitting(_ file: Block) -> (head: [UInt8], offset: Int)? {
        let header = file.reader(count: 54, order)
        guard let pixels = header.uint32(at: 10).map(Int.init),
            let size = header.uint32(at: 14).map(Int.init)
        else { return nil }
        if size == coreSize { return fitting(core: file, pixels) }
        if (shortestOS2..<infoSize).contains(size) { return fitting(short: file, size, pixels) }
        guard (infoSize...256).contains(size), let depth = header.uint16(at: 28) else { return nil }
        let start = 14 + size
        guard [1, 4, 8].contains(depth) else {
            // Three masks may follow the shortest header; colours are only a suggestion.
            let hasMasks = size == infoSize && header.uint32(at: 30) == 3
            let end = start + (hasMasks ? 12 : 0)
            guard [16, 24, 32].contains(depth), pixels > end else { return nil }
            return head(of: file, count: end, colours: 0).map { ($0, pixels) }
        }
        let most = 1 << Int(depth)
        let stated = header.uint32(at: 46).map(Int.init) ?? 0
        let announced = stated == 0 ? most : stated
        let room = (pixels - start) / 4
        // An offset that leaves no room for colours is wrong.
        let colours = min(announced, most, room > 0 ? room : most)
        let end = start + 4 * colours
        guard room <= 0 || colours != announced || end != pixels else { return nil }
        return head(of: file, count: end, colours: colours).map { ($0, max(pixels, end)) }
    }

    /// The first bytes of a file, with the number of colours and the offset of the pixels.
    private static func head(of file: Block, count: Int, colours: Int) -> [UInt8]? {
        var head = Array(file.bytes(count: count))
        guard head.count == count else { return nil }
        head.replaceSubrange(46..<50, with: order.bytes(of: colours, width: 4))
        head.replaceSubrange(10..<14, with: order.bytes(of: head.count, width: 4))
        return head
    }

    /// The oldest header has no number of colours; a newer one replaces it if there are fewer than
    /// possible.
    private static func fitting(core file: Block, _ pixels: Int) -> (head: [UInt8], offset: Int)? {
        let header = file.reader(count: 26, order)
        guard let width = header.uint16(at: 18), let height = header.uint16(at: 20),
            let depth = header.uint16(at: 24), [1, 4, 8].contains(depth)
        else { return nil }
        let colours = (pixels - 26) / 3
        guard colours > 0, colours < 1 << Int(depth) else { return nil }
        let palette = Array(file.bytes(at: 26, count: 3 * colours))
        guard palette.count == 3 * colours else { return nil }
        var info = order.bytes(of: infoSize, width: 4)
        for (number, width) in [(Int(width), 4), (Int(height), 4), (1, 2), (Int(depth), 2)] {
            info += order.bytes(of: number, width: width)
        }
        let entries = stride(from: 0, to: palette.count, by: 3).flatMap {
            palette[$0..<$0 + 3] + [0]
        }
        return (head(info, entries[...]), pixels)
    }

    /// Adds the fields that a short header lacks; they are 0.
    private static func fitting(
        short file: Block, _ size: Int, _ pixels: Int
    ) -> (head: [UInt8], offset: Int)? {
        guard let depth = file.uint16(at: 28, order), [1, 4, 8, 24].contains(depth),
            // The other methods are not those that the newer header has under these numbers.
            size < 20 || file.uint32(at: 30, order).map({ $0 < 3 }) == true
        else { return nil }
        let info = order.bytes(of: infoSize, width: 4) + file.bytes(at: 18, count: size - 4)
        let colours = depth == 24 ? 0 : min((pixels - 14 - size) / 4, 1 << Int(depth))
        guard info.count == size, colours >= 0 else { return nil }
        return (head(info, file.bytes(at: 14 + size, count: 4 * colours)), pixels)
    }

    /// A file header, a header that may lack fields, and colours of four bytes.
    private static func head(_ info: [UInt8], _ colours: some Collection<UInt8>) -> [UInt8] {
        let end = 14 + infoSize + colours.count
        var head = Array("BM".utf8) + [UInt8](repeating: 0, count: 8)
        head += order.bytes(of: end, width: 4) + info
        head += [UInt8](repeating: 0, count: 14 + infoSize - head.count) + colours
        head.replaceSubrange(46..<50, with: order.bytes(of: colours.count / 4, width: 4))
        return head
    }
}

// SPDX-License-Identifier: MIT

import Photos

/// What no reader needs of bitmaps, icons and PCX files: gaps, and bytes behind the picture.
///
/// They are left alone unless they tell a position, or the search has found something.
extension LocationEditor {
    /// - Source: Microsoft, “Bitmap Storage”: a file header of 14 bytes, another header, colours, pixels,
    ///   and perhaps a profile.
    mutating func editBitmap(_ file: Block) {
        guard let pixels = file.uint32(at: 10, .littleEndian).map(Int.init),
            let header = file.uint32(at: 14, .littleEndian).map(Int.init), header >= 40,
            let width = file.uint32(at: 18, .littleEndian).map(Self.magnitude),
            let height = file.uint32(at: 22, .littleEndian).map(Self.magnitude),
            let bits = file.uint16(at: 28, .littleEndian).map(Int.init),
            let compression = file.uint32(at: 30, .littleEndian),
            let stored = file.uint32(at: 34, .littleEndian).map(Int.init),
            let used = file.uint32(at: 46, .littleEndian).map(Int.init)
        else { return }
        let colours = bits <= 8 ? (used > 0 ? min(used, 256) : 1 << bits) : min(used, 256)
        // Masks of colours follow the shortest header.
        let masks = header == 40 && (compression == 3 || compression == 6) ? 16 : 0
        let table = 14 + header + masks + 4 * colours
        if table < pixels { editGap(file.dropFirst(table).prefix(pixels - table)) }
        guard let row = Self.product([width, bits]),
            let plain = Self.product([(row + 31) / 32, 4, height]), plain < 1 << 40
        else { return }
        let isPlain = [0, 3, 6].contains(compression)
        // Without a size, nobody knows where compressed pixels end.
        guard isPlain || stored > 0 else { return }
        var end = pixels + (isPlain ? plain : stored)
        if header >= 124, let offset = file.uint32(at: 126, .littleEndian).map(Int.init),
            let size = file.uint32(at: 130, .littleEndian).map(Int.init), offset > 0
        {
            end = max(end, 14 + offset + size)
            editProfile(file.dropFirst(14 + offset).prefix(size))
        }
        editGap(file.dropFirst(end))
    }

    private mutating func editGap(_ gap: Block) {
        if isStrict || PlaceText.tellsPosition(inData: bytes(gap)) { blank(gap) }
    }

    private static func magnitude(_ side: UInt32) -> Int { Int(Int32(bitPattern: side).magnitude) }

    /// - Source: ZSoft, “PCX Technical Reference Manual”: 54 bytes at the end of the header are unused.
    mutating func editPCX(_ file: Block) {
        editGap(file.dropFirst(74).prefix(54))
    }

    /// Overwrites what is between the known parts of a file, and behind them.
    mutating func blankGaps(of file: Block, between known: [Range<Int>]) {
        var end = 0
        for range in known.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > end { blank(file.dropFirst(end).prefix(range.lowerBound - end)) }
            end = max(end, range.upperBound)
        }
        blank(file.dropFirst(end))
    }
}

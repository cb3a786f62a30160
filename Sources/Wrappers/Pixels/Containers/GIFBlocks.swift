// SPDX-License-Identifier: MIT

import Photos

/// The blocks of a GIF file, up to its second frame.
struct GIFBlocks {
    /// The size of the canvas.
    private(set) var size: PixelSize?
    /// Whether there is a second frame.
    private(set) var isAnimated = false
    /// How often an animation is shown; nil for ever.
    private(set) var rounds: Int? = 1
    /// The XMP packet; if its end is missing, what begins with it.
    private(set) var xmp: Block?

    private let file: Block
    private var window: ArraySlice<UInt8> = []
    private var windowOffset = 0
    private var offset = 0

    private static let windowSize = 65_536
    /// The label of an application's extension, and the name of one with XMP, which is not divided into
    /// sub-blocks.
    ///
    /// - Source: XMP Specification Part 3, 1.1.2.
    private static let xmpExtension = [0xFF, 11] + Array("XMP DataXMP".utf8)
    /// The same of the one that tells how often an animation is repeated.
    ///
    /// - Source: Netscape Navigator 2.0, as everybody has read it since.
    private static let loopExtension = [0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
    private static let maximumPacket = 65_536
    /// The first bytes of those behind a packet that is not divided into sub-blocks: they lead each reader that
    /// takes characters for sizes to its end.
    static let xmpTrailer: [UInt8] = [0x01, 0xFF, 0xFE, 0xFD, 0xFC]
    static let xmpTrailerSize = 258
    /// How far to search for the second frame, because the first one may be large.
    private static let maximumOffset = 64 << 20

    /// Walks the blocks.
    ///
    /// - Source: GIF89a, 18 to 24.
    init(_ file: Block) {
        self.file = file
        let screen = file.reader(at: 6, count: 7, .littleEndian)
        guard let width = screen.uint16(at: 0), let height = screen.uint16(at: 2),
            let flags = screen.uint8(at: 4)
        else { return }
        size = PixelSize(width: Int(width), height: Int(height))
        offset = 13 + Self.tableSize(flags)
        walk()
    }

    private mutating func walk() {
        var frames = 0
        while let introducer = byte(), offset < Self.maximumOffset {
            switch introducer {
            case 0x21:
                // An extension: its label, then sub-blocks.
                let packet = offset + Self.xmpExtension.count
                let isXMP = xmp == nil && file.starts(with: Self.xmpExtension, at: offset)
                if isXMP { xmp = file.dropFirst(packet).prefix(Self.maximumPacket) }
                if file.starts(with: Self.loopExtension, at: offset) { readRounds() }
                offset += 1
                guard skipSubBlocks() else { return }
                let size = offset - packet - Self.xmpTrailerSize
                if isXMP, size >= 0,
                    file.starts(with: Self.xmpTrailer, at: packet + size)
                {
                    xmp = file.dropFirst(packet).prefix(size)
                }
            case 0x2C:
                frames += 1
                if frames > 1 {
                    isAnimated = true
                    return
                }
                guard skipFrame() else { return }
            default: return
            }
        }
    }

    /// Zero repetitions stand for any number.
    private mutating func readRounds() {
        let count = file.reader(
            at: offset + Self.loopExtension.count, count: 2, .littleEndian
        ).uint16(at: 0)
        guard let count else { return }
        rounds = count > 0 ? Int(count) + 1 : nil
    }

    /// Position, size, flags, a color table, the minimum code size, then sub-blocks.
    private mutating func skipFrame() -> Bool {
        let start = offset
        offset += 4
        guard let low = byte(), let high = byte(), let low2 = byte(), let high2 = byte(),
            let flags = byte()
        else { return false }
        if size?.isEmpty == true {
            size = PixelSize(
                width: Int(low) | Int(high) << 8, height: Int(low2) | Int(high2) << 8)
        }
        offset = start + 9 + Self.tableSize(flags) + 1
        return skipSubBlocks()
    }

    private mutating func skipSubBlocks() -> Bool {
        while offset < Self.maximumOffset, let count = byte() {
            if count == 0 { return true }
            offset += Int(count)
        }
        return false
    }

    private mutating func byte() -> UInt8? {
        if offset < windowOffset || offset - windowOffset >= window.count {
            window = file.bytes(at: offset, count: Self.windowSize)
            windowOffset = offset
        }
        guard offset - windowOffset < window.count else { return nil }
        defer { offset += 1 }
        return window[window.startIndex + offset - windowOffset]
    }

    /// The size of a color table in bytes, from the flags before it.
    private static func tableSize(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }
}

// SPDX-License-Identifier: MIT

/// Positions in data that need not be text.
extension PlaceText {
    /// A shorter run of characters holds no position.
    private static let shortestRun = 10

    /// Whether a run of characters in data tells coordinates, or names them.
    ///
    /// In random data, bytes that are no characters would often complete what looks like an angle: in two
    /// of a hundred blocks of 64 KiB.
    static func tellsPosition(inData bytes: [UInt8]) -> Bool {
        var start = 0
        var index = 0
        while index < bytes.count {
            let size = characterSize(at: index, in: bytes)
            if size > 0 {
                index += size
                continue
            }
            if index - start >= shortestRun, tellsPosition(bytes[start..<index]) { return true }
            index += 1
            start = index
        }
        return index - start >= shortestRun && tellsPosition(bytes[start..<index])
    }

    /// The number of bytes of a character in UTF-8, or of a mark behind a digit in another encoding; 0 if
    /// there is none.
    private static func characterSize(at index: Int, in bytes: [UInt8]) -> Int {
        let size: Int
        switch bytes[index] {
        // The zeros of UTF-16, too.
        case 0x00, 0x09, 0x0A, 0x0D, 0x20...0x7E: return 1
        case 0xC2...0xDF: size = 2
        case 0xE0...0xEF: size = 3
        case 0xF0...0xF4: size = 4
        default: size = 1
        }
        let rest = bytes[(index + 1)...].prefix(size - 1)
        if size > 1, rest.count == size - 1, rest.allSatisfy({ $0 & 0xC0 == 0x80 }) { return size }
        // The sign of degrees in Latin-1 and UTF-16.
        let isMark = bytes[index] >= 0xA0 && index > 0
        return isMark && (isDigit(bytes[index - 1]) || bytes[index - 1] == 0) ? 1 : 0
    }
}

// SPDX-License-Identifier: MIT

/// Where the frames of a GIF begin.
enum GIFFrame {
    /// An extension that says how a frame is shown: its introducer, label and size.
    private static let control: [UInt8] = [0x21, 0xF9, 0x04]
    /// That extension with its four bytes and its end.
    private static let controlSize = 8

    /// The offset of the next frame with such an extension, whatever precedes it; nil if there is none.
    ///
    /// - Source: GIF89a, 23 and 20.
    static func next(in bytes: ArraySlice<UInt8>, from offset: Int) -> Int? {
        var position = bytes.startIndex + offset
        while let found = bytes.firstIndex(of: control, from: position) {
            let rest = bytes[found...].dropFirst(controlSize - 1)
            if rest.starts(with: [0x00, 0x2C]) { return found - bytes.startIndex }
            position = found + 1
        }
        return nil
    }
}

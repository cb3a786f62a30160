// SPDX-License-Identifier: MIT

import Photos

/// Finds the video in the file of a motion photo, as phones with Android write it.
///
/// Whatever a file says, there is a video only where the bytes begin like one.
enum MotionVideo {
    /// The video of a JPEG, which follows the picture.
    ///
    /// - Parameters:
    ///   - xmp: The packet; nil if there is none.
    ///   - source: The EXIF data; nil if there is none.
    /// - Source: Android, “Motion Photo format 1.0”; for earlier phones, ExifTool's tables
    ///   `XMP::GCamera` and `Samsung::Trailer`.
    static func range(
        inJPEG file: FileBytes, xmp: ArraySlice<UInt8>?, _ source: EXIFSource?
    ) -> Range<Int64>? {
        if let length = xmp.flatMap(statedLength) {
            let end = file.end
            if let range = range(of: Block(file).prefix(end).dropFirst(end - length)) {
                return range
            }
        }
        guard source?.main.text(Tag.make)?.lowercased() == "samsung" else { return nil }
        let trailer = SamsungTrailer(Block(file).prefix(file.end))
        return trailer?.blocks.first { $0.type == SamsungTrailer.motionPhoto }
            .flatMap { range(of: $0.content) }
    }

    /// The video of a HEIF picture, in a box of its own.
    ///
    /// - Source: Android, “Motion Photo format 1.0”, “HEIC”.
    static func range(inHEIF file: FileBytes) -> Range<Int64>? {
        ISOBox.content(of: "mpvd", in: Block(file)).flatMap { range(of: $0) }
    }

    /// The bytes of the video at the start of a block; nil if there is none.
    private static func range(of block: Block) -> Range<Int64>? {
        let head = Array(block.bytes(count: MediaType.sniffedByteCount))
        guard MediaType.sniffed(from: head)?.isVideo == true else { return nil }
        // Samsung's phones put more behind it.
        let size = min(ISOBox.end(of: block), block.count)
        let start = Int64(block.range.lowerBound)
        guard start > 0, size > 0, size <= ImageFacts.largestMotionVideo,
            // The file may be cut off.
            !block.bytes(at: size - 1, count: 1).isEmpty
        else { return nil }
        return start..<start + Int64(size)
    }

    /// How far the video begins before the end of the file; nil for an ordinary photo.
    private static func statedLength(_ packet: ArraySlice<UInt8>) -> Int? {
        guard let xmp = XMPTexts(packet) else { return nil }
        func number(_ name: String) -> Int? {
            xmp.allValues(name, in: .googleCamera).first.flatMap { Int($0) }
        }
        if number("MotionPhoto") == 1,
            // The video is the last of the files that follow one another.
            let length = xmp.allValues("Length", in: .googleItem).last.flatMap({ Int($0) }),
            length > 0
        {
            return length
        }
        guard number("MicroVideo") == 1 else { return nil }
        return number("MicroVideoOffset").flatMap { $0 > 0 ? $0 : nil }
    }
}

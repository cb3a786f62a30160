// SPDX-License-Identifier: MIT

import Photos

/// What follows the last part of a TIFF file.
extension LocationEditor {
    /// A longer one is not only text.
    private static let longestTail = 64 << 10
    private static let maximumPages = 10_000
    private static let parts =
        TIFFDirectory.pictures + [(Tag.previewOffset, Tag.previewByteCount)]

    /// Overwrites a text behind everything that the directories refer to, if it tells a position.
    ///
    /// What is not text may be a part of a raw file that only its maker knows.
    mutating func editText(behind file: Block) {
        guard let first = TIFFDirectory.first(in: file) else { return }
        var end = 0
        var waiting = [first]
        var visited: Set<Int> = []
        while let directory = waiting.popLast(), visited.count < Self.maximumPages {
            let start = directory.block.range.lowerBound
            guard directory.isBehindHeader, visited.insert(start).inserted else { continue }
            end = max(end, directory.block.range.upperBound - file.range.lowerBound)
            for entry in directory.entries {
                guard let value = directory.longValue(of: entry) else { continue }
                end = max(end, value.range.upperBound - file.range.lowerBound)
            }
            for (offsets, sizes) in Self.parts {
                for (offset, size) in zip(
                    directory.allNumbers(offsets), directory.allNumbers(sizes))
                {
                    let (last, overflows) = offset.addingReportingOverflow(size)
                    if !overflows { end = max(end, last) }
                }
            }
            for tag in [Tag.exifDirectory, Tag.interoperability, Tag.subdirectories] {
                waiting += directory.allNumbers(tag).filter { $0 > 0 }.map(directory.directory(at:))
            }
            if directory.next > 0 { waiting.append(directory.directory(at: directory.next)) }
        }
        let tail = file.dropFirst(end)
        guard tail.count >= Self.shortest, tail.count <= Self.longestTail else { return }
        let text = bytes(tail)
        let isText = text.allSatisfy { $0 >= 0x20 || $0 == 0 || (0x09...0x0D).contains($0) }
        if isText, PlaceText.tellsPosition(text) { blank(tail) }
    }
}

// SPDX-License-Identifier: MIT

import Photos

/// Finds what shows the picture in files whose metadata is overwritten in place, so that it can be compared.
enum PictureData {
    /// More are not compared.
    private static let maximumParts = 100_000
    private static let maximumDirectories = 1000

    /// The parts of a file without which it would be another picture, as far as the format is known here.
    ///
    /// What camera makers keep elsewhere, as in Canon's CR3 files, is not found.
    static func parts(of file: Block, _ type: MediaType) -> [Block] {
        switch type {
        case .jpeg2000: codestreams(of: file).flatMap(partsOfCodestream)
        case .openEXR: partsOfEXR(file)
        case .radiance: partOfRadiance(file).map { [$0] } ?? []
        case .fujiRaw: sensorOfFujifilm(file).map { [$0] } ?? []
        default: MediaType.rawTypes.contains(type) ? partsOfTIFF(file) : []
        }
    }

    // MARK: - JPEG 2000

    private static func codestreams(of file: Block) -> [Block] {
        if file.starts(with: [0xFF, 0x4F]) { return [file] }
        return ISOBox.boxes(in: file).filter { $0.name == "jp2c" }.map(\.content)
    }

    /// The segments of the header but for comments, and everything from the first tile.
    ///
    /// - Source: ISO/IEC 15444-1, A.4.
    private static func partsOfCodestream(_ stream: Block) -> [Block] {
        var parts: [Block] = []
        var offset = 2
        while parts.count < maximumParts, let marker = stream.uint16(at: offset, .bigEndian),
            // The first tile.
            marker != 0xFF90,
            let length = stream.uint16(at: offset + 2, .bigEndian), length >= 2,
            let segment = stream.part(at: offset, count: 2 + Int(length))
        {
            if marker != 0xFF64 { parts.append(segment) }
            offset += segment.count
        }
        return parts + [stream.dropFirst(offset)]
    }

    // MARK: - OpenEXR and Radiance

    /// Types of attributes that say how the pixels are stored.
    private static let shapes: Set<String> = [
        "box2i", "chlist", "compression", "lineOrder", "tiledesc",
    ]
    /// The longest name of an attribute or a type, with its zero.
    private static let longestName = 256

    /// The attributes that say how the pixels are stored, and everything behind the headers.
    ///
    /// - Source: “OpenEXR File Layout”, openexr.com.
    private static func partsOfEXR(_ file: Block) -> [Block] {
        guard let version = file.uint32(at: 4, .littleEndian) else { return [] }
        let hasSeveralHeaders = version & 0x1000 != 0
        var parts: [Block] = []
        var offset = 8
        func name() -> String? {
            let text = file.bytes(at: offset, count: longestName).prefix { $0 != 0 }
            guard text.count < longestName else { return nil }
            offset += text.count + 1
            return String(decoding: text, as: UTF8.self)
        }
        var isEmptyHeader = true
        while parts.count < maximumParts, let attribute = name() {
            if attribute.isEmpty {
                if isEmptyHeader || !hasSeveralHeaders { break }
                isEmptyHeader = true
                continue
            }
            isEmptyHeader = false
            guard let type = name(), let size = file.uint32(at: offset, .littleEndian),
                let value = file.part(at: offset + 4, count: Int(size))
            else { break }
            if shapes.contains(type) { parts.append(value) }
            offset += 4 + value.count
        }
        return parts + [file.dropFirst(offset)]
    }

    /// Everything behind the blank line that ends the header.
    private static func partOfRadiance(_ file: Block) -> Block? {
        let head = file.bytes(count: 1 << 20)
        return head.firstIndex(of: [0x0A, 0x0A], from: head.startIndex)
            .map { file.dropFirst($0 - head.startIndex) }
    }

    // MARK: - Camera raw

    /// What the sensor measured.
    private static func sensorOfFujifilm(_ file: Block) -> Block? {
        guard let offset = file.uint32(at: 100, .bigEndian).map(Int.init),
            let count = file.uint32(at: 104, .bigEndian).map(Int.init)
        else { return nil }
        return file.dropFirst(offset).prefix(count)
    }

    /// The strips and tiles of all directories.
    private static func partsOfTIFF(_ file: Block) -> [Block] {
        guard let first = TIFFDirectory.first(in: file) else { return [] }
        var parts: [Block] = []
        var waiting = [first]
        var visited: Set<Int> = []
        while parts.count < maximumParts, visited.count < maximumDirectories,
            let directory = waiting.popLast()
        {
            guard visited.insert(directory.block.range.lowerBound).inserted else { continue }
            for (offsets, sizes) in TIFFDirectory.pictures {
                parts += zip(directory.allNumbers(offsets), directory.allNumbers(sizes))
                    .map { file.dropFirst($0).prefix($1) }
            }
            waiting += directory.allNumbers(Tag.subdirectories).filter { $0 > 0 }
                .map(directory.directory(at:))
            if directory.next > 0 { waiting.append(directory.directory(at: directory.next)) }
        }
        return parts
    }
}

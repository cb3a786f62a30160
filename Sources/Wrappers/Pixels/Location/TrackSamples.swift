// SPDX-License-Identifier: MIT

import Photos

/// What a track of a movie contains, and where.
///
/// - Source: ISO/IEC 14496-12, 8.4 to 8.7.
struct TrackSamples {
    /// The kind of media: `vide`, `soun`, `meta`, ….
    let handler: String
    /// The descriptions of the samples.
    let descriptions: Block
    private let table: Block
    private let file: Block

    /// More chunks than a reply can change.
    private static let maximumChunks = 100_000
    private static let maximumTable = 16 << 20

    init(_ track: Block, in file: Block) {
        let empty = track.prefix(0)
        handler = String(
            decoding: ISOBox.content(of: "mdia", "hdlr", in: track)?.bytes(at: 8, count: 4) ?? [],
            as: UTF8.self)
        table = ISOBox.content(of: "mdia", "minf", "stbl", in: track) ?? empty
        descriptions = ISOBox.content(of: "stsd", in: table) ?? empty
        self.file = file
    }

    /// Whether the samples are values of keys.
    var isTimedMetadata: Bool { descriptions.starts(with: "mebx".utf8, at: 12) }

    /// The parts of the file with the samples; nil if the tables are damaged or too long.
    var chunks: [Block]? {
        guard let offsets, let sizes, let runs else { return nil }
        var chunks: [Block] = []
        var sample = 0
        var run = 0
        for (index, offset) in offsets.enumerated() {
            while run + 1 < runs.count, runs[run + 1].first <= index { run += 1 }
            guard run < runs.count else { break }
            // A run may promise more samples than there are.
            let samples = sizes[sample...].prefix(runs[run].samples)
            sample = samples.endIndex
            let size = samples.reduce(0, +)
            guard size > 0 else { continue }
            guard let chunk = file.part(at: offset, count: size) else { return nil }
            chunks.append(chunk)
        }
        return chunks
    }

    private func reader(_ name: String) -> ByteReader? {
        ISOBox.content(of: name, in: table)
            .map { $0.reader(count: min($0.count, Self.maximumTable), .bigEndian) }
    }

    private var offsets: [Int]? {
        let short = reader("stco")
        guard let reader = short ?? reader("co64"), let count = reader.uint32(at: 4),
            count <= Self.maximumChunks
        else { return nil }
        return (0..<Int(count)).compactMap { index in
            short == nil
                ? reader.uint64(at: 8 + 8 * index).map { Int(clamping: $0) }
                : reader.uint32(at: 8 + 4 * index).map(Int.init)
        }
    }

    private var sizes: [Int]? {
        guard let reader = reader("stsz"), let common = reader.uint32(at: 4),
            let count = reader.uint32(at: 8), count <= 4_000_000
        else { return nil }
        if common > 0 { return [Int](repeating: Int(common), count: Int(count)) }
        guard reader.count >= 12 + 4 * Int(count) else { return nil }
        return (0..<Int(count)).compactMap { reader.uint32(at: 12 + 4 * $0).map(Int.init) }
    }

    /// From which chunk on a chunk has how many samples.
    private var runs: [(first: Int, samples: Int)]? {
        guard let reader = reader("stsc"), let count = reader.uint32(at: 4),
            count <= Self.maximumChunks
        else { return nil }
        return (0..<Int(count)).compactMap { index in
            guard let first = reader.uint32(at: 8 + 12 * index),
                let samples = reader.uint32(at: 12 + 12 * index), first > 0
            else { return nil }
            return (Int(first) - 1, Int(samples))
        }
    }
}

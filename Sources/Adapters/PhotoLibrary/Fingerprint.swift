// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
internal import Photos
internal import SystemPackage

/// A short digest that distinguishes files without reading them completely.
///
/// The MD5 of the size and the first and last 16 KiB. Compressed pictures with equal fingerprints
/// are almost certainly the same picture; ``isSameContent(_:_:of:size:)`` compares more of them
/// before two files become one photo.
struct Fingerprint: Hashable, Sendable {
    let bytes: [UInt8]

    private static let sampleSize = 16_384
    /// The largest uncompressed picture that is compared completely, as large as most of their formats
    /// allow; the better part of a minute from a hard disk.
    private static let uncompressedLimit: Int64 = 4 << 30

    /// What the digest is made of.
    struct Sample: Sendable {
        fileprivate let bytes: [UInt8]

        /// Reads it from an open file.
        init(of file: Descriptor, size: Int64) throws(Errno) {
            let head = try file.read(upTo: sampleSize)
            let tailStart = max(Int64(head.count), size - Int64(sampleSize))
            let tail = tailStart < size ? try file.read(upTo: sampleSize, at: tailStart) : []
            var bytes: [UInt8] = []
            bytes.reserveCapacity(8 + head.count + tail.count)
            for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: size >> (shift * 8))) }
            bytes += head
            bytes += tail
            self.bytes = bytes
        }
    }

    /// Reads the fingerprint of an open file.
    init(of file: Descriptor, size: Int64) throws(Errno) {
        bytes = Digest.md5(try Sample(of: file, size: size).bytes)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The fingerprints of several files, which take less time together.
    static func all(of samples: [Sample]) -> [Fingerprint] {
        Digest.md5(ofEach: samples.map(\.bytes)).map { Fingerprint(bytes: $0) }
    }

    /// Compares two files of the same size byte by byte.
    static func isEqual(
        _ first: Descriptor, _ second: Descriptor, size: Int64
    ) throws(Errno) -> Bool {
        let step = 1 << 20
        for offset in stride(from: 0, to: size, by: Int64.Stride(step)) {
            let one = try first.read(upTo: step, at: offset)
            guard try second.read(upTo: step, at: offset) == one else { return false }
        }
        return true
    }

    /// Compares the content of two files with equal fingerprints.
    ///
    /// In a compressed picture, a changed pixel changes everything after it, so a few samples are enough.
    /// An uncompressed picture is compared byte for byte, unless it is larger than pictures are.
    ///
    /// - Parameter onRead: Called with each offset before it is read.
    static func isSameContent(
        _ first: Descriptor, _ second: Descriptor, of type: MediaType, size: Int64,
        completely: Bool = false, onRead: (Int64) -> Void
    ) throws(Errno) -> Bool {
        let isCompressed = type.entry?.isCompressed ?? false
        let isSampled = !completely && (isCompressed || size > uncompressedLimit)
        let step = isSampled ? max(Int64(sampleSize), size / 16) : Int64(sampleSize)
        for offset in stride(from: 0, to: size, by: Int64.Stride(step)) {
            onRead(offset)
            let one = try first.read(upTo: sampleSize, at: offset)
            guard try second.read(upTo: sampleSize, at: offset) == one else { return false }
        }
        return true
    }
}

// SPDX-License-Identifier: MIT

import Photos

/// An element of a Matroska or WebM file.
///
/// - Source: RFC 8794 (EBML); RFC 9559 (Matroska).
struct MatroskaElement {
    enum ID {
        static let header: UInt32 = 0x1A45_DFA3
        static let void: UInt32 = 0xEC
        static let checksum: UInt32 = 0xBF
        static let segment: UInt32 = 0x1853_8067
        static let seekHead: UInt32 = 0x114D_9B74
        static let cues: UInt32 = 0x1C53_BB6B

        static let info: UInt32 = 0x1549_A966
        static let title: UInt32 = 0x7BA9
        static let fileName: UInt32 = 0x7384
        static let previousFileName: UInt32 = 0x3C_83AB
        static let nextFileName: UInt32 = 0x3E_83BB
        static let muxer: UInt32 = 0x4D80
        static let writer: UInt32 = 0x5741

        static let tracks: UInt32 = 0x1654_AE6B
        static let track: UInt32 = 0xAE
        static let trackNumber: UInt32 = 0xD7
        static let trackType: UInt32 = 0x83
        static let trackName: UInt32 = 0x536E
        static let codec: UInt32 = 0x86
        static let codecPrivate: UInt32 = 0x63A2
        static let codecName: UInt32 = 0x25_8688
        static let encodings: UInt32 = 0x6D80

        static let chapters: UInt32 = 0x1043_A770
        static let edition: UInt32 = 0x45B9
        static let editionDisplay: UInt32 = 0x4520
        static let editionName: UInt32 = 0x4521
        static let chapter: UInt32 = 0xB6
        static let chapterDisplay: UInt32 = 0x80
        static let chapterName: UInt32 = 0x85
        static let chapterKey: UInt32 = 0x5654

        static let cluster: UInt32 = 0x1F43_B675
        static let clusterTime: UInt32 = 0xE7
        static let clusterPosition: UInt32 = 0xA7
        static let previousSize: UInt32 = 0xAB
        static let silentTracks: UInt32 = 0x5854
        static let simpleBlock: UInt32 = 0xA3
        static let blockGroup: UInt32 = 0xA0
        static let block: UInt32 = 0xA1
        static let encryptedBlock: UInt32 = 0xAF

        static let tags: UInt32 = 0x1254_C367
        static let tag: UInt32 = 0x7373
        static let simpleTag: UInt32 = 0x67C8
        static let tagName: UInt32 = 0x45A3
        static let attachments: UInt32 = 0x1941_A469
        static let attachedFile: UInt32 = 0x61A7
        static let fileData: UInt32 = 0x465C
        static let attachmentName: UInt32 = 0x466E
        static let attachmentDescription: UInt32 = 0x467E
        static let attachmentType: UInt32 = 0x4660
        static let targets: UInt32 = 0x63C0

        /// The children of a segment.
        static let parts: Set<UInt32> = [
            seekHead, info, tracks, chapters, cluster, cues, attachments, tags,
        ]
        /// The children of a cluster.
        static let media: Set<UInt32> = [
            clusterTime, clusterPosition, previousSize, silentTracks, simpleBlock, blockGroup,
            encryptedBlock,
        ]
    }

    let id: UInt32
    /// Identifier, size and content.
    let whole: Block
    let content: Block
    /// Whether the element has no size: it ends where its parent continues.
    let isEndless: Bool
    /// Whether the element claims to end after its parent.
    let isCutOff: Bool

    /// The element at the start of a block; nil if it is damaged.
    init?(atStartOf rest: Block) {
        let head = Array(rest.bytes(count: 12))
        guard let first = head.first, first >= 0x10 else { return nil }
        let idSize = first.leadingZeroBitCount + 1
        guard head.count > idSize, let (length, lengthSize) = Self.number(head[idSize...]) else {
            return nil
        }
        id = head[..<idSize].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        isEndless = length == (1 << (7 * UInt64(lengthSize))) - 1
        let start = idSize + lengthSize
        // Other elements without a size are read as if they had no content.
        let size =
            isEndless
            ? (id == ID.segment ? rest.count - start : 0) : Int(clamping: length)
        content = rest.dropFirst(start).prefix(size)
        isCutOff = content.count < size
        whole = rest.prefix(start + content.count)
    }

    /// An element without a size, with what turned out to be its content.
    init(endless element: MatroskaElement, byteCount: Int, atStartOf rest: Block) {
        id = element.id
        isEndless = true
        isCutOff = false
        content = rest.dropFirst(element.whole.count).prefix(byteCount)
        whole = rest.prefix(element.whole.count + content.count)
    }

    /// A number with the bits that tell its length; nil if it is damaged.
    static func number(_ bytes: ArraySlice<UInt8>) -> (value: UInt64, byteCount: Int)? {
        guard let first = bytes.first, first > 0 else { return nil }
        let size = first.leadingZeroBitCount + 1
        guard bytes.count >= size else { return nil }
        let value = bytes.dropFirst().prefix(size - 1)
            .reduce(UInt64(first) & (0xFF >> UInt64(size))) { $0 << 8 | UInt64($1) }
        return (value, size)
    }

    /// The content as a number; nil if it is too long for one.
    var number: UInt64? {
        let bytes = content.bytes(count: 9)
        return bytes.count > 8 ? nil : bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

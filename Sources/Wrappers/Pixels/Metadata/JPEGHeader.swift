// SPDX-License-Identifier: MIT

import Photos

/// The facts in the segments of a JPEG stream before its first scan.
struct JPEGHeader: Sendable {
    /// The size as stored; nil if there is no frame header.
    private(set) var size: PixelSize?
    private(set) var exif: EXIF?
    /// The XMP packet; its extension is not read.
    private(set) var xmp: Block?
    /// The index of other pictures in the file.
    private(set) var multiPicture: MultiPicture?
    /// The small JPEG in the EXIF data.
    private(set) var preview: Block?
    /// Whether libjpeg decodes this kind of frame; raw files also contain lossless JPEGs.
    private(set) var isDecodable = false
    /// Whether there is an ICC profile.
    private(set) var hasProfile = false
    /// The segments that may contain Photoshop's resources.
    private var photoshop: [Block] = []
    /// The segments in which cameras without EXIF data wrote their settings.
    private(set) var settings: [Block] = []

    /// The IPTC records; Photoshop's resources may be in several segments.
    var iptc: Block? {
        for content in photoshop where content.starts(with: PhotoshopResources.segmentName) {
            let resources = PhotoshopResources(segment: content)
            if let records = resources.content(PhotoshopResources.iptc) { return records }
        }
        return nil
    }

    /// Fewer bytes than Canon's first cameras wrote.
    private static let shortestSettings = 64

    /// - Source: ITU-T T.81, B.1 and B.2.
    init(_ stream: Block) {
        for segment in JPEGSegments(stream, skipsStrayBytes: true) {
            switch segment.marker {
            case _ where segment.isFrame:
                size = segment.frameSize
                isDecodable = [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(segment.marker)
            case 0xE1 where exif == nil:
                if let data = segment.exif { readEXIF(data) } else { noteXMP(segment) }
            case 0xE1 where xmp == nil: noteXMP(segment)
            case 0xE2: noteSecondApplication(segment.content, stream)
            // JFIF's is shorter.
            case 0xE0 where segment.whole.count > Self.shortestSettings:
                settings.append(segment.content)
            case 0xEC: settings.append(segment.content)
            case 0xED: photoshop.append(segment.content)
            default: break
            }
        }
    }

    private mutating func noteSecondApplication(_ content: Block, _ stream: Block) {
        if content.starts(with: "ICC_PROFILE\0".utf8) {
            hasProfile = true
        } else if multiPicture == nil, content.starts(with: MultiPicture.name) {
            multiPicture = MultiPicture(content, in: stream)
        }
    }

    private mutating func noteXMP(_ segment: JPEGSegments.Segment) {
        let content = segment.content
        guard xmp == nil, content.starts(with: JPEGSegments.Segment.xmpName) else { return }
        xmp = content.dropFirst(JPEGSegments.Segment.xmpName.count)
    }

    private mutating func readEXIF(_ data: Block) {
        let exif = EXIF(tiff: data.bytes(count: data.count))
        self.exif = exif
        preview = exif.thumbnail.flatMap { data.part(at: $0.lowerBound, count: $0.count) }
    }
}

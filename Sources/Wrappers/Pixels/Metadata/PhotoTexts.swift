// SPDX-License-Identifier: MIT

import Photos

/// What people wrote about a photo, and its date, from its XMP packet and its IPTC records.
///
/// - Source: XMP Specification Part 1, 8.3; IPTC Information Interchange Model 4.2, 6.
struct PhotoTexts: Hashable {
    private(set) var description: String?
    private(set) var artist: String?
    private(set) var copyright: String?
    private(set) var taken: CaptureDate?

    /// More bytes than people write.
    private static let maximumText = 4096

    init() {}

    /// - Parameters:
    ///   - xmp: A packet, which counts more.
    ///   - iptc: The records.
    init(xmp: ArraySlice<UInt8>?, iptc: Block? = nil) {
        taken = xmp.flatMap(XMPDate.read)
        if let xmp = xmp.flatMap(XMPTexts.init) {
            description = Self.cleaned(xmp.values("description").first)
            artist = Self.cleaned(xmp.values("creator").joined(separator: "; "))
            copyright = Self.cleaned(xmp.values("rights").first)
        }
        guard let iptc = iptc.map(IPTCRecords.init) else { return }
        description = description ?? Self.cleaned(iptc.texts(120).first)
        artist = artist ?? Self.cleaned(iptc.texts(80).joined(separator: "; "))
        copyright = copyright ?? Self.cleaned(iptc.texts(116).first)
    }

    /// Reads the tags of a TIFF file, or of a raw file that is based on TIFF.
    init(tiff file: Block) {
        let main = TIFFDirectory.first(in: file)
        let iptc = main?.entry(Tag.iptc).flatMap { main?.longValue(of: $0) }
        let resources = main?.entry(Tag.photoshop).flatMap { main?.longValue(of: $0) }
            .map { PhotoshopResources($0) }
        self.init(
            xmp: main?.bytes(Tag.xmp),
            iptc: iptc ?? resources?.content(PhotoshopResources.iptc))
    }

    /// The texts that tell no position.
    var withoutPlaces: PhotoTexts {
        func harmless(_ text: String?) -> String? {
            text.flatMap { PlaceText.describesPlace($0.utf8) ? nil : $0 }
        }
        var texts = self
        texts.description = harmless(description)
        texts.artist = harmless(artist)
        texts.copyright = harmless(copyright)
        return texts
    }

    /// A text without blanks around it and control characters in it; nil if nothing or too much is
    /// left.
    private static func cleaned(_ text: String?) -> String? {
        guard let text else { return nil }
        let lines: Set<UInt8> = [0x09, 0x0A]
        let visible = text.utf8.filter { $0 >= 0x20 || lines.contains($0) }
        let rest = visible.drop { $0 <= 0x20 }
        let end = rest.lastIndex { $0 > 0x20 } ?? rest.startIndex - 1
        let kept = rest[rest.startIndex..<end + 1]
        guard !kept.isEmpty, kept.count <= maximumText else { return nil }
        return String(decoding: kept, as: UTF8.self)
    }
}

extension Block {
    /// The bytes of an XMP packet; larger ones contain pictures.
    var metadata: ArraySlice<UInt8>? {
        let most = XMPDate.maximumPacket
        let bytes = bytes(count: most + 1)
        return bytes.count > most ? nil : bytes
    }
}

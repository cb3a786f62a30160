// SPDX-License-Identifier: MIT

import Photos

/// What people wrote about a photo, its date and its camera, from its XMP packet and its IPTC records,
/// or from its EXIF data.
///
/// - Source: XMP Specification Part 1, 8.3; IPTC Information Interchange Model 4.2, 6.
struct PhotoTexts: Hashable {
    var title: String?
    var description: String?
    var artist: String?
    var copyright: String?
    var taken: CaptureDate?
    var keywords: [String] = []
    /// Names of places, which are no keywords wherever else they are written.
    private var places: Set<String> = []
    /// 1 to 5.
    var rating: Int?
    var make: String?
    var model: String?
    var lens: String?
    /// Whether there are coordinates.
    var hasPlace = false
    /// The coordinates of a packet; nil if there are none that can be read.
    private(set) var position: GeoPosition?
    /// Of which burst the packet says that it is a picture.
    private(set) var burst: BurstMark?

    /// More bytes than people write.
    static let maximumText = 4096

    init() {}

    /// Reads a packet, which counts more, records, and other texts.
    init(_ written: WrittenMetadata) {
        taken = written.xmp.flatMap(XMPDate.read)
        if let xmp = written.xmp.flatMap(XMPTexts.init) {
            description = Self.cleaned(xmp.values("description").first)
            artist = Self.cleaned(xmp.values("creator").joined(separator: "; "))
            copyright = Self.cleaned(xmp.values("rights").first)
            readOthers(xmp)
        }
        if let iptc = written.iptc.map(IPTCRecords.init) { readRecords(iptc) }
        if let others = written.others { self = completed(by: others) }
    }

    private mutating func readRecords(_ iptc: IPTCRecords) {
        title = title ?? Self.cleaned(iptc.texts(5).first)
        if keywords.isEmpty { keywords = iptc.texts(25).compactMap(Self.cleaned) }
        description = description ?? Self.cleaned(iptc.texts(120).first)
        artist = artist ?? Self.cleaned(iptc.texts(80).joined(separator: "; "))
        copyright = copyright ?? Self.cleaned(iptc.texts(116).first)
        taken = taken ?? iptc.created
    }

    /// - Source: XMP Specification Part 1, 8.4; IPTC Photo Metadata 2021.1, “Alt Text”; Exif 2.32 metadata
    ///   for XMP (CIPA DC-010), A.2; ExifTool's tables `XMP::Lightroom`, `XMP::digiKam` and `XMP::GCamera`.
    private mutating func readOthers(_ xmp: XMPTexts) {
        func text(_ name: String, _ namespace: XMPTexts.Namespace) -> String? {
            Self.cleaned(xmp.values(name, in: namespace).first)
        }
        title = text("title", .dublinCore)
        description = description ?? text("AltTextAccessibility", .iptcCore)
        rating = text("Rating", .basic).flatMap { Int($0) }
            .flatMap { PhotoDetails.ratings.contains($0) ? $0 : nil }
        make = text("Make", .tiff)
        model = text("Model", .tiff)
        lens = text("LensModel", .exifEX) ?? text("Lens", .auxiliary)
        if let latitude = text("GPSLatitude", .exif), let longitude = text("GPSLongitude", .exif) {
            hasPlace = true
            position = GeoPosition(
                xmpLatitude: latitude, longitude: longitude, datum: text("GPSMapDatum", .exif))
        }
        burst = text("BurstID", .googleCamera).flatMap { ContentIdentifier($0) }.map {
            BurstMark($0, isPrimary: text("BurstPrimary", .googleCamera) == "1")
        }
        let paths =
            xmp.values("hierarchicalSubject", in: .lightroom).map { $0.split(separator: "|") }
            + xmp.values("TagsList", in: .digiKam).map { $0.split(separator: "/") }
        // What is below “Places” is the name of a place.
        places = Set(
            paths.filter { $0.first.map { PlaceCode.isRoot($0.utf8) } ?? false }
                .flatMap { $0.compactMap { Self.cleaned(String($0)) } })
        keywords = xmp.values("subject").compactMap(Self.cleaned).filter { !places.contains($0) }
    }

    /// The texts that tell no position.
    var withoutPlaces: PhotoTexts {
        var texts = self
        texts.title = Self.harmless(title)
        texts.keywords = Array(
            keywords.filter {
                !places.contains($0) && $0.utf8.count <= PhotoDetails.longestLine
            }.prefix(Self.mostKeywords))
        let words = Self.harmless(texts.keywords.joined(separator: "\n"))
        // Together they may look like a place that none of them is.
        if words == nil { texts.keywords.removeAll { Self.harmless($0) == nil } }
        texts.description = Self.harmless(description)
        texts.artist = Self.harmless(artist)
        texts.copyright = Self.harmless(copyright)
        return texts
    }

    /// The keywords that are looked at: more than are kept, because some are repeated or left out.
    private static let mostKeywords = 4 * PhotoDetails.mostKeywords

    /// The text; nil if it tells a position.
    static func harmless(_ text: String?) -> String? {
        text.flatMap { PlaceText.describesPlace($0.utf8) ? nil : $0 }
    }

    /// The texts, with others in the place of those that are missing.
    func completed(by others: PhotoTexts) -> PhotoTexts {
        var texts = self
        texts.title = title ?? others.title
        texts.description = description ?? others.description
        texts.artist = artist ?? others.artist
        texts.copyright = copyright ?? others.copyright
        texts.taken = taken ?? others.taken
        texts.keywords = keywords.isEmpty ? others.keywords : keywords
        texts.places = places.union(others.places)
        texts.rating = rating ?? others.rating
        texts.make = make ?? others.make
        texts.model = model ?? others.model
        texts.lens = lens ?? others.lens
        texts.hasPlace = hasPlace || others.hasPlace
        texts.position = position ?? others.position
        texts.burst = burst ?? others.burst
        return texts
    }

    /// A text without blanks around it and control characters in it; nil if nothing or too much is
    /// left.
    static func cleaned(_ text: String?) -> String? {
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

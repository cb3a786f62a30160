// SPDX-License-Identifier: MIT

/// The XMP packet of a converted picture.
///
/// It has what describes the photo in the packet of the original, and what that has only in IPTC records
/// or in texts of PNG.
enum CarriedXMP {
    /// Packets in UTF-8, of which the first that fits is the best; none if there is nothing to say.
    ///
    /// - Parameters:
    ///   - written: What the original contains.
    ///   - texts: What is known of it, by any of its metadata.
    ///   - removesLocation: Whether nothing that tells a place is taken over.
    static func packets(
        _ written: WrittenMetadata, _ texts: PhotoTexts, removesLocation: Bool
    ) -> [[UInt8]] {
        // Nobody knows what a packet says that is no XML.
        let kept = written.xmp.flatMap { removing(.conversion, from: $0) }
        let end = kept.flatMap { XMPLocation.endOfDescriptions(in: $0[...]) }
        let added = properties(texts, written.iptc.map(IPTCRecords.init), kept.map { $0[...] })
        var packets: [[UInt8]] = []
        if let kept, let end {
            if !added.isEmpty {
                let description = XMPProperty.description(added, about: subject(of: kept))
                packets.append(kept[..<end] + Array(description.utf8) + kept[end...])
            }
            packets.append(kept)
        }
        if !added.isEmpty {
            packets.append(Array(XMPProperty.packet(XMPProperty.description(added)).utf8))
        }
        return packets.compactMap { packet in
            let final = removesLocation ? removing(.packet, from: packet[...]) ?? [] : packet
            return hasProperties(final) ? final : nil
        }
    }

    /// What a packet is about, in its quotation marks; all descriptions of a packet have the same.
    ///
    /// - Source: XMP Specification Part 1, 7.4.
    private static func subject(of packet: [UInt8]) -> String? {
        let name = Array(":about=".utf8)
        guard let start = packet[...].firstIndex(of: name, from: 0).map({ $0 + name.count }),
            let quote = packet[start...].first, [0x22, 0x27].contains(quote),
            let end = packet[...].firstIndex(of: [quote], from: start + 1),
            // In a text, no tag may follow.
            !packet[start..<end].contains(UInt8(ascii: "<"))
        else { return nil }
        return String(decoding: packet[start...end], as: UTF8.self)
    }

    /// A packet without some properties; nil if it is not well-formed.
    private static func removing(
        _ scope: XMPLocation.Scope, from packet: ArraySlice<UInt8>
    ) -> [UInt8]? {
        guard let ranges = XMPLocation.places(in: packet, scope) else { return nil }
        var result: [UInt8] = []
        var position = packet.startIndex
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            // An element may have lost an attribute before it is removed itself.
            guard range.lowerBound >= position else {
                position = max(position, range.upperBound)
                continue
            }
            result += packet[position..<range.lowerBound]
            position = range.upperBound
        }
        return withoutPadding(result + packet[position...])
    }

    /// How text begins that is written without references.
    private static let plainText = Array("<![CDATA[".utf8)
    private static let endOfPlainText = Array("]]>".utf8)

    /// A packet without the blanks between tags, and without elements in which nothing is left.
    private static func withoutPadding(_ packet: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(packet.count)
        var isTag = false
        var quote: UInt8?
        // Where the last tag ends.
        var end = 0
        var index = 0
        while index < packet.count {
            let byte = packet[index]
            if byte == UInt8(ascii: "<"), !isTag {
                if packet[index...].starts(with: plainText),
                    let last = packet[...].firstIndex(of: endOfPlainText, from: index)
                {
                    result += packet[index..<last + endOfPlainText.count]
                    index = last + endOfPlainText.count
                    continue
                }
                if end > 0, result[end...].allSatisfy(isBlank) {
                    result.removeLast(result.count - end)
                }
                isTag = true
            }
            index += 1
            guard byte != 0 else { continue }
            result.append(byte)
            guard isTag else { continue }
            switch byte {
            case 0x22, 0x27: quote = quote == nil ? byte : quote == byte ? nil : quote
            case UInt8(ascii: ">") where quote == nil:
                isTag = false
                removeEmptyElement(from: &result)
                end = result.count
            default: break
            }
        }
        return result
    }

    /// More bytes than the names of elements have.
    private static let longestTag = 128

    /// Removes an element without attributes and content at the end of a packet.
    private static func removeEmptyElement(from packet: inout [UInt8]) {
        guard let start = packet.suffix(longestTag).lastIndex(of: UInt8(ascii: "<")),
            packet[start...].starts(with: "</".utf8)
        else { return }
        let end = packet[start...]
        let tag = [UInt8(ascii: "<")] + end.dropFirst(2)
        if packet[..<start].suffix(tag.count).elementsEqual(tag) {
            packet.removeLast(tag.count + end.count)
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// Whether anything but the structure is left of a packet.
    private static func hasProperties(_ packet: [UInt8]) -> Bool {
        XMPLocation.places(in: packet[...], .structure).map { !$0.isEmpty } ?? false
    }

    // MARK: - Other texts

    /// The properties for data sets of IPTC records that have no other form.
    ///
    /// - Source: IPTC Photo Metadata 2021.1, “IIM property”; XMP Specification Part 2, 1.2.
    private static let records: [(name: UInt8, property: String, XMPTexts.Namespace)] = [
        (40, "Instructions", .photoshop), (85, "AuthorsPosition", .photoshop),
        (90, "City", .photoshop), (92, "Location", .iptcCore), (95, "State", .photoshop),
        (100, "CountryCode", .iptcCore), (101, "Country", .photoshop),
        (103, "TransmissionReference", .photoshop), (105, "Headline", .photoshop),
        (110, "Credit", .photoshop), (115, "Source", .photoshop),
        (122, "CaptionWriter", .photoshop),
    ]

    /// What a packet has no property for.
    private static func properties(
        _ texts: PhotoTexts, _ iptc: IPTCRecords?, _ packet: ArraySlice<UInt8>?
    ) -> [XMPProperty] {
        let authors = iptc?.texts(80).compactMap(PhotoTexts.cleaned) ?? []
        var all = [
            XMPProperty(
                namespace: .dublinCore, name: "title", form: .alternatives,
                values: [texts.title].compactMap(\.self)),
            XMPProperty(
                namespace: .dublinCore, name: "description", form: .alternatives,
                values: [texts.description].compactMap(\.self)),
            XMPProperty(
                namespace: .dublinCore, name: "creator", form: .ordered,
                values: authors.isEmpty ? [texts.artist].compactMap(\.self) : authors),
            XMPProperty(
                namespace: .dublinCore, name: "rights", form: .alternatives,
                values: [texts.copyright].compactMap(\.self)),
            XMPProperty(
                namespace: .dublinCore, name: "subject", form: .unordered, values: texts.keywords),
        ]
        if let iptc {
            all += records.map { name, property, namespace in
                XMPProperty(
                    namespace: namespace, name: property,
                    values: Array(iptc.texts(name).compactMap(PhotoTexts.cleaned).prefix(1)))
            }
        }
        let known = packet.flatMap { XMPTexts($0) }
        return all.filter {
            !$0.values.isEmpty && known?.mentions($0.name, in: $0.namespace) != true
        }
    }
}

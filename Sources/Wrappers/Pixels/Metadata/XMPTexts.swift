// SPDX-License-Identifier: MIT

/// The texts in an XMP packet: the properties of some namespaces.
///
/// The packet is searched and not parsed: what is not where programs write it is not found.
///
/// - Source: XMP Specification Part 1, 7.4, 7.5 and 8.3.
struct XMPTexts {
    /// The namespaces whose properties we read.
    enum Namespace: String, CaseIterable {
        case dublinCore = "http://purl.org/dc/elements/1.1/"
        case basic = "http://ns.adobe.com/xap/1.0/"
        case tiff = "http://ns.adobe.com/tiff/1.0/"
        case exif = "http://ns.adobe.com/exif/1.0/"
        case exifEX = "http://cipa.jp/exif/1.0/"
        case auxiliary = "http://ns.adobe.com/exif/1.0/aux/"
        case iptcCore = "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
        case photoshop = "http://ns.adobe.com/photoshop/1.0/"
        case lightroom = "http://ns.adobe.com/lightroom/1.0/"
        case digiKam = "http://www.digikam.org/ns/1.0/"
        case googleCamera = "http://ns.google.com/photos/1.0/camera/"
        case googleItem = "http://ns.google.com/photos/1.0/container/item/"

        fileprivate static let names = allCases.map { ($0, Array($0.rawValue.utf8)) }
    }

    /// The most namespaces that are looked at.
    private static let maximumCount = 64
    /// The most items of a list.
    private static let maximumItems = 1024
    /// The most tags in a list: those of the items, of their ends, and of what is around and in them.
    private static let maximumTags = 4 * maximumItems
    /// More bytes than the URIs of the namespaces have.
    private static let longestURI = 64

    private let packet: ArraySlice<UInt8>
    /// A namespace may have several.
    private let prefixes: [Namespace: [[UInt8]]]
    /// What describes pictures of which this one was made; empty if there is nothing.
    private let ingredients: Range<Int>

    /// Nil if the packet mentions none of the namespaces.
    init?(_ packet: ArraySlice<UInt8>) {
        let mark = Array("xmlns:".utf8)
        var position = packet.startIndex
        var prefixes: [Namespace: [[UInt8]]] = [:]
        for _ in 0..<Self.maximumCount {
            guard let found = packet.firstIndex(of: mark, from: position) else { break }
            position = found + mark.count
            let name = packet[position...].prefix { $0 != UInt8(ascii: "=") && !Self.isBlank($0) }
            let value = packet[name.endIndex...].drop {
                $0 == UInt8(ascii: "=") || Self.isBlank($0)
            }
            let uri = value.dropFirst().prefix(Self.longestURI)
                .prefix { $0 != 0x22 && $0 != 0x27 }
            for (namespace, known) in Namespace.names where uri.elementsEqual(known) {
                let prefix = Array(name) + [UInt8(ascii: ":")]
                if prefixes[namespace]?.contains(prefix) != true {
                    prefixes[namespace, default: []].append(prefix)
                }
            }
        }
        guard !prefixes.isEmpty else { return nil }
        self.packet = packet
        self.prefixes = prefixes
        ingredients = Self.ingredients(in: packet)
    }

    /// - Source: XMP Specification Part 2, 1.2.3: “xmpMM:Pantry”.
    private static func ingredients(in packet: ArraySlice<UInt8>) -> Range<Int> {
        let name = Array(":Pantry".utf8)
        guard let start = packet.firstIndex(of: name, from: packet.startIndex) else {
            return packet.endIndex..<packet.endIndex
        }
        var end = start
        while let next = packet.firstIndex(of: name, from: end + 1) { end = next }
        return start..<end
    }

    /// The first place of some bytes that is not in an ingredient.
    private func place(of bytes: [UInt8]) -> Int? {
        guard let first = packet.firstIndex(of: bytes, from: packet.startIndex) else { return nil }
        guard ingredients.contains(first) else { return first }
        return packet.firstIndex(of: bytes, from: ingredients.upperBound)
    }

    /// The values of a property; of alternatives in several languages, the default one comes first.
    func values(_ name: String, in namespace: Namespace = .dublinCore) -> [String] {
        for name in names(name, in: namespace) {
            if let content = element(name) { return items(in: content) }
            // A simple value may be an attribute.
            if let value = attribute(name) { return [Self.unescaped(value)] }
        }
        return []
    }

    /// A name with each of the prefixes of a namespace.
    private func names(_ name: String, in namespace: Namespace) -> [[UInt8]] {
        prefixes[namespace, default: []].map { $0 + Array(name.utf8) }
    }

    /// Whether a property is there, with or without a value.
    func mentions(_ name: String, in namespace: Namespace) -> Bool {
        names(name, in: namespace).contains { place(of: $0) != nil }
    }

    /// The range of a simple value.
    func range(of name: String, in namespace: Namespace) -> Range<Int>? {
        let value = names(name, in: namespace).lazy.compactMap { element($0) ?? attribute($0) }
            .first
        return value.map { $0.startIndex..<$0.endIndex }
    }

    private static let longestSimpleValue = 256

    /// The values of a simple property wherever it occurs, as attribute or as element, cut off if they are
    /// longer than any number or name.
    func allValues(_ name: String, in namespace: Namespace) -> [String] {
        names(name, in: namespace).flatMap(allValues)
    }

    private func allValues(_ name: [UInt8]) -> [String] {
        var values: [String] = []
        var position = packet.startIndex
        for _ in 0..<Self.maximumTags {
            guard let found = packet.firstIndex(of: name, from: position) else { break }
            position = found + name.count
            let rest = packet[position...]
            let isAttribute = rest.first == UInt8(ascii: "=")
            // The end of an element has no value.
            guard isAttribute || rest.first == UInt8(ascii: ">"), found > packet.startIndex,
                packet[found - 1] != UInt8(ascii: "/")
            else { continue }
            // Without a bound, a packet of values that never end takes quadratic time.
            let value = rest.dropFirst(isAttribute ? 2 : 1).prefix(Self.longestSimpleValue)
            let ends: [UInt8] = isAttribute ? [0x22, 0x27] : [UInt8(ascii: "<")]
            values.append(Self.unescaped(value.prefix { !ends.contains($0) }))
        }
        return values
    }

    /// The content of the first element of a name.
    private func element(_ name: [UInt8]) -> ArraySlice<UInt8>? {
        guard
            let start = place(of: [UInt8(ascii: "<")] + name),
            let open = end(ofTagAt: start, name.count),
            let close = packet.firstIndex(
                of: Array("</".utf8) + name, from: open)
        else { return nil }
        return packet[open..<close]
    }

    /// The end of a tag whose name is exactly as long; nil for an element without content.
    private func end(ofTagAt start: Int, _ count: Int) -> Int? {
        let rest = packet[(start + 1 + count)...]
        guard let first = rest.first, Self.isBlank(first) || first == UInt8(ascii: ">"),
            let end = rest.firstIndex(of: UInt8(ascii: ">")), packet[end - 1] != UInt8(ascii: "/")
        else { return nil }
        return end + 1
    }

    private func attribute(_ name: [UInt8]) -> ArraySlice<UInt8>? {
        guard
            let found = place(of: name + [UInt8(ascii: "=")])
        else { return nil }
        let value = packet[(found + name.count + 1)...]
        guard let quote = value.first, [0x22, 0x27].contains(quote) else { return nil }
        return value.dropFirst().prefix { $0 != quote }
    }

    /// The texts in the items of a list, or the text itself.
    private func items(in content: ArraySlice<UInt8>) -> [String] {
        var texts: [String] = []
        var position = content.startIndex
        for _ in 0..<Self.maximumTags where texts.count < Self.maximumItems {
            guard let start = content.firstIndex(of: [UInt8(ascii: "<")], from: position),
                let end = content[start...].firstIndex(of: UInt8(ascii: ">"))
            else { break }
            position = end + 1
            let tag = content[(start + 1)..<end]
            let name = tag.prefix { !Self.isBlank($0) }
            guard name.elementsEqual("li".utf8) || name.suffix(3).elementsEqual(":li".utf8),
                tag.first != UInt8(ascii: "/"), tag.last != UInt8(ascii: "/")
            else { continue }
            let text = Self.unescaped(content[position...].prefix { $0 != UInt8(ascii: "<") })
            let isDefault = tag.firstIndex(of: Array("x-default".utf8), from: tag.startIndex) != nil
            texts.insert(text, at: isDefault ? 0 : texts.count)
        }
        if texts.isEmpty, !content.contains(UInt8(ascii: "<")) {
            texts.append(Self.unescaped(content))
        }
        return texts
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    // MARK: - Characters

    private static let entities = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
    /// More bytes than the longest reference, to the last character of Unicode.
    private static let maximumReference = 10

    /// A text whose references are replaced by the characters that they name.
    static func unescaped(_ text: ArraySlice<UInt8>) -> String {
        var result = ""
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += String(decoding: rest[..<start], as: UTF8.self)
            let name = rest[(start + 1)...].prefix(maximumReference)
                .prefix { $0 != UInt8(ascii: ";") }
            rest = rest[name.endIndex...]
            if let character = character(String(decoding: name, as: UTF8.self)),
                rest.first == UInt8(ascii: ";")
            {
                result += character
                rest = rest.dropFirst()
            } else {
                result += "&" + String(decoding: name, as: UTF8.self)
            }
        }
        return result + String(decoding: rest, as: UTF8.self)
    }

    private static func character(_ name: String) -> String? {
        if let known = entities[name] { return known }
        let number =
            if name.hasPrefix("#x") {
                UInt32(name.dropFirst(2), radix: 16)
            } else if name.hasPrefix("#") {
                UInt32(name.dropFirst())
            } else {
                UInt32?.none
            }
        return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
}

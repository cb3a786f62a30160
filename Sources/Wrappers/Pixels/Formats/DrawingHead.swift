// SPDX-License-Identifier: MIT

import Photos

/// The first tag of an SVG, which says how large the drawing is.
///
/// - Source: SVG 2, 8.2 (`width`, `height` and `viewBox`); CSS 2, 10.3.2 and 10.6.2 (replaced
///   elements).
struct DrawingHead {
    /// The tag is among so many bytes; declarations and remarks may precede it.
    static let mostBytes = 256 << 10
    /// The size of a drawing that does not specify one, as in browsers.
    private static let defaultSize = (width: 300.0, height: 150.0)
    private static let mostSide = 32767.0

    private var attributes: [String: String] = [:]

    /// Reads the tag; nil if there is none.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let tag = FileSignature.firstElement(of: bytes),
            FileSignature.localName(of: tag) == "svg"
        else { return nil }
        var rest = tag.drop { !FileSignature.isSpace($0) && $0 != UInt8(ascii: ">") }
        while let attribute = Self.takeAttribute(&rest) {
            if attributes[attribute.name] == nil { attributes[attribute.name] = attribute.value }
        }
    }

    /// The size in pixels; nil if a side is zero or too long.
    var size: PixelSize? {
        let box = viewBox
        let width = length("width")
        let height = length("height")
        let sides: (width: Double, height: Double)
        switch (width, height) {
        case (let width?, let height?): sides = (width, height)
        case (let width?, nil):
            sides = (width, box.map { width * $0.height / $0.width } ?? Self.defaultSize.height)
        case (nil, let height?):
            sides = (box.map { height * $0.width / $0.height } ?? Self.defaultSize.width, height)
        case (nil, nil): sides = box ?? Self.defaultSize
        }
        guard let width = Self.side(sides.width), let height = Self.side(sides.height) else {
            return nil
        }
        return PixelSize(width: width, height: height)
    }

    private static func side(_ length: Double) -> Int? {
        let rounded = length.rounded(.up)
        return rounded >= 1 && rounded <= mostSide ? Int(rounded) : nil
    }

    /// The size of the view box; nil if there is none, or it is empty.
    private var viewBox: (width: Double, height: Double)? {
        let numbers =
            attributes["viewBox"]?
            .split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) } ?? []
        guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
        return (numbers[2], numbers[3])
    }

    // MARK: - Lengths

    /// The pixels of a unit; those that depend on a font are guessed, as the initial font is 16 pixels.
    private static let units = [
        "": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6,
        "pt": 96.0 / 72, "pc": 16, "em": 16, "rem": 16, "ex": 8, "ch": 8,
    ]

    /// A length in pixels; nil if it depends on what is around the drawing, or makes no sense.
    private func length(_ name: String) -> Double? {
        (declaration(name) ?? attributes[name]).flatMap(Self.length)
    }

    private static func length(_ text: String) -> Double? {
        let text = text.lowercased().filter { !$0.isWhitespace }
        let unit = units.keys.filter { text.hasSuffix($0) }.max { $0.count < $1.count } ?? ""
        guard let factor = units[unit], let number = Double(text.dropLast(unit.count)),
            number >= 0
        else { return nil }
        return number * factor
    }

    /// The value of a property in the attribute `style`, which counts more than an attribute.
    private func declaration(_ name: String) -> String? {
        for declaration in attributes["style"]?.split(separator: ";") ?? [] {
            let parts = declaration.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }).lowercased() == name
            else { continue }
            return String(parts[1])
        }
        return nil
    }

    // MARK: - Attributes

    /// Takes the next attribute from the rest of a tag; nil at its end, or where it is damaged.
    private static func takeAttribute(
        _ rest: inout ArraySlice<UInt8>
    ) -> (name: String, value: String)? {
        rest = rest.drop(while: FileSignature.isSpace)
        let name = rest.prefix { !FileSignature.isSpace($0) && !"=/>".utf8.contains($0) }
        rest = rest[name.endIndex...].drop(while: FileSignature.isSpace)
        guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { return nil }
        rest = rest.dropFirst().drop(while: FileSignature.isSpace)
        guard let quote = rest.popFirst(),
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let end = rest.firstIndex(of: quote)
        else { return nil }
        let value = rest[..<end]
        rest = rest[(end + 1)...]
        return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
}

// SPDX-License-Identifier: MIT

import Photos
import SDBus

/// The D-Bus form of an option's value, and the rule that the value must follow.
///
/// Decoding an encoded value gives an equal value.
struct OptionCoding<Value: Sendable>: Sendable {
    /// The D-Bus type.
    let signature: String
    /// Values of this type that break the rule; the tests expect an error for each.
    let refused: [Variant]
    let decode: @Sendable (Variant) throws(Expectation) -> Value
    /// Encodes a value; nil for a value that is expressed by omitting the option.
    let encode: @Sendable (Value) -> Variant?

    init<Wire: VariantConvertible>(
        refusing refused: [Wire] = [],
        decode: @escaping @Sendable (Wire) throws(Expectation) -> Value,
        encode: @escaping @Sendable (Value) -> Wire?
    ) {
        signature = Wire.variantSignature
        self.refused = refused.map(\.variant)
        self.decode = { variant throws(Expectation) in
            guard let wire = Wire(variant) else {
                throw Expectation("type '\(Wire.variantSignature)'")
            }
            return try decode(wire)
        }
        self.encode = { encode($0)?.variant }
    }
}

/// A description of the expected value, which completes the sentence “Expected …”.
struct Expectation: Error {
    let text: String
    /// What was received in its place; nil for the value of the option as a whole.
    let received: String?

    init(_ text: String, received: String? = nil) {
        self.text = text
        self.received = received
    }
}

// MARK: - Plain values

extension OptionCoding where Value == Bool {
    static var flag: OptionCoding {
        OptionCoding(decode: { $0 }, encode: { $0 })
    }
}

extension OptionCoding where Value == Bool? {
    /// A switch whose default depends on other options.
    static var optionalFlag: OptionCoding {
        OptionCoding(decode: { (isOn: Bool) in isOn }, encode: { $0 })
    }
}

extension OptionCoding where Value == String? {
    /// A text for the person; an empty string means none.
    static func text(atMost characters: Int? = nil) -> OptionCoding {
        let tooLong = characters.map { String(repeating: "a", count: $0 + 1) }
        return OptionCoding(
            refusing: [tooLong, OptionLimits.tooLongString].compactMap(\.self),
            decode: { text throws(Expectation) in
                if let characters, text.count > characters {
                    throw Expectation("at most \(characters) characters")
                }
                try OptionLimits.check(text)
                return text.isEmpty ? nil : text
            }, encode: { $0 })
    }
}

extension OptionCoding
where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the cases, identified by its raw value.
    static var choice: OptionCoding {
        let names = Value.allCases.map { "'\($0.rawValue)'" }
        let list = names.dropLast().joined(separator: ", ")
        let text = names.count > 1 ? "\(list) or \(names[names.count - 1])" : names.joined()
        return OptionCoding(
            refusing: ["", Value.allCases.first.map { $0.rawValue.uppercased() } ?? "x"],
            decode: { name throws(Expectation) in
                guard let value = Value(rawValue: name) else { throw Expectation(text) }
                return value
            }, encode: \.rawValue)
    }
}

extension OptionCoding where Value == Int {
    static func number(in range: ClosedRange<Int>) -> OptionCoding {
        let outside = [range.lowerBound - 1, range.upperBound + 1].compactMap(UInt32.init(exactly:))
        return OptionCoding(
            refusing: outside,
            decode: { number throws(Expectation) in
                guard let number = Int(exactly: number), range.contains(number) else {
                    throw Expectation("\(range.lowerBound) to \(range.upperBound)")
                }
                return number
            }, encode: { UInt32(clamping: $0) })
    }

    /// Any number, including 0.
    static var count: OptionCoding {
        OptionCoding(decode: { (number: UInt32) in Int(number) }, encode: { UInt32(clamping: $0) })
    }
}

extension OptionCoding where Value == Int? {
    /// A maximum; 0 means no limit.
    static var maximum: OptionCoding {
        OptionCoding(
            decode: { (number: UInt32) in number == 0 ? nil : Int(number) },
            encode: { UInt32(clamping: $0 ?? 0) })
    }
}

extension OptionCoding where Value == Int? {
    /// A side in pixels; 0 means none.
    static func side(upTo most: Int) -> OptionCoding {
        OptionCoding(
            refusing: [UInt32(clamping: most + 1)],
            decode: { (number: UInt32) throws(Expectation) in
                guard number <= most else { throw Expectation("0 to \(most)") }
                return number == 0 ? nil : Int(number)
            }, encode: { UInt32(clamping: $0 ?? 0) })
    }
}

extension OptionCoding where Value == UInt64? {
    /// A maximum number of bytes; 0 means no limit.
    static var maximum: OptionCoding {
        OptionCoding(
            decode: { (number: UInt64) in number == 0 ? nil : number }, encode: { $0 ?? 0 })
    }
}

extension OptionCoding where Value == PixelSize? {
    /// Width and height, each within a range.
    static func size(sides: ClosedRange<Int>) -> OptionCoding {
        OptionCoding(
            refusing: [
                PixelSize(width: 0, height: 1), PixelSize(width: 1, height: 0),
                PixelSize(width: sides.upperBound + 1, height: 1),
            ],
            decode: { size throws(Expectation) in
                guard sides.contains(size.width), sides.contains(size.height) else {
                    throw Expectation(
                        "two numbers from \(sides.lowerBound) to \(sides.upperBound)")
                }
                return size
            }, encode: { $0 })
    }
}

// MARK: - Names

extension OptionCoding where Value == HandleToken {
    static var token: OptionCoding {
        OptionCoding(
            refusing: ["", "a-b", "a/b", "ä", String(repeating: "a", count: 256)],
            decode: { text throws(Expectation) in
                guard let token = HandleToken(text) else {
                    throw Expectation("1 to 255 of [A-Za-z0-9_]")
                }
                return token
            }, encode: \.rawValue)
    }
}

extension OptionCoding where Value == AlbumID? {
    static var album: OptionCoding {
        OptionCoding(
            refusing: ["", "../etc"],
            decode: { text throws(Expectation) in
                guard let album = AlbumID(text) else { throw Expectation("the id of an album") }
                return album
            }, encode: { $0?.rawValue })
    }
}

extension OptionCoding where Value == [AssetID] {
    static var assets: OptionCoding {
        OptionCoding(
            refusing: [OptionLimits.tooManyStrings, [OptionLimits.tooLongString]],
            decode: { texts throws(Expectation) in
                try OptionLimits.check(texts)
                // A text that cannot be an id is ignored, like the id of a photo that no longer
                // exists.
                return texts.compactMap { AssetID($0) }
            }, encode: { $0.map(\.description) })
    }
}

extension OptionCoding where Value == MediaFilter {
    static var mediaTypes: OptionCoding {
        OptionCoding(
            refusing: [
                [], ["text/plain"], ["image"], ["*/*"], ["image/x-nobody-knows"],
                Array(repeating: "image/png", count: OptionLimits.arrayElements + 1),
            ],
            decode: { names throws(Expectation) in
                try OptionLimits.check(names)
                var patterns: [MediaFilter.Pattern] = []
                for name in names {
                    guard let pattern = MediaFilter.Pattern(name) else {
                        throw Expectation("types of images or videos")
                    }
                    patterns.append(pattern)
                    // Such as image/jpg, which many programs say.
                    patterns += MediaType.aliased(name.lowercased()).compactMap {
                        MediaFilter.Pattern($0.rawValue)
                    }
                }
                guard let filter = MediaFilter(patterns) else {
                    throw Expectation("at least one type")
                }
                guard patterns.contains(where: \.isRecognized) else {
                    throw Expectation("at least one recognized type")
                }
                return filter
            }, encode: { $0.patterns.map(\.description) })
    }
}

extension OptionCoding where Value == Set<PickedItem.Source>? {
    /// The sources that an app takes photos from; nil for all.
    static var sources: OptionCoding {
        OptionCoding(
            refusing: [[], ["library", "Files"], ["camera", "webcam"]],
            decode: { names throws(Expectation) in
                try OptionLimits.check(names)
                var sources: Set<PickedItem.Source> = []
                for name in names {
                    guard let source = PickedItem.Source(rawValue: name) else {
                        throw Expectation("'library', 'camera', 'files' or 'clipboard'")
                    }
                    sources.insert(source)
                }
                guard !sources.isEmpty else { throw Expectation("at least one source") }
                return sources
            },
            encode: { sources in
                sources.map { sources in
                    PickedItem.Source.allCases.filter(sources.contains).map(\.rawValue)
                }
            })
    }
}

extension OptionCoding where Value == [SheetAction] {
    /// The rows of the sheet, in their order.
    static var actions: OptionCoding {
        OptionCoding(
            refusing: [
                [], [SheetActionFields("")], [SheetActionFields("Library")],
                [SheetActionFields("close"), SheetActionFields("album", "Library", "")],
                [SheetActionFields("close", OptionLimits.tooLongString)],
                [SheetActionFields("close", "", OptionLimits.tooLongString)],
                Array(repeating: SheetActionFields("close"), count: SheetAction.most + 1),
            ],
            decode: { rows throws(Expectation) in
                guard 1...SheetAction.most ~= rows.count else {
                    throw Expectation(
                        "1 to \(SheetAction.most) rows", received: "\(rows.count)")
                }
                var actions: [SheetAction] = []
                for row in rows {
                    let texts = [row.label, row.iconName]
                    if let long = texts.first(where: { $0.utf8.count > OptionLimits.stringBytes }) {
                        throw Expectation(
                            "texts of at most \(OptionLimits.stringBytes) bytes",
                            received: "'\(long.excerpt)'")
                    }
                    guard let kind = SheetAction.Kind(rawValue: row.type) else {
                        throw Expectation(
                            "'library', 'camera', 'recent', 'files' or 'close' as type of a row",
                            received: "'\(row.type.excerpt)'")
                    }
                    actions.append(
                        SheetAction(kind, label: row.label, iconName: row.iconName))
                }
                return actions
            }, encode: { $0.map(SheetActionFields.init) })
    }
}

extension OptionCoding where Value == [OutputFormat] {
    /// The formats an app accepts; no formats means any.
    static var formats: OptionCoding {
        OptionCoding(
            refusing: [[], ["image/gif"], ["image/png", "png"]],
            decode: { names throws(Expectation) in
                guard !names.isEmpty else { throw Expectation("at least one type") }
                try OptionLimits.check(names)
                var formats: [OutputFormat] = []
                for name in names {
                    guard let format = OutputFormat(named: name) else {
                        throw Expectation("image/jpeg, image/png or image/webp")
                    }
                    if !formats.contains(format) { formats.append(format) }
                }
                return formats
            }, encode: { $0.isEmpty ? nil : $0.map(\.mediaType.rawValue) })
    }
}

extension OutputFormat {
    /// The format with a media type, or another name of one: `image/jpg`, `image/x-png`.
    package init?(named name: String) {
        let name = name.lowercased()
        let types = MediaType(name).map { [$0] } ?? []
        guard
            let format = (types + MediaType.aliased(name)).lazy.compactMap(OutputFormat.init).first
        else { return nil }
        self = format
    }
}

// MARK: - Limits

/// The limits of a single option.
private enum OptionLimits {
    static let stringBytes = 4096
    static let arrayElements = 1024

    static func check(_ string: String) throws(Expectation) {
        guard string.utf8.count <= stringBytes else {
            throw Expectation("at most \(stringBytes) bytes")
        }
    }

    static func check(_ strings: [String]) throws(Expectation) {
        guard strings.count <= arrayElements else {
            throw Expectation("at most \(arrayElements) elements")
        }
        for string in strings { try check(string) }
    }

    static let tooLongString = String(repeating: "a", count: stringBytes + 1)
    static let tooManyStrings = Array(repeating: "x", count: arrayElements + 1)
}

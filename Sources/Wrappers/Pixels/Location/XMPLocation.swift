// SPDX-License-Identifier: MIT

import Photos

/// The properties of an XMP packet that tell a place, found by their namespaces.
///
/// A property is kept if its namespace is known and its name is not that of a place; see
/// ``XMPNames``. The prefixes in a packet mean nothing.
struct XMPLocation {
    /// Where properties are removed from.
    enum Scope {
        /// An XMP packet.
        case packet
        /// The `metadata` elements, titles, descriptions and comments of a drawing.
        case drawing
        /// A packet for a converted picture: what does not describe the photo is removed, comments, too,
        /// and nothing because of a place.
        case conversion
        /// A packet of which nothing but the structure stays.
        case structure

        /// Whether what people wrote is searched for places.
        fileprivate var isSearched: Bool { self == .packet || self == .drawing }
    }

    /// The ranges to overwrite with spaces; nil if the text is not well-formed XML in UTF-8, so that
    /// nobody knows what it says.
    ///
    /// - Parameters:
    ///   - text: The packet; zeros at its end are ignored.
    ///   - isStrict: Whether only what is needed to show the picture is kept.
    static func places(
        in text: ArraySlice<UInt8>, _ scope: Scope = .packet, isStrict: Bool = false
    ) -> [Range<Int>]? {
        var reader = XMPLocation(text, scope, isStrict)
        guard reader.read() else { return nil }
        return reader.places
    }

    /// Where the element ends that holds all descriptions of a packet; nil if there is none, or if the
    /// text is not well-formed.
    static func endOfDescriptions(in text: ArraySlice<UInt8>) -> Int? {
        var reader = XMPLocation(text, .conversion, false)
        return reader.read() ? reader.endOfDescriptions : nil
    }

    /// Deeper nesting than metadata has.
    private static let maximumDepth = 64
    private static let maximumNamespaces = 200

    private let text: ArraySlice<UInt8>
    private let scope: Scope
    private let isStrict: Bool
    private var position: Int
    private var open: [Element] = []
    private var places: [Range<Int>] = []
    private var endOfDescriptions: Int?

    private struct Element {
        let name: ArraySlice<UInt8>
        let start: Int
        /// The namespaces by prefix; those of the parent and its own.
        let namespaces: [String: String]
        /// Whether the element is removed, or is inside one that is.
        var isRemoved: Bool
        /// Whether properties are removed from it.
        let isMetadata: Bool
        /// Whether somebody wrote its content freely.
        let isText: Bool
        let isList: Bool
        let isScript: Bool
        var keywords = XMPKeywords()
        var content = 0
        /// The entries of a list that stay.
        var entries: [Range<Int>] = []
        /// How many levels of elements are in it.
        var height = 0
    }

    private init(_ text: ArraySlice<UInt8>, _ scope: Scope, _ isStrict: Bool) {
        self.text = text
        self.scope = scope
        self.isStrict = isStrict
        position = text.startIndex
    }

    // MARK: - Markup

    private mutating func read() -> Bool {
        // A mark that says that the text is in UTF-8.
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { position += 3 }
        while let start = text.firstIndex(of: [UInt8(ascii: "<")], from: position) {
            let between = text[position..<start]
            guard open.isEmpty ? between.allSatisfy(Self.isBlank) : !between.contains(0) else {
                return false
            }
            position = start
            guard readMarkup() else { return false }
        }
        return open.isEmpty && text[position...].allSatisfy(Self.isBlank)
    }

    private mutating func readMarkup() -> Bool {
        let rest = text[position...]
        if rest.starts(with: "<!--".utf8) { return readComment() }
        if rest.starts(with: "<![CDATA[".utf8) { return skip(past: "]]>") }
        if rest.starts(with: "<?".utf8) { return readInstruction() }
        if rest.starts(with: "<!".utf8) {
            // A document type can define entities, which hide what a packet says.
            return scope == .drawing && skip(past: rest.prefix(4096).contains(0x5B) ? "]>" : ">")
        }
        if rest.starts(with: "</".utf8) { return readEnd() }
        return readStart()
    }

    private mutating func skip(past end: StaticString) -> Bool {
        let end = end.withUTF8Buffer(Array.init)
        guard let found = text.firstIndex(of: end, from: position) else { return false }
        position = found + end.count
        return true
    }

    private mutating func readComment() -> Bool {
        let start = position
        guard skip(past: "-->") else { return false }
        if open.last?.isRemoved != true,
            scope == .conversion
                || scope.isSearched
                    && (isStrict && scope == .packet
                        || PlaceText.describesPlace(text[start..<position]))
        {
            places.append(start..<position)
        }
        return true
    }

    /// Reads an instruction for a program, such as that a packet begins.
    private mutating func readInstruction() -> Bool {
        let start = position
        guard skip(past: "?>") else { return false }
        if open.last?.isRemoved != true, scope.isSearched,
            PlaceText.tellsPosition(text[start..<position])
        {
            places.append(start..<position)
        }
        return true
    }

    private mutating func readEnd() -> Bool {
        let end = position
        position += 2
        let name = readName()
        skipBlanks()
        guard var element = open.popLast(), name.elementsEqual(element.name),
            take(UInt8(ascii: ">"))
        else { return false }
        let (prefix, local) = Self.halves(element.name)
        if local == "RDF", element.namespaces[prefix] == XMPNames.rdf { endOfDescriptions = end }
        if !element.isRemoved, scope.isSearched, element.content <= end {
            let content = element.content..<end
            element.isRemoved = tellsPlace(element, content) || element.keywords.isPlace
            if !element.isRemoved, element.isText, element.isList, element.height == 1 {
                element.isRemoved = removeEntries(of: element)
            }
            noteKeyword(element, content)
        }
        close(element)
        return true
    }

    /// Whether the text of an element, or a list of texts, tells a place.
    private func tellsPlace(_ element: Element, _ content: Range<Int>) -> Bool {
        guard element.isText else {
            let namespace = element.namespaces[Self.halves(element.name).prefix]
            return element.isMetadata && element.height == 0
                && tellsPlace(setting: content, in: namespace)
        }
        // What a script says of a location is an address.
        return element.height == 0 && tellsPlace(content, isWritten: !element.isScript)
    }

    /// Removes the entries of a list that tell a position together, such as a latitude and a longitude.
    ///
    /// Two numbers of a structure may be a part of the picture.
    ///
    /// - Returns: Whether nothing is left of the list.
    private mutating func removeEntries(of list: Element) -> Bool {
        let texts = list.entries.map { Array(plainText($0)) }
        let telling = PlaceParts.tellingPosition(texts)
        places += telling.map { list.entries[$0] }
        return telling.count == list.entries.count
    }

    /// Tells the parent that an element is a keyword, or contains those below it.
    private mutating func noteKeyword(_ element: Element, _ content: Range<Int>) {
        guard let parent = open.indices.last else { return }
        let (prefix, local) = Self.halves(element.name)
        open[parent].keywords.note(
            local, in: element.namespaces[prefix],
            element.height == 0 ? Self.withoutMarkup(text[content]) : [])
    }

    private mutating func close(_ element: Element) {
        if let parent = open.indices.last {
            open[parent].height = max(open[parent].height, element.height + 1)
            if open[parent].isList, !element.isRemoved {
                open[parent].entries.append(element.start..<position)
            }
        }
        if element.isRemoved, open.last?.isRemoved != true {
            places.append(element.start..<position)
        }
    }

    private mutating func readStart() -> Bool {
        guard open.count < Self.maximumDepth else { return false }
        let start = position
        position += 1
        let name = readName()
        guard !name.isEmpty else { return false }
        var attributes: [(name: ArraySlice<UInt8>, value: Range<Int>, whole: Range<Int>)] = []
        var namespaces = open.last?.namespaces ?? [:]
        while true {
            skipBlanks()
            let isAtEnd = take(UInt8(ascii: "/"))
            if take(UInt8(ascii: ">")) {
                var element = element(name, start, namespaces)
                element.content = position
                for attribute in attributes {
                    let (prefix, local) = Self.halves(attribute.name)
                    element.keywords.note(
                        local, in: namespaces[prefix], self.text[attribute.value])
                }
                if !element.isRemoved {
                    for attribute in attributes
                    where element.isMetadata
                        ? tellsPlace(attribute, of: element, namespaces) : notesPlace(attribute)
                    {
                        places.append(attribute.whole)
                    }
                }
                if isAtEnd { close(element) } else { open.append(element) }
                return true
            }
            guard !isAtEnd, let attribute = readAttribute() else { return false }
            attributes.append(attribute)
            let text = String(decoding: attribute.name, as: UTF8.self)
            if text == "xmlns" || text.hasPrefix("xmlns:") {
                namespaces[String(text.dropFirst(6))] = XMPNames.normalized(
                    self.text[attribute.value])
                // They are copied for each element that declares one.
                guard namespaces.count <= Self.maximumNamespaces else { return false }
            }
        }
    }

    private mutating func readAttribute() -> (
        name: ArraySlice<UInt8>, value: Range<Int>, whole: Range<Int>
    )? {
        let start = position
        let name = readName()
        skipBlanks()
        guard !name.isEmpty, take(UInt8(ascii: "=")) else { return nil }
        skipBlanks()
        guard position < text.endIndex, [0x22, 0x27].contains(text[position]),
            let end = text.firstIndex(of: [text[position]], from: position + 1)
        else { return nil }
        let value = position + 1..<end
        guard !text[value].contains(UInt8(ascii: "<")) else { return nil }
        position = end + 1
        return (name, value, start..<position)
    }

    private mutating func readName() -> ArraySlice<UInt8> {
        let name = text[position...].prefix { byte in
            !Self.isBlank(byte) && !"=/<>\"'".utf8.contains(byte)
        }
        position = name.endIndex
        return name
    }

    private mutating func skipBlanks() {
        position = text[position...].firstIndex { !Self.isBlank($0) } ?? text.endIndex
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < text.endIndex, text[position] == byte else { return false }
        position += 1
        return true
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == 0
    }

    // MARK: - Places

    private func element(
        _ name: ArraySlice<UInt8>, _ start: Int, _ namespaces: [String: String]
    ) -> Element {
        let parent = open.last
        let (prefix, local) = Self.halves(name)
        let isInside = scope != .drawing || parent?.isMetadata == true
        var isRemoved = parent?.isRemoved == true
        if isInside, !isRemoved {
            isRemoved = mustGo(local, in: namespaces[prefix])
        }
        let namespace = namespaces[prefix]
        // Lists belong to their property.
        let isText =
            isInside
            ? XMPNames.isText(local, in: namespace)
                || namespace == XMPNames.rdf && parent?.isText == true
            : ["title", "desc", "script"].contains(local)
        return Element(
            name: name, start: start, namespaces: namespaces, isRemoved: isRemoved,
            isMetadata: isInside || local == "metadata" || namespace == XMPNames.rdf,
            isText: isText, isList: namespace == XMPNames.rdf && Self.lists.contains(local),
            isScript: !isInside && local == "script")
    }

    /// Whether a property is removed because of its name.
    private func mustGo(_ name: String, in namespace: String?) -> Bool {
        switch scope {
        case .conversion: !XMPNames.describesPhoto(name, in: namespace)
        case .structure: !XMPNames.isStructure(namespace)
        case .packet, .drawing: XMPNames.tellsPlace(name, in: namespace, isStrict: isStrict)
        }
    }

    private func tellsPlace(
        _ attribute: (name: ArraySlice<UInt8>, value: Range<Int>, whole: Range<Int>),
        of element: Element, _ namespaces: [String: String]
    ) -> Bool {
        let (prefix, local) = Self.halves(attribute.name)
        // What declares a namespace, a language, or what the packet is about.
        let isDeclaration = prefix == "xmlns" || prefix.isEmpty && local == "xmlns"
        if isDeclaration || prefix == "xml" {
            return scope.isSearched && tellsPlace(attribute.value, isWritten: false)
        }
        // Attributes without a prefix belong to their element.
        let namespace = prefix.isEmpty ? XMPNames.rdf : namespaces[prefix]
        if mustGo(local, in: namespace) { return true }
        let isText =
            XMPNames.isText(local, in: namespace) || namespace == XMPNames.rdf && element.isText
        guard scope.isSearched else { return false }
        return isText || XMPNames.isStructure(namespace)
            ? tellsPlace(attribute.value, isWritten: isText)
            : tellsPlace(setting: attribute.value, in: namespace)
    }

    /// A longer value is data of a program.
    private static let longestSetting = 4096

    /// Whether the value of a property that nobody writes by hand tells a position.
    ///
    /// Fractions of one, and numbers alone in namespaces of numbers, are points in a picture.
    private func tellsPlace(setting range: Range<Int>, in namespace: String?) -> Bool {
        let value = text[range]
        guard range.count <= Self.longestSetting,
            !XMPNames.isNumeric(namespace) || value.contains(where: { !Self.isNumeric($0) }),
            value.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "&") })
                || Self.hasLargeDecimal(value)
        else { return false }
        return tellsPlace(range, isWritten: false)
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        PlaceText.isDigit(byte) || isBlank(byte) || ".,;:+-/()[]e".utf8.contains(byte)
    }

    /// Whether there is a number with decimals of 2 or more.
    private static func hasLargeDecimal(_ value: ArraySlice<UInt8>) -> Bool {
        value.indices.contains { point in
            guard value[point] == UInt8(ascii: "."), point + 1 < value.endIndex,
                PlaceText.isDigit(value[point + 1])
            else { return false }
            let whole = value[..<point].suffix(3).reversed().prefix(while: PlaceText.isDigit)
            return whole.first.map { $0 > 0x31 } == true || whole.dropFirst().contains { $0 > 0x30 }
        }
    }

    /// Whether an attribute of a drawing tells a place: one that is for people, scripts or programs,
    /// and has no part in how the drawing looks.
    private func notesPlace(
        _ attribute: (name: ArraySlice<UInt8>, value: Range<Int>, whole: Range<Int>)
    ) -> Bool {
        if namesPlace(attribute) { return true }
        let name = String(decoding: attribute.name, as: UTF8.self)
        guard Self.notes.contains(where: name.hasPrefix) || name.hasSuffix(":label") else {
            return false
        }
        return XMPNames.isPlace(key: attribute.name)
            || tellsPlace(attribute.value, isWritten: true)
    }

    /// - Source: SVG 2, 5.8 to 5.10, “Data attributes” and “Alternative text”.
    private static let notes = ["data-", "aria-", "xlink:title", "title", "alt"]
    private static let identifiers: [[UInt8]] = ["id", "xml:id"].map { Array($0.utf8) }

    /// Whether the name of an element, or of a class, tells a position, and nothing can refer to it.
    private func namesPlace(
        _ attribute: (name: ArraySlice<UInt8>, value: Range<Int>, whole: Range<Int>)
    ) -> Bool {
        let isIdentifier = Self.identifiers.contains { attribute.name.elementsEqual($0) }
        guard isIdentifier || attribute.name.elementsEqual("class".utf8),
            tellsPlace(attribute.value, isWritten: false)
        else { return false }
        // In a style sheet, marks in a name are escaped.
        let name = text[attribute.value].prefix { $0 > 0x20 && !".,+".utf8.contains($0) }
        let reference = [UInt8(ascii: isIdentifier ? "#" : ".")] + name
        return text.firstIndex(of: reference, from: text.startIndex) == nil
    }

    /// Whether a value tells a position, also with characters that are written as references, and
    /// without the markup in it.
    ///
    /// - Parameter isWritten: Whether somebody wrote it, so that a word with a value is a place, too:
    ///   `Location: Paris`.
    private func tellsPlace(_ range: Range<Int>, isWritten: Bool) -> Bool {
        let value = Self.withoutMarkup(text[range])
        func tells(_ text: some Sequence<UInt8>) -> Bool {
            isWritten ? PlaceText.describesPlace(text) : PlaceText.tellsPosition(text)
        }
        return tells(value)
            || value.contains(UInt8(ascii: "&")) && tells(XMPTexts.unescaped(value).utf8)
    }

    /// What a reader shows of an element.
    private func plainText(_ range: Range<Int>) -> ArraySlice<UInt8> {
        let value = Self.withoutMarkup(text[range])
        return value.contains(UInt8(ascii: "&"))
            ? Array(XMPTexts.unescaped(value).utf8)[...] : value
    }

    private static let lists = ["Alt", "Bag", "Seq"]

    /// A text with what is in marked sections, and with a space in place of each tag.
    private static func withoutMarkup(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(UInt8(ascii: "<")) else { return text }
        var plain: [UInt8] = []
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            plain += rest[..<start]
            rest = rest[start...]
            func skip(past end: StaticString) -> ArraySlice<UInt8> {
                let end = end.withUTF8Buffer(Array.init)
                let found = rest.firstIndex(of: end, from: rest.startIndex)
                let skipped = rest[..<(found.map { $0 + end.count } ?? rest.endIndex)]
                rest = rest[skipped.endIndex...]
                return skipped
            }
            if rest.starts(with: "<![CDATA[".utf8) {
                plain += skip(past: "]]>").dropFirst(9).dropLast(3)
            } else if rest.starts(with: "<!--".utf8) {
                _ = skip(past: "-->")
            } else {
                _ = skip(past: ">")
                plain.append(UInt8(ascii: " "))
            }
        }
        return (plain + rest)[...]
    }

    private static func halves(_ name: ArraySlice<UInt8>) -> (prefix: String, local: String) {
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else {
            return ("", String(decoding: name, as: UTF8.self))
        }
        return (
            String(decoding: name[..<colon], as: UTF8.self),
            String(decoding: name[(colon + 1)...], as: UTF8.self)
        )
    }
}

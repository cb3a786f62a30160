// SPDX-License-Identifier: MIT

/// A property of an XMP packet that is written.
///
/// - Source: XMP Specification Part 1, 7.9 (RDF) and 8 (schemas).
struct XMPProperty {
    enum Form {
        case simple
        /// A text in the default language.
        case alternatives
        case ordered, unordered

        fileprivate var list: String? {
            switch self {
            case .simple: nil
            case .alternatives: "Alt"
            case .ordered: "Seq"
            case .unordered: "Bag"
            }
        }
    }

    let namespace: XMPTexts.Namespace
    let name: String
    var form = Form.simple
    let values: [String]

    /// A description with some properties, which belongs into the `RDF` element; empty for none.
    ///
    /// - Parameter about: What the packet is about, in quotation marks.
    static func description(_ properties: [XMPProperty], about: String? = nil) -> String {
        guard !properties.isEmpty else { return "" }
        let namespaces = Set(properties.map(\.namespace)).map {
            " xmlns:\($0.prefix)=\"\($0.rawValue)\""
        }
        return "<rdf:Description rdf:about=\(about ?? "\"\"") xmlns:rdf=\"\(XMPNames.rdf)#\""
            + namespaces.sorted().joined() + ">" + properties.map(\.element).joined()
            + "</rdf:Description>"
    }

    /// A packet with some properties.
    ///
    /// - Source: XMP Specification Part 1, 7.3.2: the identifier is the same in all packets.
    static func packet(_ description: String) -> String {
        "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
            + "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(XMPNames.rdf)#\">"
            + description + "</rdf:RDF></x:xmpmeta><?xpacket end=\"r\"?>"
    }

    private var element: String {
        let tag = "\(namespace.prefix):\(name)"
        guard let list = form.list else {
            return "<\(tag)>\(values.first.map(Self.escaped) ?? "")</\(tag)>"
        }
        let language = form == .alternatives ? " xml:lang=\"x-default\"" : ""
        let items = values.map { "<rdf:li\(language)>\(Self.escaped($0))</rdf:li>" }.joined()
        return "<\(tag)><rdf:\(list)>\(items)</rdf:\(list)></\(tag)>"
    }

    /// A text in which characters with a meaning are written as references, and those that XML cannot
    /// contain are left out.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\t", "\n": result.unicodeScalars.append(character)
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": continue
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}

extension XMPTexts.Namespace {
    /// The usual prefix, for those that are written.
    fileprivate var prefix: String {
        switch self {
        case .dublinCore: "dc"
        case .photoshop: "photoshop"
        case .iptcCore: "Iptc4xmpCore"
        default: "\(self)"
        }
    }
}

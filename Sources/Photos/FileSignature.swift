// SPDX-License-Identifier: MIT

/// The first bytes of the files of a media type.
package enum FileSignature: Sendable {
    /// Bytes at the start, and optionally more bytes at an offset.
    case bytes([UInt8], and: [UInt8] = [], at: Int = 0)
    /// Brands of an ISO base media file, four characters each. The first brand in a file that
    /// occurs in any row decides.
    case brands(Set<String>)
    /// Brands that several types share; they decide if no other brand of the file does.
    case generalBrands(Set<String>)
    /// A function that examines the first bytes.
    case content(@Sendable (ArraySlice<UInt8>) -> Bool)

    static func text(_ text: String) -> FileSignature { .bytes(Array(text.utf8)) }

    /// A RIFF file with a form type.
    static func riff(_ form: String) -> FileSignature {
        .bytes(Array("RIFF".utf8), and: Array(form.utf8), at: 8)
    }

    static func brands(_ brands: String...) -> FileSignature { .brands(Set(brands)) }
    static func generalBrands(_ brands: String...) -> FileSignature { .generalBrands(Set(brands)) }

    /// Whether a file starts with this signature; false for brands, which are compared together.
    fileprivate func matches(_ head: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .bytes(let first, let second, let offset):
            head.starts(with: first) && head.dropFirst(offset).starts(with: second)
        case .content(let isMatch): isMatch(head)
        case .brands, .generalBrands: false
        }
    }

    fileprivate func has(_ brand: String) -> Bool {
        if case .brands(let brands) = self { brands.contains(brand) } else { false }
    }

    fileprivate func hasGeneral(_ brand: String) -> Bool {
        if case .generalBrands(let brands) = self { brands.contains(brand) } else { false }
    }
}

// MARK: - Sniffing

extension MediaType {
    /// The most bytes at the start of a file that ``sniffed(from:)`` reads.
    package static let sniffedByteCount = 4096

    /// The type according to a file's first bytes, whatever its name is.
    ///
    /// - Parameter head: The start of the file. At most ``sniffedByteCount`` bytes are read; fewer
    ///   are not an error.
    /// - Returns: One of ``recognized``, or nil.
    package static func sniffed(from head: [UInt8]) -> MediaType? {
        let head = head.prefix(sniffedByteCount)
        if let type = type(where: { $0.matches(head) }) { return type }
        let brands = brands(head)
        return brands.lazy.compactMap { brand in type { $0.has(brand) } }.first
            ?? brands.lazy.compactMap { brand in type { $0.hasGeneral(brand) } }.first
    }

    private static func type(where isMatch: (FileSignature) -> Bool) -> MediaType? {
        // Without a copy of each row.
        table.indices.first { table[$0].signatures.contains(where: isMatch) }.map { table[$0].type }
    }

    /// The brands of an ISO base media file, the major one first; empty for any other file.
    ///
    /// - Source: ISO/IEC 14496-12, 4.3.
    private static func brands(_ head: ArraySlice<UInt8>) -> [String] {
        guard head.dropFirst(4).starts(with: "ftyp".utf8) else { return [] }
        let size = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        // The major brand, a version, then the compatible brands, four bytes each.
        let end = min(head.count, max(size, 12))
        return stride(from: 8, through: end - 4, by: 4).filter { $0 != 12 }.map {
            String(decoding: head[$0..<$0 + 4], as: UTF8.self)
        }
    }

    /// Whether a HEIF or AVIF file is a sequence of pictures, not only a collection of them.
    ///
    /// - Source: ISO/IEC 23008-12, 7.3 and 10.2; AV1 Image File Format, 6.
    package static func isSequence(_ head: [UInt8]) -> Bool {
        ["avis", "hevc", "hevx", "msf1"].contains(brands(head.prefix(sniffedByteCount)).first)
    }
}

// MARK: - Content

extension FileSignature {
    /// The first bytes of Matroska and WebM files.
    static let ebml: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

    /// The EBML header, which is a few dozen bytes long, contains the document type.
    @Sendable static func isWebM(_ head: ArraySlice<UInt8>) -> Bool {
        head.starts(with: ebml) && head.prefix(64).firstRange(of: Array("webm".utf8)) != nil
    }

    /// Whether a file starts with P, one of the characters of Netpbm's formats, and white space before
    /// a number, a name or a comment.
    ///
    /// - Source: Netpbm, pbm(5), pgm(5), ppm(5), pam(5).
    @Sendable static func isNetpbm(_ head: ArraySlice<UInt8>) -> Bool {
        guard head.first == UInt8(ascii: "P"), let kind = head.dropFirst().first,
            "1234567Ff".utf8.contains(kind)
        else { return false }
        let rest = head.dropFirst(2)
        let visible = rest.drop(while: isSpace).first
        guard let visible, visible != rest.first || visible == UInt8(ascii: "#") else {
            return false
        }
        return kind == UInt8(ascii: "7")
            ? rest.first == UInt8(ascii: "\n") : "#0123456789".utf8.contains(visible)
    }

    /// Whether the first bytes are those of a PCX file: its version, and how its pixels are stored.
    ///
    /// - Source: ZSoft, “Technical Reference Manual for PCX”.
    @Sendable static func isPCX(_ head: ArraySlice<UInt8>) -> Bool {
        let head = Array(head.prefix(70))
        guard head.count == 70 else { return false }
        return head[0] == 10 && [0, 2, 3, 4, 5].contains(head[1]) && head[2] <= 1
            && [1, 2, 4, 8].contains(head[3]) && head[64] == 0 && (1...4).contains(head[65])
    }

    /// Whether every field of the header of a TGA file makes sense; such files have no signature.
    ///
    /// - Source: Truevision, “Truevision TGA File Format Specification”, version 2.0.
    @Sendable static func isTarga(_ head: ArraySlice<UInt8>) -> Bool {
        let head = Array(head.prefix(18))
        guard head.count == 18, head[2] & ~11 == 0 else { return false }
        let map = Array(head[3..<8])
        let hasMap = head[1] == 1 && [15, 16, 24, 32].contains(map[4]) && map[2] | map[3] > 0
        guard hasMap || (head[1] == 0 && map.allSatisfy { $0 == 0 }) else { return false }
        let depths: [UInt8]
        switch head[2] & 3 {
        case 1 where hasMap: depths = [8, 16]
        case 2: depths = [15, 16, 24, 32]
        case 3: depths = [8, 16]
        default: return false
        }
        let hasSize = head[12] | head[13] > 0 && head[14] | head[15] > 0
        return hasSize && depths.contains(head[16]) && [0, 1, 4, 8].contains(head[17] & 15)
            && head[17] & 0xC0 == 0
    }

    /// Whether a text is an SVG: its first element, after comments and declarations, is `svg`.
    @Sendable static func isSVG(_ head: ArraySlice<UInt8>) -> Bool {
        var text = head
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        guard let first = text.first(where: { !isSpace($0) }), first == UInt8(ascii: "<"),
            !text.contains(0)
        else { return false }
        return firstElement(of: text).map(localName) == "svg"
    }

    /// The first element of an XML text, from its name on; nil if there is none.
    package static func firstElement(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = text
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(open + 1)...]
            if rest.starts(with: Array("!--".utf8)) {
                guard let end = rest.firstRange(of: Array("-->".utf8)) else { return nil }
                rest = rest[end.upperBound...]
            } else if rest.first == UInt8(ascii: "?") || rest.first == UInt8(ascii: "!") {
                continue
            } else {
                return rest
            }
        }
        return nil
    }

    /// The name at the start of an element, without its prefix.
    package static func localName(of element: ArraySlice<UInt8>) -> String? {
        let name = element.prefix {
            !isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        return String(decoding: name, as: UTF8.self).split(separator: ":").last.map(String.init)
    }

    /// Whether a byte is white space in XML.
    package static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}

// SPDX-License-Identifier: MIT

/// How the files of a media type begin.
package enum FileSignature: Sendable {
    /// Bytes at the start, and others at an offset.
    case bytes([UInt8], and: [UInt8] = [], at: Int = 0)
    /// Brands of an ISO base media file, four characters each. Of the brands in a file, the first
    /// one that is in any row decides.
    case brands(Set<String>)
    /// Brands that several types have; they decide if no other brand of the file does.
    case generalBrands(Set<String>)
    /// Whatever a function finds in the first bytes.
    case content(@Sendable (ArraySlice<UInt8>) -> Bool)

    static func text(_ text: String) -> FileSignature { .bytes(Array(text.utf8)) }

    /// A RIFF file of one form.
    static func riff(_ form: String) -> FileSignature {
        .bytes(Array("RIFF".utf8), and: Array(form.utf8), at: 8)
    }

    static func brands(_ brands: String...) -> FileSignature { .brands(Set(brands)) }
    static func generalBrands(_ brands: String...) -> FileSignature { .generalBrands(Set(brands)) }

    /// Whether a file begins like this; false for brands, which only count together.
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

    /// The type that a file's first bytes show, whatever its name says.
    ///
    /// - Parameter head: The start of the file; more than ``sniffedByteCount`` is not read, and
    ///   fewer are not an error.
    /// - Returns: One of ``recognized``, or nil.
    package static func sniffed(from head: [UInt8]) -> MediaType? {
        let head = head.prefix(sniffedByteCount)
        if let type = type(where: { $0.matches(head) }) { return type }
        let brands = brands(head)
        return brands.lazy.compactMap { brand in type { $0.has(brand) } }.first
            ?? brands.lazy.compactMap { brand in type { $0.hasGeneral(brand) } }.first
    }

    private static func type(where isMatch: (FileSignature) -> Bool) -> MediaType? {
        table.first { $0.signatures.contains(where: isMatch) }?.type
    }

    /// The brands of an ISO base media file, the major one first; none of another file.
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
    /// How Matroska and WebM files begin.
    static let ebml: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

    /// The EBML header, some tens of bytes, names the document type.
    @Sendable static func isWebM(_ head: ArraySlice<UInt8>) -> Bool {
        head.starts(with: ebml) && head.prefix(64).firstRange(of: Array("webm".utf8)) != nil
    }

    /// A text that opens with an `svg` element, after comments and declarations.
    @Sendable static func isSVG(_ head: ArraySlice<UInt8>) -> Bool {
        var text = head
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        guard let first = text.first(where: { !isSpace($0) }), first == UInt8(ascii: "<"),
            !text.contains(0)
        else { return false }
        return firstElement(of: text) == "svg"
    }

    /// The name of the first element of an XML text, without its prefix.
    private static func firstElement(of text: ArraySlice<UInt8>) -> String? {
        var rest = text
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(open + 1)...]
            if rest.starts(with: Array("!--".utf8)) {
                guard let end = rest.firstRange(of: Array("-->".utf8)) else { return nil }
                rest = rest[end.upperBound...]
            } else if rest.first == UInt8(ascii: "?") || rest.first == UInt8(ascii: "!") {
                continue
            } else {
                let name = rest.prefix {
                    !isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
                }
                return String(decoding: name, as: UTF8.self).split(separator: ":").last.map(
                    String.init)
            }
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}

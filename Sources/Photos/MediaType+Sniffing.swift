// SPDX-License-Identifier: MIT

extension MediaType {
    /// How many bytes from the start of a file ``sniffed(from:)`` looks at, at the most.
    package static let sniffedByteCount = 4096

    /// The type that a file's first bytes show, whatever its name says.
    ///
    /// - Parameter head: The start of the file; more than ``sniffedByteCount`` is not read, and
    ///   fewer are not an error.
    /// - Returns: One of ``recognized``, or nil.
    /// - Source: the signatures in the formats' own specifications, and WHATWG MIME Sniffing.
    package static func sniffed(from head: [UInt8]) -> MediaType? {
        let head = head.prefix(sniffedByteCount)
        for signature in signatures where head.starts(with: signature.bytes, at: signature.offset) {
            return signature.type
        }
        return isoBaseMedia(head) ?? riff(head) ?? matroska(head) ?? tiff(head) ?? svg(head)
    }

    private struct Signature {
        let offset: Int
        let bytes: [UInt8]
        let type: MediaType

        init(_ bytes: [UInt8], at offset: Int = 0, _ type: MediaType) {
            self.offset = offset
            self.bytes = bytes
            self.type = type
        }
    }

    private static let signatures: [Signature] = [
        Signature([0xFF, 0xD8, 0xFF], .jpeg),
        Signature([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        Signature(Array("GIF87a".utf8), .gif),
        Signature(Array("GIF89a".utf8), .gif),
        Signature([0xFF, 0x0A], .jpegXL),
        Signature([0, 0, 0, 0x0C] + Array("JXL \r\n".utf8) + [0x87, 0x0A], .jpegXL),
        Signature(Array("BM".utf8), .bmp),
        Signature([0, 0, 1, 0], .icon),
        Signature(Array("FUJIFILMCCD-RAW".utf8), .fujiRaw),
        Signature(Array("IIRO".utf8), .olympusRaw),
        Signature(Array("IIU\0".utf8), .panasonicRaw),
        Signature([0, 0, 1, 0xBA], .mpeg),
        Signature([0, 0, 1, 0xB3], .mpeg),
    ]

    /// HEIF, AVIF, Canon's CR3, MP4 and QuickTime: a box `ftyp` with a list of brands.
    private static func isoBaseMedia(_ head: ArraySlice<UInt8>) -> MediaType? {
        let brands = brands(head)
        // The major brand decides; a compatible brand only where the major one is general.
        for brand in brands {
            switch brand {
            case "avif", "avis": return .avif
            case "heic", "heix", "heim", "heis", "hevc", "hevx": return .heic
            case "crx ": return .canonRaw3
            case "qt  ": return .quickTime
            case "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "dash",
                "M4V ", "3gp4", "3gp5", "3gp6", "3g2a":
                return .mp4
            default: continue
            }
        }
        return brands.contains("mif1") || brands.contains("msf1") ? .heif : nil
    }

    /// The brands of an ISO base media file, the major one first; none of another file.
    ///
    /// - Source: ISO/IEC 14496-12, 4.3.
    private static func brands(_ head: ArraySlice<UInt8>) -> [String] {
        guard head.starts(with: Array("ftyp".utf8), at: 4) else { return [] }
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

    private static func riff(_ head: ArraySlice<UInt8>) -> MediaType? {
        guard head.starts(with: Array("RIFF".utf8), at: 0) else { return nil }
        if head.starts(with: Array("WEBP".utf8), at: 8) { return .webp }
        return head.starts(with: Array("AVI ".utf8), at: 8) ? .avi : nil
    }

    private static func matroska(_ head: ArraySlice<UInt8>) -> MediaType? {
        guard head.starts(with: [0x1A, 0x45, 0xDF, 0xA3], at: 0) else { return nil }
        // The EBML header, some tens of bytes, names the document type.
        return head.prefix(64).contains(sequence: Array("webm".utf8)) ? .webm : .matroska
    }

    private static func tiff(_ head: ArraySlice<UInt8>) -> MediaType? {
        let isTIFF =
            head.starts(with: [0x49, 0x49, 0x2A, 0], at: 0)
            || head.starts(with: [0x4D, 0x4D, 0, 0x2A], at: 0)
        guard isTIFF else { return nil }
        return head.starts(with: Array("CR".utf8) + [2], at: 8) ? .canonRaw2 : .tiff
    }

    /// A text that opens with an `svg` element, after comments and declarations.
    private static func svg(_ head: ArraySlice<UInt8>) -> MediaType? {
        var text = head
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        guard let first = text.first(where: { !isSpace($0) }), first == UInt8(ascii: "<"),
            !text.contains(0)
        else { return nil }
        return firstElement(of: text) == "svg" ? .svg : nil
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

extension ArraySlice<UInt8> {
    fileprivate func starts(with bytes: [UInt8], at offset: Int) -> Bool {
        dropFirst(offset).starts(with: bytes)
    }

    fileprivate func contains(sequence bytes: [UInt8]) -> Bool {
        firstRange(of: bytes) != nil
    }
}

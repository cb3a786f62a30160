// SPDX-License-Identifier: MIT

/// A MIME type such as `image/jpeg`, in lower case.
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// Makes a type from its name, or nil when the name is not `type/subtype`.
    ///
    /// - Source: RFC 6838, 4.2: at most 127 characters on each side.
    package init?(_ name: String) {
        let halves = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ Self.isRestrictedName($0) }) else {
            return nil
        }
        rawValue = name.lowercased()
    }

    private init(known name: String) {
        rawValue = name
    }

    package var description: String { rawValue }

    /// Whether it is a still or animated picture.
    package var isImage: Bool { rawValue.hasPrefix("image/") }
    /// Whether it is moving pictures with or without sound.
    package var isVideo: Bool { rawValue.hasPrefix("video/") }

    private static func isRestrictedName(_ name: Substring.UTF8View.SubSequence) -> Bool {
        guard (1...127).contains(name.count), let first = name.first else { return false }
        return isLetterOrDigit(first)
            && name.allSatisfy { isLetterOrDigit($0) || "!#$&-^_.+".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

// MARK: - The types we recognize

extension MediaType {
    package static let jpeg = MediaType(known: "image/jpeg")
    package static let png = MediaType(known: "image/png")
    package static let gif = MediaType(known: "image/gif")
    package static let webp = MediaType(known: "image/webp")
    package static let heic = MediaType(known: "image/heic")
    package static let heif = MediaType(known: "image/heif")
    package static let avif = MediaType(known: "image/avif")
    package static let jpegXL = MediaType(known: "image/jxl")
    package static let tiff = MediaType(known: "image/tiff")
    package static let bmp = MediaType(known: "image/bmp")
    package static let icon = MediaType(known: "image/vnd.microsoft.icon")
    package static let svg = MediaType(known: "image/svg+xml")
    package static let canonRaw2 = MediaType(known: "image/x-canon-cr2")
    package static let canonRaw3 = MediaType(known: "image/x-canon-cr3")
    package static let adobeDNG = MediaType(known: "image/x-adobe-dng")
    package static let nikonRaw = MediaType(known: "image/x-nikon-nef")
    package static let sonyRaw = MediaType(known: "image/x-sony-arw")
    package static let pentaxRaw = MediaType(known: "image/x-pentax-pef")
    package static let fujiRaw = MediaType(known: "image/x-fuji-raf")
    package static let panasonicRaw = MediaType(known: "image/x-panasonic-rw2")
    package static let olympusRaw = MediaType(known: "image/x-olympus-orf")
    package static let mp4 = MediaType(known: "video/mp4")
    package static let quickTime = MediaType(known: "video/quicktime")
    package static let webm = MediaType(known: "video/webm")
    package static let matroska = MediaType(known: "video/x-matroska")
    package static let avi = MediaType(known: "video/vnd.avi")
    package static let mpeg = MediaType(known: "video/mpeg")

    /// What the name of a file of this type ends with, without a dot; nil for types that are not
    /// recognized.
    package var fileExtension: String? {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        case .icon: "ico"
        case .svg: "svg"
        case .quickTime: "mov"
        case .matroska: "mkv"
        case .avi: "avi"
        case .mpeg: "mpg"
        case _ where Self.recognized.contains(self):
            // "image/x-adobe-dng", "image/png"
            rawValue.split { $0 == "/" || $0 == "-" }.last.map(String.init)
        default: nil
        }
    }

    /// Every type that ``sniffed(from:)`` can answer, and the raw files that only their
    /// directories tell from TIFF.
    package static let recognized: [MediaType] = [
        .jpeg, .png, .gif, .webp, .heic, .heif, .avif, .jpegXL, .tiff, .bmp, .icon, .svg,
        .canonRaw2, .canonRaw3, .adobeDNG, .nikonRaw, .sonyRaw, .pentaxRaw, .fujiRaw,
        .panasonicRaw, .olympusRaw,
        .mp4, .quickTime, .webm, .matroska, .avi, .mpeg,
    ]
}

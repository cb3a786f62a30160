// SPDX-License-Identifier: MIT

import Photos

/// Colour profiles, whose descriptions, copyrights and private tags are texts.
///
/// - Source: ICC.1:2022, 10.15 and 10.24; ICC.1:2001-04, 6.5.17 and 6.5.18.
extension LocationEditor {
    /// The reserved bytes of the header, and the checksum.
    private static let reserved = (offset: 100, count: 28)
    private static let checksum = (offset: 84, count: 16)

    /// Overwrites texts that tell a place with zeros; what the colours are stays.
    mutating func editProfile(_ block: Block) {
        guard let profile = ICCProfile(block) else {
            if isStrict || tellsPlace(block) { blank(block) }
            return
        }
        let before = patch.byteCount
        for tag in profile.tags where !tag.isNumeric {
            if isStrict || tellsPlace(tag.value.dropFirst(8)) { blankText(of: tag) }
        }
        let header = block.dropFirst(Self.reserved.offset).prefix(Self.reserved.count)
        for gap in profile.gaps + [header] where isStrict || tellsPlace(gap) { blank(gap) }
        guard patch.byteCount > before else { return }
        // Without one, it is not known.
        blank(block.dropFirst(Self.checksum.offset).prefix(Self.checksum.count))
    }

    private func tellsPlace(_ block: Block) -> Bool { PlaceText.describesPlace(bytes(block)) }

    /// Where the texts of a list in several languages begin, behind a record for each.
    private static func startOfTexts(in tag: ICCProfile.Tag) -> Int {
        let count = tag.value.uint32(at: 8, .bigEndian).map { min(Int($0), 1000) } ?? 0
        let size = tag.value.uint32(at: 12, .bigEndian).map { min(Int($0), 1000) } ?? 0
        return 16 + count * size
    }

    private mutating func blankText(of tag: ICCProfile.Tag) {
        switch tag.type {
        case "mluc": blank(tag.value.dropFirst(Self.startOfTexts(in: tag)))
        case "desc":
            // Three texts, each behind its size: in ASCII, in UTF-16, and for old Macintoshes.
            let ascii = tag.value.uint32(at: 8, .bigEndian).map(Int.init) ?? 0
            blank(tag.value.dropFirst(12).prefix(ascii))
            let wide = tag.value.dropFirst(12 + ascii)
            let count = wide.uint32(at: 4, .bigEndian).map(Int.init) ?? 0
            blank(wide.dropFirst(8).prefix(2 * count))
            blank(wide.dropFirst(8 + 2 * count + 3))
        default: blank(tag.value.dropFirst(8))
        }
    }
}

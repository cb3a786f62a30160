// SPDX-License-Identifier: MIT

import Photos

/// IPTC records, and Photoshop's resources, which contain them.
///
/// - Source: IPTC Information Interchange Model 4.2, chapters 1 and 6.
extension LocationEditor {
    /// The data sets of the application record that name a place.
    private static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

    /// Removes data sets that name a place; the ones behind them move up.
    mutating func editIPTC(_ records: Block) {
        let reader = records.reader(count: min(records.count, Self.maximumMetadata), .bigEndian)
        var kept: [UInt8] = []
        var isChanged = false
        var offset = 0
        while reader.uint8(at: offset) == 0x1C {
            guard let record = reader.uint8(at: offset + 1),
                let name = reader.uint8(at: offset + 2),
                let length = reader.uint16(at: offset + 3),
                // A longer length follows in a number of its own, which nobody writes.
                length < 0x8000,
                let whole = reader.slice(at: offset, count: 5 + Int(length))
            else { break }
            offset += whole.count
            let isPlace =
                record == 2
                && (isStrict || Self.places.contains(name)
                    || PlaceText.tellsPosition(whole.dropFirst(5)))
            if isPlace { isChanged = true } else { kept += whole }
        }
        // What cannot be read is not known to be harmless.
        let rest = reader.slice(at: offset, count: reader.count - offset) ?? []
        guard isChanged || rest.contains(where: { $0 != 0 }) else { return }
        kept += [UInt8](repeating: 0, count: reader.count - kept.count)
        patch.write(kept, over: records)
    }

    /// Edits the resources of a Photoshop document, of a segment or of a tag.
    mutating func editPhotoshop(
        _ resources: PhotoshopResources, _ depth: Int
    ) throws(PixelError) {
        for resource in resources {
            let content = resource.content
            switch resource.number {
            case PhotoshopResources.iptc: editIPTC(content)
            case 0x0422, 0x0423: try editEXIF(content, depth)
            case PhotoshopResources.xmp: try editXMP(content)
            // A JPEG behind a header.
            case 0x0409, 0x040C:
                if content.starts(with: [0xFF, 0xD8], at: 28) {
                    try edit(content.dropFirst(28), depth: depth + 1)
                }
            case _ where isStrict: blank(content)
            // A caption, and links.
            case 0x03F0, 0x040B, 0x041E:
                if PlaceText.describesPlace(bytes(content)) { blank(content) }
            default: break
            }
        }
    }
}

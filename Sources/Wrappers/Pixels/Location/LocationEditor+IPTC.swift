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
        var sets: [(name: UInt8?, whole: ArraySlice<UInt8>)] = []
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
            sets.append((record == 2 ? name : nil, whole))
        }
        // What cannot be read is not known to be harmless.
        let rest = reader.slice(at: offset, count: reader.count - offset) ?? []
        let places = places(among: sets)
        guard !places.isEmpty || rest.contains(where: { $0 != 0 }) else { return }
        var kept: [UInt8] = []
        for (index, set) in sets.enumerated() where !places.contains(index) { kept += set.whole }
        kept += [UInt8](repeating: 0, count: reader.count - kept.count)
        patch.write(kept, over: records)
    }

    /// Which data sets tell a place, each or together with others of its name: a latitude may be one
    /// keyword, and a longitude another.
    ///
    /// - Parameter sets: Those of other records than the application's have no name.
    private func places(among sets: [(name: UInt8?, whole: ArraySlice<UInt8>)]) -> Set<Int> {
        var places: Set<Int> = []
        var others: [UInt8: [Int]] = [:]
        for (index, set) in sets.enumerated() {
            guard let name = set.name else { continue }
            if isStrict || Self.places.contains(name)
                || PlaceText.describesPlace(set.whole.dropFirst(5))
            {
                places.insert(index)
            } else {
                others[name, default: []].append(index)
            }
        }
        for indices in others.values {
            let texts = indices.map { Array(sets[$0].whole.dropFirst(5)) }
            places.formUnion(PlaceParts.tellingPosition(texts).map { indices[$0] })
        }
        return places
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
            case PhotoshopResources.profile: editProfile(content)
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

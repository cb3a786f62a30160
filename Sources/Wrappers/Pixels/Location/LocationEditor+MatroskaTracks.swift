// SPDX-License-Identifier: MIT

import Photos

/// The tracks of Matroska and WebM: subtitles in which drones write their position.
///
/// - Source: RFC 9559, 5.1.4 and 10; Matroska Media Container Codec Specifications, subtitles.
extension LocationEditor {
    private typealias ID = MatroskaElement.ID

    /// Video, audio, and both in one.
    private static let media: Set<UInt64> = [1, 2, 3]
    private static let subtitles: UInt64 = 17
    /// Codecs whose subtitles are pictures.
    private static let pictures = ["S_VOBSUB", "S_HDMV/PGS", "S_DVBSUB", "S_IMAGE"]
    private static let maximumText = 16 << 20

    private struct Track {
        let element: MatroskaElement
        let parts: [MatroskaElement]
        /// 0 if it is missing.
        let number: UInt64
        let type: UInt64

        init(_ element: MatroskaElement, parts: [MatroskaElement]) {
            self.element = element
            self.parts = parts
            number = parts.first { $0.id == ID.trackNumber }?.number ?? 0
            type = parts.first { $0.id == ID.trackType }?.number ?? 0
        }
    }

    /// Removes the tracks that tell a place, or of which nobody knows what they tell.
    ///
    /// - Parameter segment: The parts of the segment, from the first one on.
    mutating func editTracks(
        _ tracks: MatroskaElement, of segment: MatroskaParts
    ) throws(PixelError) {
        let parts = try elements(in: tracks.content)
        var others: [Track] = []
        for part in parts where part.id == ID.track {
            let track = Track(part, parts: try elements(in: part.content))
            if !Self.media.contains(track.type) { others.append(track) }
        }
        if others.isEmpty { return }
        let before = patch.byteCount
        let blocks = try blocks(of: Set(others.map(\.number)), in: segment)
        for track in others {
            let samples = blocks[track.number] ?? []
            if try areHarmless(samples, of: track) { continue }
            for sample in samples { remove(sample) }
            remove(track.element)
        }
        removeChecksums(parts, unless: before)
        guard patch.byteCount != before else { return }
        var rest = segment
        while let part = try rest.next() {
            if case .media(let sum) = part, sum.id == ID.checksum { remove(sum) }
        }
    }

    private func areHarmless(
        _ samples: [MatroskaElement], of track: Track
    ) throws(PixelError) -> Bool {
        guard track.type == Self.subtitles else { return false }
        let codec = String(decoding: bytes(of: ID.codec, in: track), as: UTF8.self)
        if Self.pictures.contains(where: codec.hasPrefix) { return true }
        // Compressed or encrypted.
        if track.parts.contains(where: { $0.id == ID.encodings }) { return false }
        if PlaceText.describesPlace(bytes(of: ID.codecPrivate, in: track)) { return false }
        guard samples.reduce(0, { $0 + $1.content.count }) < Self.maximumText else {
            throw .locationStays
        }
        return !samples.contains { PlaceText.describesPlace(bytes($0.content)) }
    }

    private func bytes(of id: UInt32, in track: Track) -> [UInt8] {
        track.parts.first { $0.id == id }.map { bytes($0.content) } ?? []
    }

    /// The blocks of tracks, or their groups, which may add texts.
    private func blocks(
        of tracks: Set<UInt64>, in segment: MatroskaParts
    ) throws(PixelError) -> [UInt64: [MatroskaElement]] {
        var found: [UInt64: [MatroskaElement]] = [:]
        var count = 0
        var rest = segment
        while let part = try rest.next() {
            guard case .media(let element) = part else { continue }
            let block: MatroskaElement? =
                switch element.id {
                case ID.simpleBlock: element
                case ID.blockGroup:
                    try elements(in: element.content).first { $0.id == ID.block }
                default: nil
                }
            guard let block,
                let (number, _) = MatroskaElement.number(block.content.bytes(count: 8)),
                tracks.contains(number)
            else { continue }
            count += 1
            guard count < Self.maximumBoxes * 4 else { throw .locationStays }
            found[number, default: []].append(element)
        }
        return found
    }
}

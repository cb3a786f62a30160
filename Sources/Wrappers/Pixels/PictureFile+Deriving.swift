// SPDX-License-Identifier: MIT

package import Files
package import Photos

/// A file derived from another file.
package struct DerivedPicture: Sendable {
    package let bytes: [UInt8]
    /// Whether the old file contained a location and this one does not.
    package let isLocationRemoved: Bool
    /// Whether the pixels changed, not only the metadata.
    package let isConverted: Bool
    /// The parts of the old file that these bytes replace, in order; nil for a whole file.
    ///
    /// The rest of the old file is unchanged.
    package var parts: [Range<Int>]?
    /// A sealed file that holds these bytes; nil if they have not been written to one.
    package var file: Descriptor?
}

extension PictureFile {
    /// The largest file to read completely, in bytes; several copies must fit in memory.
    private static let maximumFile = 100 << 20
    /// How many bytes are read at a time: a photo in one piece, so that no piece is copied.
    ///
    /// Memory that is not filled costs nothing.
    private static let readSize = 8 << 20

    /// Derives a file as requested.
    ///
    /// A JPEG that is only turned, cropped along its grid of blocks, or stripped of its location is
    /// not decoded, unless it must be upright and its blocks cannot be turned. Any other change decodes the picture once and encodes it until it fits.
    ///
    /// - Returns: Nil if the file already meets the requirements.
    /// - Throws: ``PixelError``, for example `.tooLarge` if no size fits in the allowed number of
    ///   bytes.
    /// - Isolation: any thread; blocks for one decode and several encodes.
    package static func derive(
        _ file: Descriptor, _ derivation: Derivation
    ) throws(PixelError) -> DerivedPicture? {
        let picture = try PictureFile(FileBytes(file))
        let facts = picture.facts
        try picture.checkSize()
        if facts.mediaType.isVideo, derivation.removesMetadata { throw .unsupported }
        if facts.mediaType.isVideo {
            return derivation.removesLocation ? try withoutLocation(picture) : nil
        }
        if derivation.picture != nil, facts.size == nil {
            // Only decoding finds out what is wrong.
            _ = try picture.stored(fitting: 1, .fast)
            throw .damaged
        }
        guard let change = derivation.picture, let work = Conversion(change, of: picture) else {
            guard derivation.removesLocation else { return nil }
            if derivation.removesMetadata { return try withoutMetadata(picture) }
            return try withoutLocation(picture)
        }
        if work.isLossless {
            let original = try wholeFile(file)
            if let turned = try work.turned(original, derivation) { return turned }
            if let tagged = try work.tagged(original, derivation) { return tagged }
        }
        let bytes = try work.encoded(
            derivation.removesMetadata
                ? .none
                : try CarriedMetadata(of: picture, removesLocation: derivation.removesLocation))
        guard derivation.removesLocation else {
            return DerivedPicture(bytes: bytes, isLocationRemoved: false, isConverted: true)
        }
        let hadLocation = try LocationRemoval.isNeeded(for: picture.bytes)
        // Only known fields of EXIF data are taken over, but text may be in them.
        let final = LocationScan.findsPlace(in: bytes) ? try work.encoded(.none) : bytes
        guard !LocationScan.findsPlace(in: final) else { throw .locationStays }
        return DerivedPicture(bytes: final, isLocationRemoved: hadLocation, isConverted: true)
    }

    /// Changes the metadata alone, or writes a picture anew if it is too strange for that.
    private static func withoutLocation(
        _ picture: PictureFile
    ) throws(PixelError) -> DerivedPicture? {
        if picture.facts.mediaType == .compressedSVG {
            return try drawingWithoutLocation(picture)
        }
        let content = try LocationRemoval.content(of: picture.bytes)
        let parts: [Patch.Part]
        do throws(PixelError) {
            parts = try LocationRemoval.parts(of: content) { () throws(PixelError) in
                try PacketCheck.expectPossible(for: picture.facts.mediaType)
            }
        } catch {
            let facts = picture.facts
            guard error == .locationStays, !facts.isAnimated,
                let format = OutputFormat(facts.mediaType), let size = facts.size
            else { throw error }
            let change = PictureChange(format: format, size: size, quality: 95, isStandard: true)
            let bytes = try Conversion(again: change, of: picture).encoded(.none)
            guard !LocationScan.findsPlace(in: bytes) else { throw .locationStays }
            return DerivedPicture(bytes: bytes, isLocationRemoved: true, isConverted: true)
        }
        guard !parts.isEmpty else { return nil }
        try checkPicture(picture, content, with: parts)
        try PacketCheck.check(picture, with: parts)
        return DerivedPicture(
            bytes: parts.flatMap(\.bytes), isLocationRemoved: true, isConverted: false,
            parts: parts.map(\.range))
    }

    /// Changes the metadata of a compressed drawing, and compresses it again.
    private static func drawingWithoutLocation(
        _ picture: PictureFile
    ) throws(PixelError) -> DerivedPicture? {
        let drawing = try wholeFile(picture.content.file)
        let edited = try LocationRemoval.apply(to: drawing)
        guard edited != nil || CompressedDrawing.hasRemarks(picture.bytes) else { return nil }
        let bytes = try CompressedDrawing.file(with: edited ?? drawing)
        let facts = picture.facts
        _ = try OutputCheck(bytes, is: facts.mediaType, facts.size, facts.orientation)
        return DerivedPicture(bytes: bytes, isLocationRemoved: true, isConverted: false)
    }

    /// Makes sure that changes leave the picture alone; larger files are only searched, and videos
    /// have ``PacketCheck``.
    private static func checkPicture(
        _ picture: PictureFile, _ content: Block, with parts: [Patch.Part]
    ) throws(PixelError) {
        guard picture.facts.mediaType.isImage, content.count <= maximumFile else { return }
        var changed = Array(content.bytes(count: content.count))
        for part in parts where part.range.upperBound <= changed.count {
            changed.replaceSubrange(part.range, with: part.bytes)
        }
        let check = try UnchangedPicture.check(changed, madeFrom: content, picture.facts)
        if UnchangedPicture.decoded.contains(picture.facts.mediaType) {
            try check.shows(sameAs: picture)
        }
    }

    /// The same picture without metadata, encoded again if its file cannot be rewritten.
    private static func withoutMetadata(
        _ picture: PictureFile
    ) throws(PixelError) -> DerivedPicture? {
        let original = try wholeFile(picture.bytes.file)
        let facts = picture.facts
        if let bytes = MetadataStripping.stripped(original, facts.mediaType, facts.orientation) {
            guard bytes != original else { return nil }
            try UnchangedPicture.check(bytes, madeFrom: Block(original[...]), facts)
            return DerivedPicture(bytes: bytes, isLocationRemoved: false, isConverted: false)
        }
        // An animation would end; and the receiver of a reply knows only the formats that we write.
        guard let format = OutputFormat(facts.mediaType), let size = facts.size,
            !facts.isAnimated
        else { throw .unsupported }
        let change = PictureChange(
            format: format, size: size, quality: OutputOptions().quality)
        let bytes = try Conversion(again: change, of: picture).encoded(.none)
        return DerivedPicture(bytes: bytes, isLocationRemoved: false, isConverted: true)
    }

    /// Reads to the end, because a decoder process cannot query the size of a file.
    private static func wholeFile(_ file: Descriptor) throws(PixelError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let part: [UInt8]
            do {
                part = try file.read(upTo: readSize, at: Int64(bytes.count))
            } catch {
                throw .unreadable
            }
            let isLast = part.count < readSize
            if bytes.isEmpty { bytes = part } else { bytes += part }
            if isLast { return bytes }
            guard bytes.count <= maximumFile else { throw .tooLarge }
        }
    }
}

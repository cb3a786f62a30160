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
}

extension PictureFile {
    /// The largest file to read completely, in bytes; several copies must fit in memory.
    private static let maximumFile = 100 << 20

    /// Derives a file as requested.
    ///
    /// A JPEG that is only turned, cropped along its grid of blocks, or stripped of its location is
    /// not decoded. Any other change decodes the picture once and encodes it until it fits.
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
        if facts.mediaType.isVideo { return try withoutLocation(picture.bytes, derivation) }
        if derivation.picture != nil, facts.size == nil { throw .damaged }
        guard let change = derivation.picture, let work = Conversion(change, of: picture) else {
            guard derivation.removesLocation else { return nil }
            if derivation.removesMetadata { return try withoutMetadata(picture) }
            let original = try wholeFile(file)
            guard
                let bytes = LocationRemoval.apply(
                    to: original, facts.mediaType, exif: picture.exif)
            else { return nil }
            try UnchangedPicture.check(bytes, madeFrom: original, facts)
            return DerivedPicture(bytes: bytes, isLocationRemoved: true, isConverted: false)
        }
        if work.isLossless,
            let turned = try work.turned(try wholeFile(file), derivation)
        {
            return turned
        }
        // Only needed for the report, because only EXIF is copied from the old metadata. A file
        // that is too large to search counts as one without a location.
        var hasLocation = false
        if derivation.removesLocation, let bytes = try? wholeFile(file) {
            hasLocation =
                LocationRemoval.apply(to: bytes, facts.mediaType, exif: picture.exif) != nil
        }
        let bytes = try work.encoded(
            derivation.removesMetadata
                ? .none : CarriedEXIF(of: picture, removesLocation: derivation.removesLocation))
        return DerivedPicture(bytes: bytes, isLocationRemoved: hasLocation, isConverted: true)
    }

    /// The same picture without metadata, encoded again if its file cannot be rewritten.
    private static func withoutMetadata(
        _ picture: PictureFile
    ) throws(PixelError) -> DerivedPicture? {
        let original = try wholeFile(picture.bytes.file)
        let facts = picture.facts
        if let bytes = MetadataStripping.stripped(original, facts.mediaType, facts.orientation) {
            guard bytes != original else { return nil }
            try UnchangedPicture.check(bytes, madeFrom: original, facts)
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

    private static func withoutLocation(
        _ video: FileBytes, _ derivation: Derivation
    ) throws(PixelError) -> DerivedPicture? {
        guard derivation.removesLocation, let patch = try MovieLocation.removed(from: video) else {
            return nil
        }
        return DerivedPicture(
            bytes: patch.bytes, isLocationRemoved: true, isConverted: false, parts: patch.ranges)
    }

    /// Reads to the end, because a decoder process cannot query the size of a file.
    private static func wholeFile(_ file: Descriptor) throws(PixelError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let part: [UInt8]
            do {
                part = try file.read(upTo: 1 << 20, at: Int64(bytes.count))
            } catch {
                throw .unreadable
            }
            bytes += part
            if part.count < 1 << 20 { return bytes }
            guard bytes.count <= maximumFile else { throw .tooLarge }
        }
    }
}

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
        if facts.mediaType.isVideo { return try withoutLocation(picture.bytes, derivation) }
        if derivation.picture != nil, facts.size == nil { throw .damaged }
        guard let change = derivation.picture, let work = Conversion(change, of: picture) else {
            guard derivation.removesLocation else { return nil }
            return LocationRemoval.apply(
                to: try wholeFile(file), facts.mediaType, exif: picture.exif
            ).map { DerivedPicture(bytes: $0, isLocationRemoved: true, isConverted: false) }
        }
        if work.isLossless,
            let turned = try work.turned(try wholeFile(file), derivation.removesLocation)
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
            described(picture.exif, removesLocation: derivation.removesLocation))
        return DerivedPicture(bytes: bytes, isLocationRemoved: hasLocation, isConverted: true)
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

    /// Returns a function that updates EXIF data for a new size of the picture.
    private static func described(
        _ data: ArraySlice<UInt8>?, removesLocation: Bool
    ) -> (PixelSize) -> [UInt8] {
        { size in
            var exif = Array(data ?? [])
            if removesLocation {
                var patch = Patch()
                _ = patch.removeGPS(from: Block(exif[...]))
                patch.apply(to: &exif)
            }
            var patch = Patch()
            patch.describe(size, isStandard: true, in: Block(exif[...]))
            patch.apply(to: &exif)
            return exif
        }
    }
}

// SPDX-License-Identifier: MIT

package import Files
package import Photos

/// A file that was made of another one.
package struct DerivedPicture: Sendable {
    package let bytes: [UInt8]
    /// Whether a location was in the old file that is not in this one.
    package let isLocationRemoved: Bool
    /// Whether the picture is another one, and not only what is said about it.
    package let isConverted: Bool
    /// What of the old file the bytes stand for, one after the other, the rest being the same; nil
    /// for a whole file.
    package var parts: [Range<Int>]?
}

extension PictureFile {
    /// The largest file that is read whole, in bytes; several copies of it must fit in memory.
    private static let maximumFile = 100 << 20

    /// Makes a file as somebody wants it.
    ///
    /// A JPEG that is only turned, cut along its grid of blocks, or loses its location is not
    /// decoded; everything else is decoded once and encoded until it fits.
    ///
    /// - Returns: Nil when the file is already as it is wanted.
    /// - Throws: ``PixelError``; `.tooLarge` also when no size fits into the bytes allowed.
    /// - Isolation: any thread; blocks for one decode and some encodes.
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
        // Only to tell: of the old metadata nothing but EXIF comes along. A file that is too large to
        // be searched counts as one without a location.
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

    /// Reads to the end: a decoder may not ask how large a file is.
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

    /// A function that says what becomes of EXIF data when its picture gets another size.
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

// SPDX-License-Identifier: MIT

import Photos

/// The metadata that a converted picture takes over from the original: EXIF data, with the texts and
/// the date that the original has only elsewhere, and a packet with what people wrote.
struct CarriedMetadata {
    /// All EXIF data, if it is in one piece and may stay as it is.
    private let whole: [UInt8]
    /// What is known of it, written anew.
    private let rebuilt: [UInt8]
    /// Packets of which the first that fits is the best.
    private let packets: [[UInt8]]

    /// Nothing is taken over.
    static let none = CarriedMetadata()

    private init() {
        (whole, rebuilt, packets) = ([], [], [])
    }

    /// - Parameter removesLocation: Whether a location must not be taken over. Then only known
    ///   fields are, because makers' notes and unknown ones may contain it.
    /// - Throws: ``PixelError/locationStays`` if the fields are too strange to be searched for one.
    init(of picture: PictureFile, removesLocation: Bool) throws(PixelError) {
        let written = picture.written
        let all = PhotoTexts(written)
        let texts = removesLocation ? all.withoutPlaces : all
        whole =
            removesLocation
            ? [] : picture.exif.map { EXIFSource.adding(texts, to: Array($0)) } ?? []
        let rebuilt = EXIFSource.rebuilt(
            picture.metadata, keepsLocation: !removesLocation, texts: texts)
        // People write positions into descriptions and comments, too.
        self.rebuilt =
            removesLocation && !rebuilt.isEmpty ? try LocationEditor.exif(rebuilt) : rebuilt
        packets = CarriedXMP.packets(written, texts, removesLocation: removesLocation)
    }

    /// The metadata for a picture of another size, which is upright and in sRGB.
    ///
    /// - Parameters:
    ///   - room: The most bytes of each kind that the format has room for.
    ///   - share: The most bytes of the fields that are known; half as much of anything else.
    func described(
        for size: PixelSize, room: FileMetadata.Room, share: Int
    ) -> FileMetadata {
        let longest = min(room.xmp, share / 2)
        return FileMetadata(
            exif: exif(
                for: size, limit: min(room.exif, share / 2), limitOfRest: min(room.exif, share)),
            xmp: packets.first { $0.count <= longest } ?? [])
    }

    /// The EXIF data.
    ///
    /// - Parameters:
    ///   - limit: The most bytes of all data; if there is more, previews and makers' notes are left
    ///     out.
    ///   - limitOfRest: The most bytes of what is left then; if there is more, all is left out.
    /// - Returns: A TIFF structure, or nothing.
    private func exif(for size: PixelSize, limit: Int, limitOfRest: Int) -> [UInt8] {
        for (data, limit) in [(whole, limit), (rebuilt, limitOfRest)]
        where !data.isEmpty && data.count <= limit {
            var exif = data
            var patch = Patch()
            patch.describe(size, isStandard: true, in: Block(exif[...]))
            patch.apply(to: &exif)
            // Damaged data cannot be changed in place, and would turn the picture once more.
            if EXIF(tiff: exif[...]).orientation ?? .upright == .upright { return exif }
        }
        return []
    }
}

/// Metadata that is written into a file.
struct FileMetadata {
    /// EXIF data, starting with the byte order; empty for none.
    var exif: [UInt8] = []
    /// An XMP packet in UTF-8; empty for none.
    var xmp: [UInt8] = []

    /// The most bytes of each kind that fit into a format.
    typealias Room = (exif: Int, xmp: Int)
}

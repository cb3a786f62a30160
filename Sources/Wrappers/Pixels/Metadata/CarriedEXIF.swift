// SPDX-License-Identifier: MIT

import Photos

/// The EXIF data that a converted picture takes over from the original, with the texts and the
/// date that the original has only in other metadata.
struct CarriedEXIF {
    /// All of it, if it is in one piece and may stay as it is.
    private let whole: [UInt8]
    /// What is known of it, written anew.
    private let rebuilt: [UInt8]

    /// Nothing is taken over.
    static let none = CarriedEXIF(whole: [], rebuilt: [])

    private init(whole: [UInt8], rebuilt: [UInt8]) {
        self.whole = whole
        self.rebuilt = rebuilt
    }

    /// - Parameter removesLocation: Whether a location must not be taken over. Then only known
    ///   fields are, because makers' notes and unknown ones may contain it.
    /// - Throws: ``PixelError/locationStays`` if the fields are too strange to be searched for one.
    init(of picture: PictureFile, removesLocation: Bool) throws(PixelError) {
        let texts = removesLocation ? picture.texts.withoutPlaces : picture.texts
        whole =
            removesLocation
            ? [] : picture.exif.map { EXIFSource.adding(texts, to: Array($0)) } ?? []
        let rebuilt = EXIFSource.rebuilt(
            picture.metadata, keepsLocation: !removesLocation, texts: texts)
        // People write positions into descriptions and comments, too.
        self.rebuilt =
            removesLocation && !rebuilt.isEmpty ? try LocationEditor.exif(rebuilt) : rebuilt
    }

    /// The data for a picture of another size, which is upright and in sRGB.
    ///
    /// - Parameters:
    ///   - limit: The most bytes of all data; if there is more, previews and makers' notes are left
    ///     out.
    ///   - limitOfRest: The most bytes of what is left then; if there is more, all is left out.
    /// - Returns: A TIFF structure, or nothing.
    func described(for size: PixelSize, limit: Int, limitOfRest: Int) -> [UInt8] {
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

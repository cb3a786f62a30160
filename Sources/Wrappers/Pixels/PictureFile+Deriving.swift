// SPDX-License-Identifier: MIT

internal import CCodecs
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
        let content = try FileBytes(file)
        let facts = try ImageFacts(reading: content)
        if let size = facts.storedSize, !PixelLimits.allow(size) { throw .tooLarge }
        if facts.mediaType.isVideo { return try withoutLocation(content, derivation) }
        let exif = EXIF.data(of: content, facts.mediaType)
        if derivation.picture != nil, facts.size == nil { throw .damaged }
        guard let change = derivation.picture,
            let work = Conversion(change, facts, file)
        else {
            guard derivation.removesLocation else { return nil }
            return LocationRemoval.apply(to: try wholeFile(file), facts.mediaType, exif: exif)
                .map { DerivedPicture(bytes: $0, isLocationRemoved: true, isConverted: false) }
        }
        if work.isLossless,
            let turned = try work.turned(try wholeFile(file), derivation.removesLocation)
        {
            return turned
        }
        // Only to tell: of the old metadata nothing but EXIF comes along.
        var hasLocation = false
        if derivation.removesLocation, let bytes = try? wholeFile(file) {
            hasLocation = LocationRemoval.apply(to: bytes, facts.mediaType, exif: exif) != nil
        }
        let bytes = try work.encoded(
            EXIF.described(exif, removesLocation: derivation.removesLocation))
        return DerivedPicture(bytes: bytes, isLocationRemoved: hasLocation, isConverted: true)
    }

    private static func withoutLocation(
        _ video: FileBytes, _ derivation: Derivation
    ) throws(PixelError) -> DerivedPicture? {
        guard derivation.removesLocation, let edited = try MovieLocation.removed(from: video) else {
            return nil
        }
        return DerivedPicture(
            bytes: edited.bytes, isLocationRemoved: true, isConverted: false, parts: edited.parts)
    }

    /// Reads to the end: a decoder may not ask how large a file is.
    private static func wholeFile(_ file: Descriptor) throws(PixelError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            guard let part = try? file.read(upTo: 1 << 20, at: Int64(bytes.count)) else {
                throw .unreadable
            }
            bytes += part
            if part.count < 1 << 20 { return bytes }
            guard bytes.count <= maximumFile else { throw .tooLarge }
        }
    }
}

extension EXIF {
    /// The EXIF data of a file, from the byte order on; nil where there is none, or where it is
    /// the file itself.
    static func data(of file: FileBytes, _ type: MediaType) -> ArraySlice<UInt8>? {
        switch type {
        case .jpeg: JPEGHeader(file).exif?.data
        case .png: PNGChunks(file).exif?.data
        case .webp: WebPChunks(file).exif?.data
        case .heic, .heif, .avif: CodecFacts.heif(file.file).exif?.data
        case .jpegXL: CodecFacts.jpegXL(file.file).exif?.data
        default: nil
        }
    }

    /// A function that says what becomes of EXIF data when its picture gets another size.
    fileprivate static func described(
        _ data: ArraySlice<UInt8>?, removesLocation: Bool
    ) -> (PixelSize) -> [UInt8] {
        { size in
            guard let data else { return [] }
            var editor = MetadataEditor(Array(data))
            if removesLocation { _ = editor.removeGPS(at: 0) }
            editor.describe(size, isStandard: true, at: 0)
            return editor.bytes
        }
    }
}

/// A picture that must change, and how.
private struct Conversion {
    let change: PictureChange
    let facts: ImageFacts
    let file: Descriptor
    /// The upright size.
    let whole: PixelSize
    /// Whether its colours are not those of sRGB.
    let hasOtherColours: Bool

    /// Nil when the file is already as it is wanted.
    init?(_ change: PictureChange, _ facts: ImageFacts, _ file: Descriptor) {
        self.change = change
        self.facts = facts
        self.file = file
        whole = facts.size ?? change.size
        let keepsFormat = OutputFormat(facts.mediaType) == change.format
        // GIF is as compatible as it gets, if its pixels may stay.
        let mayStay = keepsFormat || (change.isStandard && facts.mediaType == .gif)
        let keepsSize = change.clip == nil && change.size == whole
        let fits = change.maximumByteCount.map { file.hasAtMost($0) } ?? true
        hasOtherColours = change.isStandard && Codecs.hasOtherColours(file, facts.mediaType)
        let isUpright = !change.isStandard || facts.orientation == .upright
        if mayStay && keepsSize && fits && isUpright && !hasOtherColours { return nil }
    }

    /// Whether the coefficients of a JPEG can stay.
    var isLossless: Bool {
        facts.mediaType == .jpeg && change.format == .jpeg && !hasOtherColours
            && change.size == change.clip?.size ?? whole
            && (change.clip != nil || facts.orientation != .upright)
    }

    /// The turned and cut file; nil when that cannot be had without decoding.
    func turned(_ bytes: [UInt8], _ removesLocation: Bool) throws(PixelError) -> DerivedPicture? {
        let clip = change.clip
        var area = pp_clip(
            x: UInt32(clamping: clip?.x ?? 0), y: UInt32(clamping: clip?.y ?? 0),
            width: UInt32(clamping: clip?.width ?? 0), height: UInt32(clamping: clip?.height ?? 0))
        let orientation = UInt32(facts.orientation.rawValue)
        let isProgressive: Int32 = JPEGPicture.isProgressive(file) ? 1 : 0
        let result = try? output {
            pp_jpeg_turn(
                bytes, bytes.count, orientation, isProgressive, &area, &$0)
        }
        guard let result, JPEGFile.size(of: result) == change.size else { return nil }
        var editor = MetadataEditor(result)
        if let base = JPEGFile.exifPosition(in: result) {
            editor.describe(change.size, isStandard: change.isStandard, at: base)
        }
        let described = JPEGFile.withoutSecondPictures(editor.bytes)
        let hidden =
            removesLocation ? LocationRemoval.apply(to: described, .jpeg, exif: nil) : nil
        let final = hidden ?? described
        if let most = change.maximumByteCount, UInt64(final.count) > most { return nil }
        return DerivedPicture(bytes: final, isLocationRemoved: hidden != nil, isConverted: true)
    }

    // MARK: - Decoding and encoding

    /// Below this quality a smaller picture looks better.
    private static let lowestQuality = 30
    /// More attempts than it takes to make any picture a single pixel.
    private static let attempts = 40

    /// The file, at the best quality and size whose bytes are allowed.
    ///
    /// - Parameter exif: The metadata for a picture of a size.
    func encoded(_ exif: (PixelSize) -> [UInt8]) throws(PixelError) -> [UInt8] {
        var bitmap = try decoded()
        var quality = change.quality
        for _ in 0..<Self.attempts {
            let bytes = try bitmap.encoded(
                as: change.format, quality: quality, exif: exif(bitmap.size))
            guard let most = change.maximumByteCount, UInt64(bytes.count) > most else {
                return bytes
            }
            if change.format != .png, quality > Self.lowestQuality {
                quality = max(Self.lowestQuality, quality * 4 / 5)
                continue
            }
            let share = min(0.9, (Double(most) / Double(bytes.count)).squareRoot() * 0.95)
            guard bitmap.size != PixelSize(width: 1, height: 1) else { throw .tooLarge }
            bitmap = bitmap.scaled(
                to: PixelSize(
                    width: Int(Double(bitmap.size.width) * share),
                    height: Int(Double(bitmap.size.height) * share)))
        }
        throw .tooLarge
    }

    private func decoded() throws(PixelError) -> Bitmap {
        let part = change.clip?.clamped(to: whole) ?? PixelRectangle(whole)
        let target = change.size.fitted(in: change.format.maximumSide)
            .reduced(to: change.format.maximumPixels)
        guard !part.size.isEmpty, !target.isEmpty else { throw .damaged }
        let scale = min(
            1,
            max(
                Double(target.width) / Double(part.width),
                Double(target.height) / Double(part.height)))
        let side = (Double(max(whole.width, whole.height)) * scale).rounded(.up)
        let bitmap = try Codecs.decode(file, facts, fitting: max(1, Int(side)), .exact)
            .upright(from: facts.orientation)
        return bitmap.cropped(to: part.mapped(from: whole, to: bitmap.size)).scaled(to: target)
            .enlarged(to: target)
    }
}

extension Descriptor {
    /// Whether the file ends before one more byte.
    fileprivate func hasAtMost(_ count: UInt64) -> Bool {
        guard let offset = Int64(exactly: count) else { return true }
        return (try? read(upTo: 1, at: offset))?.isEmpty ?? false
    }
}

extension PixelRectangle {
    /// The same part of a picture of another size; never empty.
    fileprivate func mapped(from picture: PixelSize, to other: PixelSize) -> PixelRectangle {
        guard other != picture else { return self }
        let horizontally = Double(other.width) / Double(picture.width)
        let vertically = Double(other.height) / Double(picture.height)
        let left = min(Int((Double(x) * horizontally).rounded()), other.width - 1)
        let top = min(Int((Double(y) * vertically).rounded()), other.height - 1)
        let width = max(1, Int((Double(width) * horizontally).rounded()))
        let height = max(1, Int((Double(height) * vertically).rounded()))
        return PixelRectangle(
            x: left, y: top, width: min(width, other.width - left),
            height: min(height, other.height - top))
    }
}

// SPDX-License-Identifier: MIT

internal import CCodecs
import Files
import Photos

/// A picture that must change, and the changes.
struct Conversion {
    private let change: PictureChange
    private let picture: PictureFile
    /// The size of the upright picture after the quarter turns.
    private let whole: PixelSize
    /// The part of that picture that is kept; nil for all of it.
    private let part: PixelRectangle?
    /// Whether the picture must be encoded again to be what every program shows as it is meant.
    private let isUnusual: Bool

    private var facts: ImageFacts { picture.facts }

    /// Nil if the file already meets the requirements.
    init?(_ change: PictureChange, of picture: PictureFile) {
        self.change = change
        self.picture = picture
        let facts = picture.facts
        (whole, part) = Self.turned(change, facts)
        let keepsFormat = OutputFormat(facts.mediaType) == change.format
        // GIF is compatible with everything, if its pixels need no change.
        let mayStay = keepsFormat || (change.isStandard && facts.mediaType == .gif)
        let keepsPicture =
            change.clip == nil && change.rotation == .none && !change.isRound
            && change.size == whole
        let fits = change.maximumByteCount.map { picture.bytes.file.hasAtMost($0) } ?? true
        isUnusual = change.isStandard && !picture.isStandard
        let isUpright = !change.isStandard || facts.orientation == .upright
        if mayStay && keepsPicture && fits && isUpright && !isUnusual { return nil }
    }

    /// A picture that is encoded again in any case.
    init(again change: PictureChange, of picture: PictureFile) {
        self.change = change
        self.picture = picture
        (whole, part) = Self.turned(change, picture.facts)
        isUnusual = false
    }

    private static func turned(
        _ change: PictureChange, _ facts: ImageFacts
    ) -> (PixelSize, PixelRectangle?) {
        guard let upright = facts.size else { return (change.size, change.clip) }
        // Around the middle, it makes no difference that the angle comes first.
        return (
            change.rotation.applied(to: upright),
            change.clip.map { part in
                // What is outside stays what it is, which is an error.
                part.clamped(to: upright) == part
                    ? change.rotation.applied(to: part, in: upright) : part
            }
        )
    }

    /// How the stored picture becomes the one of which a part is kept.
    private var orientation: Orientation { facts.orientation.turned(by: change.rotation) }

    /// Whether the coefficients of a JPEG can be kept.
    var isLossless: Bool {
        facts.mediaType == .jpeg && change.format == .jpeg && !isUnusual
            && change.rotation.hundredths == 0 && change.size == part?.size ?? whole
            && (part != nil || facts.orientation != .upright || change.rotation != .none)
    }

    /// The file turned and cropped without decoding; nil if that is impossible.
    func turned(_ bytes: [UInt8], _ derivation: Derivation) throws(PixelError) -> DerivedPicture? {
        var area = pp_clip(
            x: UInt32(clamping: part?.x ?? 0), y: UInt32(clamping: part?.y ?? 0),
            width: UInt32(clamping: part?.width ?? 0), height: UInt32(clamping: part?.height ?? 0))
        let orientation = UInt32(orientation.rawValue)
        var means = pp_block_means()
        defer { pp_block_means_free(&means) }
        // A picture that cannot be turned without decoding is decoded.
        let turned = try? output {
            pp_jpeg_turn(bytes, bytes.count, orientation, &area, &$0, &means)
        }
        guard var described = turned, JPEGFile.size(of: described) == change.size else {
            return nil
        }
        JPEGFile.describe(&described, change.size, isStandard: change.isStandard)
        JPEGFile.removeSecondPictures(&described)
        let hidden: [UInt8]?
        if derivation.removesMetadata {
            hidden = MetadataStripping.stripped(described, .jpeg, .upright)
            guard hidden != nil else { return nil }
        } else if derivation.removesLocation {
            hidden = try LocationRemoval.apply(to: described)
        } else {
            hidden = nil
        }
        let final = hidden ?? described
        if let most = change.maximumByteCount, UInt64(final.count) > most { return nil }
        // If the result is wrong, the picture is decoded instead.
        guard let check = try? OutputCheck(final, is: .jpeg, change.size, .upright),
            (try? check.hasBlocks(&means)) != nil
        else { return nil }
        return DerivedPicture(
            bytes: final, isLocationRemoved: hidden != nil, isConverted: true, file: check.file)
    }

    /// The file with another orientation in its metadata, for a picture whose blocks cannot be turned; nil
    /// if that is impossible, or if the stored picture must be upright.
    func tagged(_ bytes: [UInt8], _ derivation: Derivation) throws(PixelError) -> DerivedPicture? {
        guard part == nil, !change.isStandard else { return nil }
        var final = bytes
        var hidesLocation = false
        if derivation.removesMetadata {
            guard let stripped = MetadataStripping.stripped(bytes, .jpeg, orientation) else {
                return nil
            }
            final = stripped
        } else {
            guard JPEGFile.orient(&final, orientation) else { return nil }
            if derivation.removesLocation, let hidden = try LocationRemoval.apply(to: final) {
                final = hidden
                hidesLocation = true
            }
        }
        if let most = change.maximumByteCount, UInt64(final.count) > most { return nil }
        let original = Block(bytes[...])
        // If the result is wrong, the picture is decoded instead.
        guard
            (try? UnchangedPicture.check(
                final, madeFrom: original, .jpeg, change.size, orientation)) != nil
        else { return nil }
        return DerivedPicture(bytes: final, isLocationRemoved: hidesLocation, isConverted: true)
    }

    // MARK: - Decoding and encoding

    /// Below this quality, a smaller picture looks better.
    private static let lowestQuality = 30
    /// More attempts than it takes to scale any picture down to a single pixel.
    private static let attempts = 40

    /// The file in the best quality and size that fit in the allowed number of bytes.
    ///
    func encoded(_ metadata: CarriedMetadata) throws(PixelError) -> [UInt8] {
        var bitmap = try decoded()
        var quality = change.quality
        for _ in 0..<Self.attempts {
            let bytes = try bitmap.encoded(
                as: change.format, quality: quality,
                metadata: metadata.described(
                    for: bitmap.size, room: change.format.room, share: shareOfMetadata),
                isSmall: change.maximumByteCount != nil)
            guard let most = change.maximumByteCount, UInt64(bytes.count) > most else {
                try OutputCheck(bytes, is: change.format.mediaType, bitmap.size, .upright)
                    .shows(bitmap)
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

    /// The most bytes of each kind of metadata: a small part of a file that must be small.
    private var shareOfMetadata: Int {
        change.maximumByteCount.map { Int(clamping: $0) / 4 } ?? .max
    }

    private func decoded() throws(PixelError) -> Bitmap {
        let part = part ?? PixelRectangle(whole)
        // A part that is not there cannot be cut out.
        guard part.clamped(to: whole) == part else { throw .damaged }
        let target = change.size.fitted(in: change.format.maximumSide)
            .reduced(to: change.format.maximumPixels)
        guard !part.size.isEmpty, !target.isEmpty else { throw .damaged }
        let scale = min(
            1,
            max(
                Double(target.width) / Double(part.width),
                Double(target.height) / Double(part.height)))
        let side = (Double(max(whole.width, whole.height)) * scale).rounded(.up)
        let bitmap = try picture.stored(fitting: max(1, Int(side)), .exact)
            .upright(from: orientation)
        // Positions in a picture of another shape mean something else.
        guard bitmap.size.hasShape(of: whole) else { throw .damaged }
        let place = part.mapped(from: whole, to: bitmap.size)
        let degrees = change.rotation.degrees
        let cut =
            degrees == 0
            ? bitmap.cropped(to: place) : bitmap.straightened(by: degrees, part: place)
        let scaled = cut.scaled(to: target).enlarged(to: target)
        return change.isRound ? scaled.round : scaled
    }
}

extension Descriptor {
    /// Whether the file has at most this number of bytes.
    fileprivate func hasAtMost(_ count: UInt64) -> Bool {
        guard let offset = Int64(exactly: count) else { return true }
        // A file that cannot be read fails later, when it is decoded.
        return (try? read(upTo: 1, at: offset))?.isEmpty ?? false
    }
}

extension PixelSize {
    /// Whether this can be a smaller version of a picture: each side may be rounded, and a camera's
    /// preview may show a little less than its sensor.
    fileprivate func hasShape(of other: PixelSize) -> Bool {
        let scale = Double(max(width, height)) / Double(max(other.width, other.height))
        return [(width, other.width), (height, other.height)].allSatisfy { side, whole in
            abs(Double(whole) * scale - Double(side))
                <= max(1.5, Double(side) * JPEGPicture.shapeTolerance)
        }
    }
}

extension OutputFormat {
    /// The most bytes of metadata.
    fileprivate var room: FileMetadata.Room {
        guard self == .jpeg else { return (8 << 20, 8 << 20) }
        // A segment has a length of two bytes, and a name.
        let most = 65_533
        return (
            most - JPEGSegments.Segment.exifName.count, most - JPEGSegments.Segment.xmpName.count
        )
    }
}

extension PixelRectangle {
    /// The corresponding part of a picture of another size; never empty.
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

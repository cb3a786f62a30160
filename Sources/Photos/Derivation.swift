// SPDX-License-Identifier: MIT

/// The changes that a photo's file needs before it is delivered to an app.
package struct Derivation: Hashable, Sendable {
    /// Whether location data is removed.
    package var removesLocation: Bool
    /// Whether all metadata is removed but orientation and colour; includes the location.
    package var removesMetadata: Bool
    /// The changes to the picture itself; nil to keep its encoded data.
    package var picture: PictureChange?

    package init(
        removesLocation: Bool, removesMetadata: Bool = false, picture: PictureChange? = nil
    ) {
        self.removesLocation = removesLocation || removesMetadata
        self.removesMetadata = removesMetadata
        self.picture = picture
    }
}

/// How large a small picture is that comes with a photo.
package enum SmallPictureForm: Hashable, Sendable {
    /// A thumbnail, by its longer side in pixels.
    case thumbnail(side: Int)
    /// A picture by ``PreviewRule``.
    case preview

    fileprivate func size(of picture: PixelSize) -> PixelSize {
        switch self {
        case .thumbnail(let side): picture.fitted(in: side)
        case .preview: PreviewRule.size(of: picture)
        }
    }
}

/// The requirements for a derived picture.
///
/// A requirement that the original meets causes no work.
package struct PictureChange: Hashable, Sendable {
    package var format: OutputFormat
    /// The area of the upright picture that is kept, as ``Clip/area``; nil for all of it.
    package var clip: PixelRectangle?
    /// How the picture is turned.
    package var rotation: Rotation
    /// Whether what is outside the circle that touches the sides is transparent; only in PNG.
    package var isRound = false
    /// The size of the result, after cropping and turning.
    package var size: PixelSize
    /// The quality of lossy compression, 1…100.
    package var quality: Int
    /// The maximum number of bytes; quality is lowered first, then size, until the file fits.
    package var maximumByteCount: UInt64?
    /// Whether the result must be upright and in sRGB, even if it needs no other change.
    package var isStandard: Bool

    package init(
        format: OutputFormat, clip: PixelRectangle? = nil, rotation: Rotation = .none,
        size: PixelSize, quality: Int, maximumByteCount: UInt64? = nil, isStandard: Bool = false
    ) {
        self.format = format
        self.clip = clip
        self.rotation = rotation
        self.size = size
        self.quality = quality
        self.maximumByteCount = maximumByteCount
        self.isStandard = isStandard
    }
}

// MARK: - The rule

extension Derivation {
    /// Returns the changes that a request needs; nil if the original can be delivered.
    ///
    /// Videos only have their location removed. Changes of size and type are decided from the header;
    /// whether a file contains a location or another colour space turns out while it is processed.
    ///
    /// - Parameters:
    ///   - facts: The facts from the file's header.
    ///   - byteCount: The size of the file.
    ///   - clip: The area that is delivered; its size, if it has one, is exact.
    ///   - removesLocation: Whether the app must not learn where the photo was taken.
    ///   - removesMetadata: Whether it must not learn anything but what the photo shows.
    package init?(
        of facts: ImageFacts, byteCount: UInt64, options: OutputOptions,
        clip: Clip? = nil, removesLocation: Bool, removesMetadata: Bool = false
    ) {
        guard facts.mediaType.isImage else {
            guard removesLocation || removesMetadata else { return nil }
            self.init(removesLocation: true, removesMetadata: removesMetadata)
            return
        }
        self.init(
            removesLocation: removesLocation, removesMetadata: removesMetadata,
            picture: PictureChange(of: facts, byteCount, options, clip))
        if removesMetadata, picture == nil, OutputFormat(facts.mediaType) == nil,
            let size = facts.size
        {
            // The metadata of other formats can only be left behind.
            picture = PictureChange(
                format: .for(facts.mediaType, accepting: options.formats), size: size,
                quality: options.quality)
        }
        guard self.removesLocation || picture != nil else { return nil }
    }
}

extension Derivation {
    /// A small picture of a photo or a part of it, upright, in sRGB, and without metadata.
    ///
    /// - Parameters:
    ///   - part: The part, whose size does not count; nil for the whole photo.
    ///   - form: How large it is; nothing is enlarged.
    ///   - most: The longer side that it has at most, in pixels; nil for any.
    ///   - options: Those of the photo, which decide whether a circle is cut out of it.
    /// - Returns: Nil for videos, and for a photo of unknown size.
    package init?(
        _ form: SmallPictureForm, of facts: ImageFacts, part: Clip?, atMost most: Int? = nil,
        options: OutputOptions
    ) {
        guard facts.mediaType.isImage, let whole = facts.size, !whole.isEmpty else { return nil }
        let own = [OutputFormat.jpeg, .png].first { $0.mediaType == facts.mediaType }
        let area = part?.isWhole(whole) ?? true ? nil : part?.area
        let isRound = options.allowsCircle(of: part)
        self.init(
            removesLocation: true, removesMetadata: true,
            picture: PictureChange(
                format: isRound ? .png : own ?? facts.mediaType.entry?.conversion ?? .jpeg,
                clip: area,
                rotation: part?.rotation ?? .none,
                size: form.size(of: part?.ownSize ?? whole).fitted(in: most ?? .max),
                quality: Self.thumbnailQuality, isStandard: true))
        picture?.isRound = isRound
    }

    private static let thumbnailQuality = 85
}

extension OutputOptions {
    /// Whether a circle is cut out of a part: where the app wants one, and names the format that keeps it.
    fileprivate func allowsCircle(of part: Clip?) -> Bool {
        part?.isRound == true && formats.contains(.png)
    }
}

extension PictureChange {
    fileprivate init?(
        of facts: ImageFacts, _ byteCount: UInt64, _ options: OutputOptions, _ part: Clip?
    ) {
        let isStandard = options.representation != .original
        let isRound = options.allowsCircle(of: part)
        let format =
            isRound ? .png : OutputFormat.for(facts.mediaType, accepting: options.formats)
        // If the size is unknown, it cannot be compared with the one that is wanted: the file is
        // not delivered as if it were right, and making another is an error.
        let isUnknown = facts.size == nil && (part != nil || options.maximumSide != nil)
        let whole = facts.size ?? PixelSize(width: 0, height: 0)
        // A part outside the picture stays what it is, which is an error as well.
        let area = part.map { $0.area.clamped(to: whole) ?? $0.area }
        let rotation = part?.rotation ?? .none
        let clip = area == PixelRectangle(whole) && rotation.hundredths == 0 ? nil : area
        let size = Self.size(
            rotation.applied(to: clip?.size ?? whole), exact: part?.size, options, format)
        let keepsType =
            Self.isAccepted(facts.mediaType, by: options)
        let isTooLong = options.maximumByteCount.map { byteCount > $0 } ?? false
        guard
            isStandard || clip != nil || rotation != .none || isRound || !keepsType
                || size.wanted != whole || isTooLong || isUnknown
        else { return nil }
        self.init(
            format: format, clip: clip, rotation: rotation, size: size.possible,
            quality: options.quality, maximumByteCount: options.maximumByteCount,
            isStandard: isStandard)
        self.isRound = isRound
        // The limits of a format apply only if the file has to be written anyway.
        if isStandard, clip == nil, rotation == .none, !isRound, keepsType, size.wanted == whole,
            !isTooLong
        {
            self.size = whole
        }
    }

    private static func isAccepted(_ type: MediaType, by options: OutputOptions) -> Bool {
        guard options.formats.isEmpty else {
            return options.formats.contains { $0.mediaType == type }
        }
        // Converting an animation would lose its movement, and every program reads GIF.
        return options.representation == .original || type == .gif || OutputFormat(type) != nil
    }

    /// The requested size, reduced to the limits of the format.
    private static func size(
        _ picture: PixelSize, exact: PixelSize?, _ options: OutputOptions, _ format: OutputFormat
    ) -> (wanted: PixelSize, possible: PixelSize) {
        var wanted = exact ?? picture
        if exact == nil {
            if options.representation == .preview { wanted = PreviewRule.size(of: wanted) }
            if let side = options.maximumSide { wanted = wanted.fitted(in: side) }
        }
        return (
            wanted, wanted.fitted(in: format.maximumSide).reduced(to: format.maximumPixels)
        )
    }
}

// SPDX-License-Identifier: MIT

/// What is made of a photo's file before an app gets it.
package struct Derivation: Hashable, Sendable {
    /// Whether the place where it was taken is removed.
    package var removesLocation: Bool
    /// What becomes of the picture; nil when its bytes stay as they are.
    package var picture: PictureChange?

    package init(removesLocation: Bool, picture: PictureChange? = nil) {
        self.removesLocation = removesLocation
        self.picture = picture
    }
}

/// How a picture has to be in the end; what it is already is not done again.
package struct PictureChange: Hashable, Sendable {
    package var format: OutputFormat
    /// The part that is kept, of the upright picture; nil for all of it.
    package var clip: PixelRectangle?
    /// The size that what is kept gets.
    package var size: PixelSize
    /// Of lossy compression, 1…100.
    package var quality: Int
    /// The most bytes: first quality is lowered, then size, until it fits.
    package var maximumByteCount: UInt64?
    /// Whether it must be upright and in sRGB, and is written again if only that is missing.
    package var isStandard: Bool

    package init(
        format: OutputFormat, clip: PixelRectangle? = nil, size: PixelSize, quality: Int,
        maximumByteCount: UInt64? = nil, isStandard: Bool = false
    ) {
        self.format = format
        self.clip = clip
        self.size = size
        self.quality = quality
        self.maximumByteCount = maximumByteCount
        self.isStandard = isStandard
    }
}

// MARK: - The rule

extension Derivation {
    /// What must be made of a file for what was asked; nil when it can be delivered as it lies.
    ///
    /// Of videos only the location is removed. Where a size must change, or a type, it is known from the
    /// header alone; whether a file has a location or other colours is found out on the way.
    ///
    /// - Parameters:
    ///   - facts: What the file's header says.
    ///   - byteCount: The size of the file.
    ///   - clip: The part that is delivered; its size, if it has one, is exact.
    ///   - removesLocation: Whether the app may not know where it was taken.
    package init?(
        of facts: ImageFacts, byteCount: UInt64, options: OutputOptions,
        clip: Clip? = nil, removesLocation: Bool
    ) {
        guard facts.mediaType.isImage else {
            guard removesLocation else { return nil }
            self.init(removesLocation: true)
            return
        }
        self.init(
            removesLocation: removesLocation,
            picture: PictureChange(of: facts, byteCount, options, clip))
        guard removesLocation || picture != nil else { return nil }
    }
}

extension PictureChange {
    fileprivate init?(
        of facts: ImageFacts, _ byteCount: UInt64, _ options: OutputOptions, _ part: Clip?
    ) {
        let isStandard = options.representation != .original
        let format = OutputFormat.for(facts.mediaType, accepting: options.formats)
        let whole = facts.size ?? PixelSize(width: 0, height: 0)
        let area = part?.area.clamped(to: whole)
        let clip = area == PixelRectangle(whole) ? nil : area
        let size = Self.size(clip?.size ?? whole, exact: part?.size, options, format)
        let keepsType =
            Self.isAccepted(facts.mediaType, by: options)
        let isTooLong = options.maximumByteCount.map { byteCount > $0 } ?? false
        guard isStandard || clip != nil || !keepsType || size.wanted != whole || isTooLong else {
            return nil
        }
        self.init(
            format: format, clip: clip, size: size.possible, quality: options.quality,
            maximumByteCount: options.maximumByteCount, isStandard: isStandard)
        // What a format cannot hold is no reason to touch a file that is fine.
        if isStandard, clip == nil, keepsType, size.wanted == whole, !isTooLong {
            self.size = whole
        }
    }

    private static func isAccepted(_ type: MediaType, by options: OutputOptions) -> Bool {
        guard options.formats.isEmpty else {
            return options.formats.contains { $0.mediaType == type }
        }
        // A moving picture would not move any more; everybody reads GIF.
        return options.representation == .original || type == .gif || OutputFormat(type) != nil
    }

    /// The size that is asked for, and as much of it as a format holds.
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

// SPDX-License-Identifier: MIT

/// What an app wants of each photo besides its type.
///
/// A photo that does not fit is shown and cannot be chosen: people would look for it.
package struct PhotoFilter: Hashable, Sendable {
    /// A rule that a photo can break.
    package enum Rule: UInt8, CaseIterable, Sendable {
        case minimumWidth = 1, minimumHeight, maximumByteCount, newerThan, olderThan, favorites
        case minimumDuration, maximumDuration
    }

    /// The least width of the upright picture in pixels; nil for any.
    package var minimumWidth: Int?
    /// The least height of the upright picture in pixels; nil for any.
    package var minimumHeight: Int?
    /// The largest size of the file; nil for any.
    package var maximumByteCount: UInt64?
    /// The photo was taken later than this, in seconds since 1970; nil for any time.
    package var newerThan: Int64?
    /// The photo was taken earlier than this, in seconds since 1970; nil for any time.
    package var olderThan: Int64?
    /// Whether only favorites fit.
    package var isFavorite = false
    /// The least duration of a video in seconds; nil for any.
    package var minimumDuration: Int?
    /// The longest duration of a video in seconds; nil for any.
    package var maximumDuration: Int?

    package init() {}

    /// Whether every photo fits.
    package var isEmpty: Bool { self == PhotoFilter() }

    /// The first rule that a photo breaks; nil if it fits.
    ///
    /// A picture of unknown size breaks the rules for sizes. The rules for durations concern videos
    /// alone, and only those whose duration is known.
    package func broken(by facts: PhotoFacts) -> Rule? {
        if let minimumWidth, (facts.size?.width ?? 0) < minimumWidth { return .minimumWidth }
        if let minimumHeight, (facts.size?.height ?? 0) < minimumHeight { return .minimumHeight }
        if let maximumByteCount, UInt64(clamping: facts.byteCount) > maximumByteCount {
            return .maximumByteCount
        }
        if let newerThan, facts.date <= newerThan { return .newerThan }
        if let olderThan, facts.date >= olderThan { return .olderThan }
        if isFavorite, !facts.isFavorite { return .favorites }
        guard let milliseconds = facts.milliseconds else { return nil }
        if let minimumDuration, milliseconds < Int64(minimumDuration) * 1000 {
            return .minimumDuration
        }
        if let maximumDuration, milliseconds > Int64(maximumDuration) * 1000 {
            return .maximumDuration
        }
        return nil
    }
}

/// The facts about a photo that a ``PhotoFilter`` compares.
package struct PhotoFacts: Hashable, Sendable {
    /// The size of the upright picture; nil if unknown.
    package let size: PixelSize?
    package let byteCount: Int64
    /// When the photo was taken, in seconds since 1970.
    package let date: Int64
    package let isFavorite: Bool
    /// The duration of a video; nil if unknown, and for pictures.
    package let milliseconds: Int64?

    package init(
        size: PixelSize?, byteCount: Int64, date: Int64, isFavorite: Bool, milliseconds: Int64?
    ) {
        self.size = size
        self.byteCount = byteCount
        self.date = date
        self.isFavorite = isFavorite
        self.milliseconds = milliseconds
    }
}

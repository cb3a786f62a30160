// SPDX-License-Identifier: MIT

/// What a tile of the grid says about a photo besides its picture.
package struct PhotoCaption: Hashable, Sendable {
    package let mediaType: MediaType
    /// Whether it is a picture that moves.
    package let isAnimated: Bool
    /// Whether a raw file belongs to it, beside its picture.
    package let hasRaw: Bool
    /// Whether it is a picture with a video: a Live Photo or a motion photo.
    package let isLive: Bool
    /// The number of pictures of the burst for which it is shown; 0 if it is none.
    package let frames: Int
    /// The duration of a video; nil if unknown.
    package let milliseconds: Int?
    package let isFavorite: Bool
    /// The file's name as people know it, not made printable.
    package let name: String
    package let byteCount: Int64

    package init(
        mediaType: MediaType, isAnimated: Bool = false, hasRaw: Bool = false, isLive: Bool = false,
        frames: Int = 0,
        milliseconds: Int? = nil,
        isFavorite: Bool = false, name: String = "", byteCount: Int64 = 0
    ) {
        self.mediaType = mediaType
        self.isAnimated = isAnimated
        self.hasRaw = hasRaw
        self.isLive = isLive
        self.frames = frames
        self.milliseconds = milliseconds
        self.isFavorite = isFavorite
        self.name = name
        self.byteCount = byteCount
    }

    /// A video's duration in hours, minutes and seconds, or what kind of picture it is; nil for an
    /// ordinary one.
    package var kindText: String? {
        if mediaType.isVideo { return milliseconds.map(Self.durationText) ?? "" }
        if MediaType.rawTypes.contains(mediaType) { return "RAW" }
        let burst = frames > 0 ? "BURST \(frames)" : nil
        let kinds = [burst, isLive ? "LIVE" : nil, rawText ?? (isAnimated ? typeText : nil)]
            .compactMap(\.self)
        return kinds.isEmpty ? nil : kinds.joined(separator: " · ")
    }

    /// The kinds of both files if a raw file belongs to it, as `RAW + JPEG`; otherwise nil.
    package var rawText: String? {
        guard hasRaw else { return nil }
        // The usual name, which is not that of the extension.
        let picture = mediaType == .jpeg ? "JPEG" : typeText
        return ["RAW", picture].compactMap(\.self).joined(separator: " + ")
    }

    private var typeText: String? { mediaType.fileExtension?.uppercased() }

    /// A duration as `0:12` or `1:02:03`; a part of a second counts as one, as in other players.
    package static func durationText(milliseconds: Int) -> String {
        let seconds = max(milliseconds / 1000 + (milliseconds % 1000 >= 500 ? 1 : 0), 1)
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = seconds / 60
        return minutes < 60
            ? "\(minutes):\(padded(seconds % 60))"
            : "\(minutes / 60):\(padded(minutes % 60)):\(padded(seconds % 60))"
    }
}

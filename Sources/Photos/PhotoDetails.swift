// SPDX-License-Identifier: MIT

/// What a photo, or the sidecar file of a photo, says about it.
///
/// Nothing of this tells where the photo was taken, except in the words of the person.
package struct PhotoDetails: Hashable, Sendable {
    /// One line.
    package var title: String?
    /// What the photo shows, in one line or several, which is its alternative text as well.
    package var caption: String?
    /// In the order of the file, each once.
    package var keywords: [String]
    /// 1 to 5 stars.
    package var rating: Int?
    /// The make and model of the camera.
    package var camera: String?
    package var lens: String?
    /// Whether there are coordinates.
    package var hasPlace: Bool

    package init(
        title: String? = nil, caption: String? = nil, keywords: [String] = [], rating: Int? = nil,
        camera: String? = nil, lens: String? = nil, hasPlace: Bool = false
    ) {
        self.title = title
        self.caption = caption
        self.keywords = keywords
        self.rating = rating
        self.camera = camera
        self.lens = lens
        self.hasPlace = hasPlace
    }

    package var isEmpty: Bool { self == PhotoDetails() }

    /// The details with those of a sidecar file, which count more.
    package func overlaid(by sidecar: PhotoDetails) -> PhotoDetails {
        PhotoDetails(
            title: sidecar.title ?? title, caption: sidecar.caption ?? caption,
            keywords: sidecar.keywords.isEmpty ? keywords : sidecar.keywords,
            rating: sidecar.rating ?? rating, camera: camera ?? sidecar.camera,
            lens: lens ?? sidecar.lens, hasPlace: hasPlace || sidecar.hasPlace)
    }

    // MARK: - Limits

    /// The most bytes of a title, a keyword, and the name of a camera or lens.
    package static let longestLine = 512
    /// The most bytes of a caption.
    package static let longestCaption = 4096
    package static let mostKeywords = 64
    /// The most bytes of all keywords.
    package static let longestKeywords = 8192
    package static let ratings = 1...5

    /// The details without what is longer than the limits, and without control characters.
    package var bounded: PhotoDetails {
        var result = self
        result.title = Self.line(title)
        result.caption = Self.text(caption)
        result.camera = Self.line(camera)
        result.lens = Self.line(lens)
        result.rating = rating.flatMap { Self.ratings.contains($0) ? $0 : nil }
        var seen: Set<String> = []
        var room = Self.longestKeywords
        result.keywords = []
        for keyword in keywords.lazy.compactMap(Self.line) {
            room -= keyword.utf8.count
            guard room >= 0, seen.count < Self.mostKeywords else { break }
            if seen.insert(keyword).inserted { result.keywords.append(keyword) }
        }
        return result
    }

    /// Whether nothing is longer than the limits, and no text has control characters.
    package var isBounded: Bool { bounded == self }

    /// A text in one line; nil if it is blank or too long.
    private static func line(_ text: String?) -> String? {
        guard let text, text.utf8.count <= longestLine else { return nil }
        return visible(text.unicodeScalars.map { isBreak($0) ? " " : $0 })
    }

    private static func text(_ text: String?) -> String? {
        guard let text, text.utf8.count <= longestCaption else { return nil }
        return visible(text.unicodeScalars.map { $0 == "\r" ? "\n" : $0 })
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\t"
    }

    /// Nil if nothing is visible.
    private static func visible(_ scalars: [Unicode.Scalar]) -> String? {
        let kept = scalars.filter {
            $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
        }
        let start = kept.drop { $0.value <= 0x20 }
        guard let end = start.lastIndex(where: { $0.value > 0x20 }) else { return nil }
        return String(String.UnicodeScalarView(start[...end]))
    }
}

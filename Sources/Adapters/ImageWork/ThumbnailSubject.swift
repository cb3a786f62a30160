// SPDX-License-Identifier: MIT

package import Photos

/// The version of a file that a thumbnail shows.
///
/// - Source: Thumbnail Managing Standard 0.9.0, “Thumbnail attributes”.
package struct ThumbnailSubject: Hashable, Sendable {
    /// The canonical URI.
    package let uri: String
    /// Whole seconds since 1970.
    package let modified: Int64
    package let byteCount: Int64

    /// The longest accepted URI in bytes: the longest path, with every byte percent-encoded.
    package static let longestURI = 3 * 4096 + 16

    package init(uri: String, modified: Int64, byteCount: Int64) {
        self.uri = uri
        self.modified = modified
        self.byteCount = byteCount
    }
}

/// The file and version that a cache entry claims to show.
package struct ThumbnailClaim: Hashable, Sendable {
    package let uri: String
    /// Whole seconds since 1970.
    package let modified: Int64
    package let byteCount: Int64?

    package init(uri: String, modified: Int64, byteCount: Int64?) {
        self.uri = uri
        self.modified = modified
        self.byteCount = byteCount
    }

    /// Whether the claim matches the current version of the subject.
    package func names(_ subject: ThumbnailSubject) -> Bool {
        uri == subject.uri && modified == subject.modified
            && (byteCount ?? subject.byteCount) == subject.byteCount
    }
}

// MARK: - The texts of a cache entry

/// The keywords of a cache entry's `tEXt` chunks.
private enum Keyword {
    static let uri = "Thumb::URI"
    static let modified = "Thumb::MTime"
    static let byteCount = "Thumb::Size"
    static let mediaType = "Thumb::Mimetype"
    static let width = "Thumb::Image::Width"
    static let height = "Thumb::Image::Height"
    static let software = "Software"
}

extension ThumbnailSubject {
    package typealias Text = (keyword: String, text: String)

    /// The texts of a cache entry of this subject.
    ///
    /// - Parameter facts: The header of the picture, if it is known.
    package func texts(_ facts: ImageFacts? = nil) -> [Text] {
        var texts: [Text] = [
            (Keyword.uri, uri),
            (Keyword.modified, "\(modified)"),
            (Keyword.byteCount, "\(byteCount)"),
            (Keyword.software, "Photo Portal"),
        ]
        if let facts { texts.append((Keyword.mediaType, facts.mediaType.rawValue)) }
        if let size = facts?.size {
            texts.append((Keyword.width, "\(size.width)"))
            texts.append((Keyword.height, "\(size.height)"))
        }
        return texts
    }

    /// The texts of this subject's entry if it is made from another entry of the same picture.
    package func texts(adopting old: [String: String]) -> [Text] {
        let kept = [Keyword.mediaType, Keyword.width, Keyword.height]
        return texts() + kept.compactMap { key in old[key].map { (keyword: key, text: $0) } }
    }

    /// Whether a cache entry with these texts shows this version of the subject.
    ///
    /// Compares whole seconds only, because some programs write a fraction although the standard
    /// does not allow it.
    package func isShown(by texts: [String: String]) -> Bool {
        let seconds = texts[Keyword.modified].flatMap { Int64($0.prefix { $0 != "." }) }
        return texts[Keyword.uri] == uri && seconds == modified
            && texts[Keyword.byteCount].map { Int64($0) == byteCount } ?? true
    }
}

extension ThumbnailClaim {
    /// Reads the claim of a complete cache entry.
    ///
    /// Nil if a reader that follows the standard strictly would reject the entry.
    package init?(texts: [String: String]) {
        guard let uri = texts[Keyword.uri], uri.utf8.count <= ThumbnailSubject.longestURI,
            let text = texts[Keyword.modified], let modified = Int64(text), "\(modified)" == text
        else { return nil }
        let size = texts[Keyword.byteCount]
        let byteCount = size.flatMap { Int64($0) }
        guard (size == nil) == (byteCount == nil) else { return nil }
        self.init(uri: uri, modified: modified, byteCount: byteCount)
    }
}

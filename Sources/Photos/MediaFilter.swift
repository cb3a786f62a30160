// SPDX-License-Identifier: MIT

/// The media types that an app accepts: exact types, and `image/*` or `video/*`.
///
/// All decisions about which photos are shown and delivered are made here.
package struct MediaFilter: Hashable, Sendable {
    /// One accepted type or family of types.
    package enum Pattern: Hashable, Sendable, CustomStringConvertible {
        case anyImage
        case anyVideo
        case exactly(MediaType)

        /// Parses `image/*`, `video/*`, or an exact type of one of these two families.
        ///
        /// Nil for anything else, such as `text/plain`.
        package init?(_ name: String) {
            switch name.lowercased() {
            case "image/*": self = .anyImage
            case "video/*": self = .anyVideo
            default:
                guard let type = MediaType(name), type.isImage || type.isVideo else { return nil }
                self = .exactly(type)
            }
        }

        package var description: String {
            switch self {
            case .anyImage: "image/*"
            case .anyVideo: "video/*"
            case .exactly(let type): type.rawValue
            }
        }

        /// Whether it includes at least one type that we recognize.
        package var isRecognized: Bool {
            MediaType.recognized.contains { includes($0) }
        }

        func includes(_ type: MediaType) -> Bool {
            switch self {
            case .anyImage: type.isImage
            case .anyVideo: type.isVideo
            case .exactly(let exact): type == exact
            }
        }
    }

    /// The accepted patterns, in the app's order; never empty.
    package let patterns: [Pattern]

    /// Makes a filter; nil if `patterns` is empty.
    package init?(_ patterns: [Pattern]) {
        guard !patterns.isEmpty else { return nil }
        self.patterns = patterns
    }

    private init(only patterns: Pattern...) {
        self.patterns = patterns
    }

    /// Every picture but no video: the default for an app that does not name types.
    package static let images = MediaFilter(only: .anyImage)
    package static let everything = MediaFilter(only: .anyImage, .anyVideo)

    /// The same filter in as few patterns as possible, which depend on nothing but what it accepts.
    ///
    /// An app may name a thousand types, most of which nobody knows.
    package var families: (images: Bool, videos: Bool, others: [MediaType]) {
        let images = patterns.contains(.anyImage)
        let videos = patterns.contains(.anyVideo)
        return (
            images, videos,
            recognizedTypes.filter { !(images && $0.isImage) && !(videos && $0.isVideo) }
        )
    }

    /// Whether files of this type may be shown and delivered.
    package func accepts(_ type: MediaType) -> Bool {
        patterns.contains { $0.includes(type) }
    }

    /// Whether it accepts any type of picture.
    package var includesImages: Bool {
        patterns.contains { pattern in
            switch pattern {
            case .anyImage: true
            case .anyVideo: false
            case .exactly(let type): type.isImage
            }
        }
    }

    /// Whether it accepts any type of video.
    package var includesVideos: Bool {
        patterns.contains { pattern in
            switch pattern {
            case .anyImage: false
            case .anyVideo: true
            case .exactly(let type): type.isVideo
            }
        }
    }

    /// The recognized types that it accepts.
    package var recognizedTypes: [MediaType] {
        MediaType.recognized.filter { accepts($0) }
    }
}

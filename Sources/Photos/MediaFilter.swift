// SPDX-License-Identifier: MIT

/// Which media types an app accepts: exact types, and `image/*` or `video/*`.
///
/// The one place that decides what is shown and what may be delivered.
package struct MediaFilter: Hashable, Sendable {
    /// One accepted type or family of types.
    package enum Pattern: Hashable, Sendable, CustomStringConvertible {
        case anyImage
        case anyVideo
        case exactly(MediaType)

        /// Reads `image/*`, `video/*`, or a type of one of these two families.
        ///
        /// Nil for anything else: no picker shows `text/plain`.
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

        /// Whether at least one type that we recognize belongs to it.
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

    /// Makes a filter; nil when `patterns` is empty.
    package init?(_ patterns: [Pattern]) {
        guard !patterns.isEmpty else { return nil }
        self.patterns = patterns
    }

    private init(only pattern: Pattern) {
        patterns = [pattern]
    }

    /// Every picture, no video: what an app gets that asks for nothing special.
    package static let images = MediaFilter(only: .anyImage)

    /// Whether a file of this type may be shown and delivered.
    package func accepts(_ type: MediaType) -> Bool {
        patterns.contains { $0.includes(type) }
    }

    /// Whether it accepts any video.
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

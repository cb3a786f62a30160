// SPDX-License-Identifier: MIT

/// A filter of a file dialog: a label, and rules of which a file must match one.
///
/// - Source: org.freedesktop.portal.FileChooser, `filters`.
package struct FileFilter: Hashable, Sendable {
    package enum Rule: Hashable, Sendable {
        /// A case-sensitive shell pattern for the whole name.
        case glob(String)
        /// A MIME type, or a family such as `image/*`.
        case mediaType(String)
    }

    package let name: String
    package let rules: [Rule]

    package init(name: String, rules: [Rule]) {
        self.name = name
        self.rules = rules
    }
}

/// A filter that accepts only pictures.
package struct PictureFilter: Hashable, Sendable {
    /// The filter from the app, unchanged.
    package let filter: FileFilter
    /// The media types that it accepts.
    package let mediaTypes: MediaFilter
}

/// The filters of a file dialog that the photo dialog can replace.
package struct PictureFilters: Hashable, Sendable {
    /// The filters that accept only pictures, in the app's order; never empty.
    package let all: [PictureFilter]
    /// The index of the filter that the app selected; nil if it selected none and accepts any of them.
    package let current: Int?

    /// The media types shown at first: those of the selected filter, or of all filters.
    package var mediaTypes: MediaFilter {
        current.map { all[$0].mediaTypes } ?? union
    }

    /// The media types that at least one of the filters accepts.
    package var union: MediaFilter {
        let patterns = all.flatMap(\.mediaTypes.patterns).withoutRepetitions
        return MediaFilter(patterns) ?? all[0].mediaTypes
    }
}

extension [MediaFilter.Pattern] {
    /// Removes duplicate patterns and keeps the order of their first occurrence.
    var withoutRepetitions: [MediaFilter.Pattern] {
        var seen: Set<MediaFilter.Pattern> = []
        return filter { seen.insert($0).inserted }
    }
}

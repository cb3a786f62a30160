// SPDX-License-Identifier: MIT

/// A filter of a file dialog: a name for people, and the rules of which a file needs to match one.
///
/// - Source: org.freedesktop.portal.FileChooser, `filters`.
package struct FileFilter: Hashable, Sendable {
    package enum Rule: Hashable, Sendable {
        /// A shell pattern for the whole name; upper and lower case differ.
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

/// A filter that lets only pictures through.
package struct PictureFilter: Hashable, Sendable {
    /// The filter as the app wrote it.
    package let filter: FileFilter
    /// The media types that it stands for.
    package let mediaTypes: MediaFilter
}

/// The filters of a file dialog for which a photo dialog can stand in.
package struct PictureFilters: Hashable, Sendable {
    /// Those that let only pictures through, in the app's order; never empty.
    package let all: [PictureFilter]
    /// Which of them the app has chosen; nil when it has not, so that any picture will do.
    package let current: Int?

    /// What the dialog shows first: the app's choice, or whatever one of the filters lets through.
    package var mediaTypes: MediaFilter {
        if let current { return all[current].mediaTypes }
        let patterns = all.flatMap(\.mediaTypes.patterns).withoutRepetitions
        return MediaFilter(patterns) ?? all[0].mediaTypes
    }
}

extension [MediaFilter.Pattern] {
    /// Each pattern once, in the order of the first.
    var withoutRepetitions: [MediaFilter.Pattern] {
        var seen: Set<MediaFilter.Pattern> = []
        return filter { seen.insert($0).inserted }
    }
}

// SPDX-License-Identifier: MIT

/// What an app asks of a file dialog, in whose place a photo dialog is shown.
package struct FileRequest: Hashable, Sendable {
    /// Who asks, for how many, and what is shown first.
    package var pick: PickRequest
    package var filters: PictureFilters
    package var choices: [FileChoice]
    /// The bytes of the path whose photos are shown first; nil for all photos.
    package var folder: [UInt8]?

    package init(
        pick: PickRequest, filters: PictureFilters, choices: [FileChoice] = [],
        folder: [UInt8]? = nil
    ) {
        self.pick = pick
        self.filters = filters
        self.choices = choices
        self.folder = folder
    }
}

/// A question that an app adds to a file dialog.
package struct FileChoice: Hashable, Sendable {
    package struct Option: Hashable, Sendable {
        package let id: String
        package let label: String

        package init(id: String, label: String) {
            self.id = id
            self.label = label
        }
    }

    package let id: String
    package let label: String
    /// The possible answers; none when it is to be answered by `true` or `false`.
    package let options: [Option]
    /// The answer to begin with: the id of an option, `true` or `false`.
    package let initial: String

    /// Makes a question; an `initial` that is no answer becomes the first one, or `false`.
    package init(id: String, label: String, options: [Option], initial: String) {
        self.id = id
        self.label = label
        self.options = options
        let answers = options.isEmpty ? ["false", "true"] : options.map(\.id)
        self.initial = answers.contains(initial) ? initial : answers[0]
    }
}

/// How the dialog in the place of a file dialog ended.
package enum FileOutcome: Hashable, Sendable {
    case chosen(FileAnswer)
    /// The person wants the file dialog.
    case browse
    case cancelled
    case ended
}

/// What a person has chosen in the place of a file.
package struct FileAnswer: Hashable, Sendable {
    /// `file://` URIs in the order of choice.
    package let uris: [String]
    /// The filter in use among those of the request; nil for all of them together.
    package let filter: Int?
    /// The answer to each choice of the request, in its order.
    package let answers: [String]

    package init(uris: [String], filter: Int?, answers: [String]) {
        self.uris = uris
        self.filter = filter
        self.answers = answers
    }
}

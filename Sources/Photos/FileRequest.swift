// SPDX-License-Identifier: MIT

/// An app's request for a file dialog that the photo dialog replaces.
package struct FileRequest: Hashable, Sendable {
    /// The app, the number of photos, and the media types shown first.
    package var pick: PickRequest
    package var filters: PictureFilters
    package var choices: [FileChoice]
    /// The path, in bytes, of the folder to open; nil for all photos.
    package var folder: [UInt8]?
    /// Whether there is a file dialog that the person can turn to.
    package var canBrowse = true
    /// Whether the location is removed, unless the person decides otherwise.
    package var removesLocation = false
    /// For whom copies are made; see PhotoCopies.
    package var copyOwner = ""

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

/// Why the person who was to see a file dialog sees none.
package struct FileDialogFailure: Hashable, Sendable {
    package enum Cause: Sendable {
        /// No program shows file dialogs.
        case isMissing
        /// The program that shows them failed or ended.
        case hasFailed
    }

    package let cause: Cause
    package let isSaving: Bool
    /// The app's window, as a portal's caller names it.
    package let parentWindow: String

    package init(_ cause: Cause, isSaving: Bool, parentWindow: String) {
        self.cause = cause
        self.isSaving = isSaving
        self.parentWindow = parentWindow
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
    /// The possible answers; empty if the answers are `true` and `false`.
    package let options: [Option]
    /// The initial answer: the id of an option, `true` or `false`.
    package let initial: String

    /// Creates a question; an invalid `initial` becomes the first answer, or `false`.
    package init(id: String, label: String, options: [Option], initial: String) {
        self.id = id
        self.label = label
        self.options = options
        let answers = options.isEmpty ? ["false", "true"] : options.map(\.id)
        self.initial = answers.contains(initial) ? initial : answers[0]
    }
}

/// How a request for a file dialog ended.
package enum FileOutcome: Hashable, Sendable {
    case chosen(FileAnswer)
    /// The person prefers the file dialog.
    case browse
    case cancelled
    case ended
}

/// The photos chosen in place of files.
package struct FileAnswer: Hashable, Sendable {
    /// `file://` URIs in the order of choice.
    package let uris: [String]
    /// The index of the filter in use; nil for all filters together.
    package let filter: Int?
    /// The answer to each question of the request, in order.
    package let answers: [String]
    /// What the person decided about the location; nil if they left it as it was.
    package var removesLocation: Bool?
    /// The URI of the folder of the photo that was chosen last; nil if it is unknown.
    package var folder: String?

    package init(uris: [String], filter: Int?, answers: [String]) {
        self.uris = uris
        self.filter = filter
        self.answers = answers
    }
}

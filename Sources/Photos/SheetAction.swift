// SPDX-License-Identifier: MIT

/// How a window shows the photos that a person may choose.
package enum PickLayout: String, CaseIterable, Sendable {
    /// Albums, and photos in rows: a window of its own.
    case grid
    /// A strip of photos above rows of actions, at the lower edge of the app's window.
    case sheet
}

/// A row of the sheet: something to do, with the app's words for it.
package struct SheetAction: Hashable, Sendable {
    /// What happens when a person activates a row.
    package enum Kind: String, CaseIterable, Sendable {
        /// Shows the grid, in which the person goes on choosing.
        case library
        /// Takes a photo.
        case camera
        /// Chooses the newest photo, and finishes.
        case recent
        /// Opens the desktop's file dialog.
        case files
        /// Cancels the request.
        case close
    }

    package let kind: Kind
    /// The app's text, of any length and with any characters; empty for a text of ours.
    package let label: String
    /// The name of an icon in the theme, which may not have it; empty for none.
    package let iconName: String

    package init(_ kind: Kind, label: String = "", iconName: String = "") {
        self.kind = kind
        self.label = label
        self.iconName = iconName
    }

    /// The rows of an app that names none.
    package static let standard = [
        SheetAction(.library), SheetAction(.camera), SheetAction(.close),
    ]

    /// The most rows of a sheet: with the strip, as many as a low screen has room for.
    package static let most = 8
}

// SPDX-License-Identifier: MIT

/// What people say of a photo of the library.
package struct PhotoRemarks: Hashable, Sendable {
    package let isFavorite: Bool
    /// What it shows, in one line or several: its alternative text.
    package let caption: String?

    package init(isFavorite: Bool, caption: String?) {
        self.isFavorite = isFavorite
        self.caption = caption
    }
}

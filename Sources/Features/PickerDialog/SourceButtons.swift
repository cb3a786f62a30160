// SPDX-License-Identifier: MIT

import GtkKit

/// The buttons that lead to photos outside the library: one below the albums, and one on a page without photos.
@UIActor
final class SourceButtons {
    private let beside: Button
    private let alone: Button
    /// Whether the app takes photos from there.
    var isOffered = false

    init(beside: Button, alone: Button) {
        self.beside = beside
        self.alone = alone
    }

    var isSensitive = true {
        didSet { for button in [beside, alone] { button.isSensitive = isSensitive } }
    }

    /// Why they cannot be pressed; nil if they can.
    var tooltip: String? {
        didSet { for button in [beside, alone] { button.tooltip = tooltip } }
    }

    func onClick(_ handler: @escaping @UIActor () -> Void) {
        for button in [beside, alone] { button.onClick(handler) }
    }

    /// Gives the focus to the button below the albums.
    ///
    /// - Returns: Whether it can be pressed.
    func takeFocus() -> Bool { beside.isMapped && beside.isSensitive && beside.grabFocus() }

    /// Shows the buttons where the person can see them: a page behind another one would still be read out, and
    /// need room.
    func show(besideAlbums: Bool, onEmptyPage: Bool) {
        beside.isVisible = isOffered && besideAlbums
        alone.isVisible = isOffered && onEmptyPage
    }
}

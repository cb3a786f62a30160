// SPDX-License-Identifier: MIT

import GtkKit

extension PickerWindow {
    /// Lays the window out for its width, now and whenever that changes.
    func connectWidth() {
        pages.onWidth = { [weak self] width in self?.fit(width) }
        fit(views.window.defaultWidth)
    }

    private func fit(_ width: Int) {
        if tray.fit(width) { tray.show(pick) }
        guard views.fit(width) else { return }
        views.show(pick)
        preview.isNarrow = views.isNarrow
        crop.isNarrow = views.isNarrow
    }
}

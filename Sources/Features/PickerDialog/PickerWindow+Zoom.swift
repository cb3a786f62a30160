// SPDX-License-Identifier: MIT

import GtkKit
import Photos

extension PickerWindow {
    func connectZoom() {
        views.viewMenu.show(grid.style)
        views.viewMenu.onChange = { [weak self] style in self?.show(style) }
        // Keys are for the photos again.
        views.viewMenu.onClosed = { [weak self] in _ = self?.grid.takeFocus() }
        // GTK gives the focus to the button with the next frame, because what had it is gone.
        views.window.onDrawn { [weak self] in
            guard let self, views.viewMenu.takesUnaskedFocus() else { return }
            grid.takeFocus()
        }
        views.grid.onZoom { [weak self] steps in
            guard let self else { return }
            show(grid.style.zoomed(by: steps))
        }
    }

    /// Handles Ctrl with plus, minus or zero.
    ///
    /// - Returns: Whether it was one of these.
    func handleZoom(_ key: Key, _ modifiers: Modifiers) -> Bool {
        guard modifiers.contains(.control), case .character(let character) = key else {
            return false
        }
        switch character {
        // The plus key of many keyboards needs Shift.
        case "+", "=": show(grid.style.zoomed(by: 1))
        case "-": show(grid.style.zoomed(by: -1))
        case "0": show(GridStyle(isSquare: grid.style.isSquare))
        default: return false
        }
        return true
    }

    private func show(_ style: GridStyle) {
        guard style != grid.style else { return }
        grid.style = style
        views.viewMenu.show(style)
        // In the order of the changes.
        keeping = Task.detached { [memory = environment.memory, keeping] in
            await keeping?.value
            memory.keep(style)
        }
    }
}

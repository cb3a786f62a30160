// SPDX-License-Identifier: MIT

import GtkKit
import PickModel

extension PickerWindow {
    func connectTray() {
        tray.onEvent = { [weak self] event in self?.send(event) }
        tray.onFocusLost = { [weak self] in _ = self?.grid.takeFocus() }
        tray.description = { [chosen] reference in chosen.description(of: reference) }
        tray.load = { [source] id, pixels in
            // Most of them are in the grid as well.
            if let ready = source.readyTexture(of: id, pixels: pixels) { return ready.texture }
            return await source.cover(of: id, pixels: pixels)
        }
        chosen.onFound = { [weak self] sizes in
            self?.tray.describe()
            self?.send(.measured(sizes))
        }
    }
}

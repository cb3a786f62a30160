// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

extension PickerWindow {
    func connectCrop() {
        crop.onEvent = { [weak self] event in self?.send(event) }
        crop.windowSize = { [weak self] in
            self?.preview.view.deviceSize ?? PixelSize(width: 1, height: 1)
        }
        crop.onVersion = { [weak self] version, id in self?.noteShown(version, of: id) }
    }

    /// Keys on the page on which a photo is cropped.
    ///
    /// - Returns: Whether the key was handled.
    func handleInCrop(_ key: Key, _ modifiers: Modifiers) -> Bool {
        switch key {
        case .escape: send(.cropClosed)
        case .enter where modifiers.contains(.control) || crop.isFrameFocused: send(.cropDone)
        case .character("r") where modifiers.contains(.control),
            .character("R") where modifiers.contains(.control):
            send(.cropChanged(.turn(modifiers.contains(.shift) ? -1 : 1)))
        case .character(",") where modifiers.isEmpty: crop.straighten(by: -1)
        case .character(".") where modifiers.isEmpty: crop.straighten(by: 1)
        default: return crop.isFrameFocused && crop.handle(key, modifiers)
        }
        return true
    }
}

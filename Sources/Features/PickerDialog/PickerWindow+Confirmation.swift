// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

extension PickerWindow {
    /// Asks whether the person means to send so many photos.
    func confirm(_ receipt: Receipt) {
        closeConfirmation()
        let photos = pick.offer.text(receipt.count)
        let size = receipt.byteCount.map { ByteCount.text($0) }
        let dialog = MessageDialog(
            heading: heading(photos, size, Asker(pick.request).name), body: "")
        dialog.add("cancel", localized("Cancel"))
        dialog.add("send", localized("Send"), .suggested)
        dialog.setCloseAnswer("cancel")
        dialog.onAnswer { [weak self] answer in
            self?.confirmation = nil
            if answer == "send" { self?.send(.confirmed) }
        }
        confirmation = dialog
        dialog.present(over: views.window)
    }

    func closeConfirmation() {
        confirmation?.close()
        confirmation = nil
    }

    private func heading(_ photos: String, _ size: String?, _ app: String?) -> String {
        switch (size, app?.cut(to: 30)) {
        case (let size?, let app?): localized("Send %@ (%@) to %@?", photos, size, app)
        case (nil, let app?): localized("Send %@ to %@?", photos, app)
        case (let size?, nil): localized("Send %@ (%@) to an unknown app?", photos, size)
        case (nil, nil): localized("Send %@ to an unknown app?", photos)
        }
    }
}

// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

// What the page says of the photo in view.
extension PreviewPage {
    /// Tells screen readers which photo this is, and whether it is chosen.
    func name(
        _ preview: Preview, in pick: Pick, _ position: (index: Int, count: Int), _ number: Int?,
        _ refusal: String?
    ) {
        let description =
            pick.photos.index(of: preview.id).map { pick.photos.description(at: $0) }
            ?? self.description(preview.id)
        let place = localized(
            "%@, %@ of %@", description ?? localized("Photo"),
            LocalTime.number(position.index + 1), LocalTime.number(position.count))
        let frame = pick.framePosition.map { FrameItem.name(at: $0.index, of: $0.count) }
        let whole = [place, frame].compactMap(\.self).joined(separator: ", ")
        let name = number == nil ? whole : localized("%@, selected", whole)
        view.canvas.setAccessibleLabel([name, refusal].compactMap(\.self).joined(separator: ", "))
    }

    /// Says why the photo cannot be chosen, if it cannot.
    ///
    /// - Returns: What it says.
    func showRefusal(_ pick: Pick) -> String? {
        let text = pick.previewRefusal.map { pick.offer.text($0) }
        note.text = text ?? ""
        note.isVisible = text != nil
        for button in [choose, crop] as [Widget] {
            // GTK would give the focus to a button beside it, and the next key would press that.
            if text != nil, button.containsFocus { view.canvas.grabFocus() }
            button.isSensitive = text == nil
        }
        return text
    }
}

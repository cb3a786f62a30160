// SPDX-License-Identifier: MIT

import GtkKit
import Photos

/// The sign of a video, a moving or raw picture or a favorite, in a corner of its tile.
///
/// Most photos need none, so that it has no widgets before it shows something.
@UIActor
final class KindBadge {
    private let overlay: Overlay
    private var parts: (box: Box, favorite: Icon, video: Icon, text: Label)?

    init(on overlay: Overlay) {
        self.overlay = overlay
    }

    /// Shows the sign of a photo; nothing for an ordinary one, or if nothing is known of it.
    func show(_ caption: PhotoCaption?) {
        let text = caption?.kindText
        let isFavorite = caption?.isFavorite == true
        guard text != nil || isFavorite else {
            parts?.box.isVisible = false
            return
        }
        let parts = parts ?? makeParts()
        parts.favorite.isVisible = isFavorite
        parts.video.isVisible = caption?.mediaType.isVideo == true
        parts.text.text = text ?? ""
        parts.text.isVisible = text?.isEmpty == false
        parts.box.isVisible = true
    }

    private func makeParts() -> (box: Box, favorite: Icon, video: Icon, text: Label) {
        let box = Box(isVertical: false, spacing: 3)
        let favorite = Icon("starred-symbolic", pixels: 12)
        let video = Icon("media-playback-start-symbolic", pixels: 12)
        let text = Label()
        box.append(favorite)
        box.append(video)
        box.append(text)
        box.setClass("kind-badge")
        overlay.addAtBottomStart(box)
        let made = (box, favorite, video, text)
        parts = made
        return made
    }
}

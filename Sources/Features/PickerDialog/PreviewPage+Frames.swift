// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

// The pictures of a burst.
extension PreviewPage {
    func connectFrames() {
        frames.onShow = { [weak self] id in self?.onEvent(.frameShown(id)) }
        frames.onFocusLost = { [weak self] in self?.takeFocus() }
        frames.load = { [thumbnails] id, pixels in
            // The one for which the burst is shown is in the grid as well.
            if let ready = thumbnails.readyTexture(of: id, pixels: pixels) { return ready.texture }
            return await thumbnails.cover(of: id, pixels: pixels)
        }
    }

    /// Whether keys go to the pictures of the burst.
    var areFramesFocused: Bool { frames.containsFocus }

    /// Finds out whether the photo that the preview has come to is a picture of a burst.
    ///
    /// - Parameter again: Also if that was found out before: the library has changed.
    func findBurst(_ pick: Pick, again: Bool = false) {
        guard let id = pick.preview?.id, again || id != burstID else { return }
        burstID = id
        findingBurst?.cancel()
        findingBurst = Task { [weak self, library] in
            let burst: Burst?
            do {
                burst = try await library.burst(of: id, pick.accepted, wanted: pick.query.wanted)
            } catch {
                // What is shown stays.
                return
            }
            guard !Task.isCancelled else { return }
            self?.onEvent(.burstFound(id, burst))
        }
    }
}

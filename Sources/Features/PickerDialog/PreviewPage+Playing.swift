// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import ImageWork
import Photos
import PickModel

/// Videos and animations in the preview.
extension PreviewPage {
    func connectPlayer() {
        bar.onToggle = { [weak self] in _ = self?.togglePlaying() }
        bar.onMove = { [weak self] position in self?.player?.move(to: position) }
        view.canvas.onMapChange { [weak self] in self?.suspendOrResume() }
        toasts.onPointerInput { [weak self] in self?.bar.noteInput() }
    }

    /// Offers to play a photo that moves; an animation begins by itself.
    func preparePlaying(_ facts: ImageFacts) {
        guard player == nil, let id, facts.mediaType.isVideo || facts.isAnimated else { return }
        let isVideo = facts.mediaType.isVideo
        let player = PreviewPlayer(isVideo ? .video : .animation) { [weak self] in
            self?.source.player(of: id)
        }
        self.player = player
        let duration = isVideo ? max(facts.milliseconds ?? 0, 0).microseconds : nil
        player.side = { [weak self] in self?.view.playingSide ?? 1 }
        player.onPicture = { [weak self] texture in
            self?.showsFrame = true
            self?.view.show(frame: texture)
        }
        player.onChange = { [weak self] in self?.drawBar(duration) }
        player.onFailure = { [weak self] error in self?.showFailure(error, isVideo: isVideo) }
        bar.open()
        drawBar(duration)
        showBadge()
        showCropButton()
        suspendOrResume()
        // Whoever wants less motion begins it by the button.
        if !isVideo, view.canvas.showsAnimations { player.play() }
    }

    /// Stops, and ends the decoder process.
    func endPlaying() {
        player?.suspend()
        player = nil
        showsFrame = false
        if bar.containsFocus { takeFocus() }
        bar.close()
        showCropButton()
    }

    private func drawBar(_ duration: Int64?) {
        guard let player else { return }
        // Before that, the picture is one from somewhere in the video.
        bar.show(
            isPlaying: player.isPlaying, position: player.position, isAtPosition: showsFrame,
            duration: duration)
    }

    /// The badge stands where the controls are, which say the same.
    func showBadge() { badge.isVisible = !badge.text.isEmpty && !bar.isVisible }

    /// A video cannot be cropped, and its controls need the place.
    func showCropButton() {
        crop.isVisible = offersCrop && !(bar.isVisible && bar.hasPosition)
    }

    /// Nothing is decoded for a window or a page that cannot be seen.
    func suspendOrResume() {
        if view.canvas.isMapped, !isConcealed { player?.resume() } else { player?.suspend() }
    }

    private func showFailure(_ error: DecodeError, isVideo: Bool) {
        showsFrame = false
        if let id, let picture = source.ready(id) { view.sharpen(picture.texture) }
        if !isVideo, error == .unsupported {
            // It was not asked for, and the picture says as much as before.
            endPlaying()
            return showBadge()
        }
        toasts.show(
            isVideo
                ? localized("This video cannot be played")
                : localized("This animation cannot be played"))
    }

    /// Shows the controls when they get the focus, however that happened.
    func followFocus() {
        if bar.containsFocus { bar.noteInput() }
    }

    // MARK: - Keys

    /// Plays or pauses; false if nothing moves.
    func togglePlaying() -> Bool {
        guard let player else { return false }
        if player.isPlaying { player.pause() } else { player.play() }
        return true
    }

    /// Goes forward or back in a video; false if there is none.
    func skip(seconds: Int64) -> Bool {
        guard let player, bar.hasPosition else { return false }
        player.move(to: min(max(player.position + seconds * 1_000_000, 0), bar.duration))
        return true
    }
}

extension Int64 {
    /// Microseconds for a number of milliseconds; no video is longer than the largest number.
    fileprivate var microseconds: Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: 1000)
        return overflow ? .max : product
    }
}

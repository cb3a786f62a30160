// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import PhotoLibrary

/// The controls of a video or an animation in the preview.
@UIActor
final class PlaybackBar {
    let box: Box
    private let toggle: Button
    /// The position in seconds.
    private let slider: Scale
    private let time: Label
    private let muted: Icon
    /// Whether the slider moves without the person.
    private var isDrawing = false
    private var isPlaying: Bool?
    /// In microseconds; 0 for an animation.
    private(set) var duration: Int64 = 0

    var onToggle: @UIActor () -> Void = {}
    /// Called with the position to go to, in microseconds.
    var onMove: @UIActor (Int64) -> Void = { _ in }

    init(_ builder: Builder) {
        box = builder.box("playback")
        toggle = builder.button("play")
        slider = builder.scale("position")
        time = builder.label("time")
        muted = builder.icon("muted")
        // Time runs to the right in all languages.
        box.keepLeftToRight()
        slider.keepLeftToRight()
        toggle.onClick { [weak self] in self?.onToggle() }
        slider.onChange { [weak self] in
            guard let self, !isDrawing else { return }
            onMove(Int64((slider.value * 1_000_000).rounded()))
        }
    }

    /// Whether arrows go to the position rather than to other photos.
    var hasSliderFocus: Bool { slider.containsFocus }

    /// Whether there is a position to go to.
    var hasPosition: Bool { duration > 0 }

    var containsFocus: Bool { box.containsFocus }

    /// Draws the state.
    ///
    /// - Parameters:
    ///   - position: In microseconds.
    ///   - duration: In microseconds, 0 if it is unknown; nil for an animation, in which nobody looks
    ///     for a position.
    func show(isPlaying: Bool, position: Int64, duration: Int64?) {
        if self.isPlaying != isPlaying {
            self.isPlaying = isPlaying
            toggle.setIcon(
                isPlaying ? "media-playback-pause-symbolic" : "media-playback-start-symbolic")
            let name = isPlaying ? localized("Pause") : localized("Play")
            toggle.setAccessibleLabel(name)
            toggle.tooltip = isPlaying ? localized("Pause (K)") : localized("Play (K)")
        }
        self.duration = duration ?? 0
        slider.isVisible = hasPosition
        for part in [time, muted] as [Widget] { part.isVisible = duration != nil }
        box.isWide = hasPosition
        guard let duration else { return }
        // The header of a few videos does not tell how long they are.
        let texts = hasPosition ? [min(position, duration), duration] : [position]
        let text = texts.map { ListedAsset.clock($0 / 1000) }.joined(separator: " / ")
        if time.text != text { time.text = text }
        guard hasPosition else { return }
        isDrawing = true
        defer { isDrawing = false }
        slider.limit = Double(duration) / 1_000_000
        slider.value = Double(min(position, duration)) / 1_000_000
    }
}

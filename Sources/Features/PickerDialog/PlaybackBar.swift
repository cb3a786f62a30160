// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import PhotoLibrary

/// The controls of a video or an animation in the preview.
///
/// While it plays and the person only watches, they cannot be seen. Assistive technologies find them all the
/// same.
@UIActor
final class PlaybackBar {
    private let box: Box
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
    private var lastInput = ContinuousClock.now
    /// Hides the controls after a while without input.
    private var fading: Task<Void, Never>?

    /// How long the controls stay without input.
    private static let patience = Duration.seconds(3)

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

    /// Whether there is something to play.
    var isVisible: Bool { box.isVisible }

    /// Offers to play something.
    func open() {
        reveal()
        box.isVisible = true
    }

    func close() {
        fading?.cancel()
        fading = nil
        isPlaying = nil
        box.isVisible = false
    }

    /// Draws the state.
    ///
    /// - Parameters:
    ///   - position: In microseconds.
    ///   - isAtPosition: Whether the picture is the one at the position.
    ///   - duration: In microseconds, 0 if it is unknown; nil for an animation, in which nobody looks
    ///     for a position.
    func show(isPlaying: Bool, position: Int64, isAtPosition: Bool, duration: Int64?) {
        if self.isPlaying != isPlaying {
            self.isPlaying = isPlaying
            toggle.setIcon(
                isPlaying ? "media-playback-pause-symbolic" : "media-playback-start-symbolic")
            let name = isPlaying ? localized("Pause") : localized("Play")
            toggle.setAccessibleLabel(name)
            toggle.tooltip = isPlaying ? localized("Pause (K)") : localized("Play (K)")
            noteInput()
        }
        self.duration = duration ?? 0
        slider.isVisible = hasPosition
        for part in [time, muted] as [Widget] { part.isVisible = duration != nil }
        box.isWide = hasPosition
        guard let duration else { return }
        // The header of a few videos does not tell how long they are.
        let times = [
            isAtPosition ? (hasPosition ? min(position, duration) : position) : nil,
            hasPosition ? duration : nil,
        ].compactMap(\.self)
        let text = times.map { ListedAsset.clock($0 / 1000) }.joined(separator: " / ")
        if time.text != text { time.text = text }
        guard hasPosition else { return }
        // The slider keeps its width when the position appears. Colons and blanks are narrow.
        time.setMinimumWidth(characters: 2 * ListedAsset.clock(duration / 1000).count + 1)
        isDrawing = true
        defer { isDrawing = false }
        slider.limit = Double(duration) / 1_000_000
        slider.value = Double(min(position, duration)) / 1_000_000
    }

    // MARK: - Fading

    /// Shows the controls, and hides them once the person has only watched for a while.
    func noteInput() {
        reveal()
        lastInput = .now
        guard isPlaying == true, fading == nil else { return }
        fading = Task { [weak self] in
            while let rest = self?.rest(), rest > .zero {
                do { try await Task.sleep(for: rest) } catch { return }
            }
            guard !Task.isCancelled else { return }
            self?.fade()
        }
    }

    /// How long the controls stay if nothing happens.
    private func rest() -> Duration {
        if box.containsFocus || box.isHovered || box.isPressed { lastInput = .now }
        return Self.patience - (ContinuousClock.now - lastInput)
    }

    private func fade() {
        fading = nil
        guard isPlaying == true else { return }
        box.setClass("gone")
        // Nobody presses what cannot be seen: a finger touches the picture, which shows the controls.
        box.ignoresPointer = true
    }

    private func reveal() {
        box.setClass("gone", false)
        box.ignoresPointer = false
        if isPlaying != true {
            fading?.cancel()
            fading = nil
        }
    }
}

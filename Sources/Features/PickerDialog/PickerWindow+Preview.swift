// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

extension PickerWindow {
    func connectPreview() {
        preview.describe(pick.request)
        preview.onEvent = { [weak self] event in self?.send(event) }
        preview.view.windowSize = { [weak self] in self?.views.window.size ?? (1, 1) }
        views.window.onConcealment { [weak self] in self?.preview.isConcealed = $0 }
        views.window.onFocusChange { [weak self] in self?.preview.followFocus() }
        preview.description = { [chosen] id in chosen.description(of: .asset(id)) }
        preview.onVersion = { [weak self] version, id in self?.noteShown(version, of: id) }
    }

    /// Shows the page in front: the one that crops, the preview, or the photos.
    func drawPages() {
        let photos = pick.layout == .sheet ? sheet?.box ?? views.main : views.main
        let front =
            pick.isCameraOpen
            ? camera.box
            : pick.crop != nil ? crop.box : pick.preview != nil ? preview.box : photos
        let isOther = !front.isVisible
        // A page behind another one would still be read out, and a hidden one cannot have the focus.
        front.isVisible = true
        for page in pages.all where page !== front { page.isVisible = false }
        fitWindow(isOther: isOther)
        preview.show(pick, acceptLabel: views.acceptLabel)
        let isOtherCrop = crop.show(pick)
        drawCamera()
        guard isOther || isOtherCrop else { return }
        // The second press of a double click would hit what took the place of the first one.
        ignoreDoubleClick()
        if front === camera.box { camera.takeFocus() }
        if front === crop.box { crop.takeFocus() }
        if front === preview.box { preview.takeFocus() }
        if front === views.main { grid.takeFocus() }
        if front === sheet?.box { sheet?.takeFocus() }
    }

    /// Shows a message on the page in front.
    func tell(_ text: String) {
        let photos = pick.layout == .sheet ? sheet?.toasts ?? views.toasts : views.toasts
        let toasts =
            pick.isCameraOpen
            ? camera.toasts
            : pick.crop != nil ? crop.toasts : pick.preview != nil ? preview.toasts : photos
        toasts.show(text)
    }

    /// Keys in the preview.
    ///
    /// - Returns: Whether the key was handled.
    func handleInPreview(_ key: Key, _ modifiers: Modifiers) -> Bool {
        preview.bar.noteInput()
        // Escape closes it, and arrows scroll.
        if preview.isDetailsOpen { return false }
        // They move the slider. Enter and Space press a button that has the focus.
        if preview.bar.hasSliderFocus, key.movesSlider { return false }
        let isPlain = modifiers.isDisjoint(with: [.control, .alt])
        switch key {
        case .escape: send(.previewClosed)
        case .enter where modifiers.contains(.control): send(.accepted)
        case .character("c") where modifiers.isEmpty && pick.offersCrop: send(.cropOpened)
        case .enter where modifiers == .alt: preview.openDetails()
        case .enter where preview.isPhotoFocused: send(.key(.open))
        case .space where preview.isPhotoFocused || preview.areFramesFocused:
            send(.key(.toggle))
        case .up where isPlain && pick.framePosition != nil: send(.frameMoved(.previous))
        case .down where isPlain && pick.framePosition != nil: send(.frameMoved(.next))
        case .left, .right, .up, .down:
            if modifiers == .control { return preview.pan(key) }
            guard isPlain, let step = preview.step(of: key) else { return false }
            send(preview.areFramesFocused ? .frameMoved(step) : .previewMoved(step))
        case .home, .end:
            guard isPlain, let step = preview.step(of: key) else { return false }
            send(preview.areFramesFocused ? .frameMoved(step) : .previewMoved(step))
        case .pageUp, .pageDown:
            guard isPlain, let step = preview.step(of: key) else { return false }
            send(.previewMoved(step))
        case .character("k") where modifiers.isEmpty: return preview.togglePlaying()
        case .character("j") where modifiers.isEmpty: return preview.skip(seconds: -5)
        case .character("l") where modifiers.isEmpty: return preview.skip(seconds: 5)
        case .character(let character): return preview.zoom(character)
        default: return false
        }
        return true
    }

    /// Remembers which version of a photo the person has looked at.
    ///
    /// If the grid showed another one, that is no longer what the app would get.
    func noteShown(_ version: FileVersion, of id: AssetID) {
        if source.isOther(version, of: id) { giveUp(id) }
        source.note(version, of: id)
    }
}

extension Key {
    /// Whether a slider that has the focus takes the key.
    var movesSlider: Bool {
        switch self {
        case .left, .right, .up, .down, .home, .end, .pageUp, .pageDown: true
        default: false
        }
    }
}

extension PreviewPage {
    /// Where a key goes; nil if it does not move.
    func step(of key: Key) -> PreviewStep? {
        let isRightToLeft = view.canvas.isRightToLeft
        switch key {
        case .left: return isRightToLeft ? .next : .previous
        case .right: return isRightToLeft ? .previous : .next
        case .pageUp: return .previous
        case .pageDown: return .next
        case .home: return .first
        case .end: return .last
        default: return nil
        }
    }

    /// Zooms by a key; false if it does not zoom.
    func zoom(_ character: Character) -> Bool {
        switch character {
        case "+", "=": view.change { $0.zoom(by: Viewport.step) }
        case "-": view.change { $0.zoom(by: 1 / Viewport.step) }
        case "0": view.change { $0.showWhole() }
        case "1": view.change { $0.showPixels() }
        default: return false
        }
        return true
    }

    /// Moves a zoomed picture in the direction of an arrow key.
    func pan(_ key: Key) -> Bool {
        let step = 48.0
        switch key {
        case .left: view.change { $0.move(x: step, y: 0) }
        case .right: view.change { $0.move(x: -step, y: 0) }
        case .up: view.change { $0.move(x: 0, y: step) }
        case .down: view.change { $0.move(x: 0, y: -step) }
        default: return false
        }
        return true
    }
}

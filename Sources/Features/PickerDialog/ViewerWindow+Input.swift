// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import PickModel

extension ViewerWindow {
    func connect() {
        window.onClose { [weak self] in self?.close() }
        window.onConcealment { [weak self] in self?.page.isConcealed = $0 }
        window.onKey { [weak self] key, modifiers, isRepeated in
            guard let self else { return false }
            // To hold a key moves on, but removes and ends nothing twice.
            return isRepeated && !key.goesOn || handle(key, modifiers)
        }
        page.view.windowSize = { [weak self] in self?.window.size ?? (1, 1) }
        page.onEvent = { [weak self] event in
            switch event {
            case .previewClosed: self?.close()
            case .previewMoved(let step): self?.move(step)
            // The page has no other control in this window.
            default: break
            }
        }
        page.toasts.onFocusLost = { [weak self] in self?.page.takeFocus() }
        page.remove.onClick { [weak self] in self?.remove() }
        page.prepareForViewing(allowsRemoving: viewing.allowsRemoving)
        pages.onWidth = { [weak self] width in self?.fit(width) }
        fit(window.defaultWidth)
    }

    /// The width below which the header bar has no room for words, in layout pixels with text of the
    /// usual size.
    private static let narrowWidth = 520.0

    private func fit(_ width: Int) {
        let isNarrow = Double(width) <= Self.narrowWidth * window.textScale
        guard isNarrow != page.isNarrow else { return }
        page.isNarrow = isNarrow
        page.fitControls()
    }

    private func handle(_ key: Key, _ modifiers: Modifiers) -> Bool {
        // Escape closes it, and arrows scroll.
        if page.isDetailsOpen { return false }
        // They move the slider. Enter and Space press a button that has the focus.
        if page.bar.hasSliderFocus, key.movesSlider { return false }
        let isPlain = modifiers.isDisjoint(with: [.control, .alt])
        switch key {
        case .escape: close()
        case .delete where isPlain: remove()
        case .character("z") where modifiers == .control: undo()
        case .enter where modifiers == .alt: page.openDetails()
        case .left, .right, .up, .down:
            if modifiers == .control { return page.pan(key) }
            guard isPlain, let step = page.step(of: key) else { return false }
            move(step)
        case .home, .end, .pageUp, .pageDown:
            guard isPlain, let step = page.step(of: key) else { return false }
            move(step)
        case .character("k") where modifiers.isEmpty: return page.togglePlaying()
        case .character("j") where modifiers.isEmpty: return page.skip(seconds: -5)
        case .character("l") where modifiers.isEmpty: return page.skip(seconds: 5)
        case .character(let character): return page.zoom(character)
        default: return false
        }
        return true
    }
}

extension PreviewPage {
    /// Leaves out what is for choosing.
    func prepareForViewing(allowsRemoving: Bool) {
        for control in [accept, choose, onlyChosen] as [Widget] { control.isVisible = false }
        remove.isVisible = allowsRemoving
        fitControls()
    }

    /// Makes room for the title where there is little.
    func fitControls() {
        back.show(localized("Close"), icon: "window-close-symbolic", isNarrow: isNarrow)
        remove.show(localized("Remove"), icon: "list-remove-symbolic", isNarrow: isNarrow)
        remove.tooltip = localized("Remove from the list (Delete)")
    }
}

extension Key {
    /// Whether the key moves on, zooms, or goes forward or back in a video.
    fileprivate var goesOn: Bool {
        switch self {
        case .left, .right, .up, .down, .home, .end, .pageUp, .pageDown, .tab: true
        case .character(let character): "+=-jl".contains(character)
        case .space, .enter, .escape, .delete, .function: false
        }
    }
}

// SPDX-License-Identifier: MIT

internal import CGtk

/// Makes a window ignore clicks and keys until a person can have seen it.
///
/// Otherwise an app could open a window at the moment when, and at the place where, the person is
/// about to click or to press a key in the app. The delay begins when the window is drawn for the
/// first time, and again whenever its size changes. It ends when the input that came meanwhile has
/// been handled, however long the window was busy. Escape always works, and so do assistive
/// technologies, which press no keys and no buttons.
///
/// When a window with a delay goes, another one of this process may be under the pointer, or get the
/// keyboard. So the delays of all others begin again, for Escape as well, and keys that are still
/// down are ignored until they are released.
@UIActor
package final class InputDelay {
    private weak var window: Window?
    private var pause: InputPause?
    private var pressPause: InputPause?
    /// Whether input is being ignored.
    package private(set) var isActive = true
    /// The delays of all windows.
    private static var all: [Reference] = []
    /// Does not keep the delay of a window that has gone.
    private struct Reference {
        weak var delay: InputDelay?
    }
    /// The keys that are down.
    private var heldKeys: Set<UInt32> = []
    /// Whether the delay began because another window has gone.
    private var ignoresEscape = false
    /// The size at which the window was drawn last.
    private var size: (width: Int, height: Int) = (0, 0)
    /// Whether the window itself refuses clicks now; call ``tellBusy()`` when that changes.
    package var refusesClicks: @UIActor () -> Bool = { false }
    /// The keys that were pressed during the delay.
    ///
    /// They count once they are pressed again.
    private var ignoredKeys: Set<UInt32> = []

    /// Begins to ignore input; call this before the window is shown.
    package init(of window: Window) {
        self.window = window
        window.inputDelay = self
        Self.all = Self.all.filter { $0.delay != nil } + [Reference(delay: self)]
        window.setAccessibleBusy(true)
        window.onDrawn { [weak self] in self?.drawn() }
        window.onEveryEvent { [weak self] event in self?.ignores(event) ?? false }
        window.onHidden { [weak self] in self?.end() }
        window.onActiveChange { [weak self] isActive in
            // The end of what is held now is told to another window. A window that goes is inactive
            // right before it is hidden, and what was held then matters.
            if !isActive { Task { self?.heldKeys = [] } }
        }
        pause = InputPause(of: window) { [weak self] in self?.set(false) }
        pressPause = InputPause(
            of: window, .milliseconds(Int(pp_double_click_time(window.widget)))
        ) { [weak self] in self?.tellBusy() }
    }

    /// Ignores clicks for as long as a double click may take.
    ///
    /// For a window whose content has changed because of a click, whose second press would hit what
    /// took the place of the first one.
    package func ignoreDoubleClick() {
        pressPause?.begin()
        tellBusy()
    }

    /// Whether a key is ignored: one that is pressed during the delay, until it is released.
    func ignores(key: UInt32) -> Bool {
        let always = key == UInt32(GDK_KEY_Escape) && !ignoresEscape
        if isActive, !always { ignoredKeys.insert(key) }
        return ignoredKeys.contains(key)
    }

    private func drawn() {
        guard let window, window.size != size else { return }
        size = window.size
        set(true)
        pause?.begin()
    }

    private func end() {
        for reference in Self.all where reference.delay !== self {
            reference.delay?.beginAgain(without: heldKeys)
        }
    }

    private func beginAgain(without keys: Set<UInt32>) {
        // A window that was not drawn yet has the whole delay before it.
        guard size != (0, 0) else { return }
        ignoredKeys.formUnion(keys)
        ignoresEscape = true
        set(true)
        pause?.begin()
        // Somebody may have set a longer time for it.
        ignoreDoubleClick()
    }

    private func set(_ isActive: Bool) {
        if !isActive { ignoresEscape = false }
        guard isActive != self.isActive else { return }
        self.isActive = isActive
        tellBusy()
    }

    /// Tells assistive technologies, and whoever automates the window, while clicks are ignored.
    package func tellBusy() {
        window?.setAccessibleBusy(isActive || pressPause?.isActive == true || refusesClicks())
    }

    private func ignores(_ event: Window.Event) -> Bool {
        switch event {
        case .keyPressed(let key):
            heldKeys.insert(key)
            return ignores(key: key)
        case .keyReleased(let key):
            heldKeys.remove(key)
            ignoredKeys.remove(key)
            return false
        case .pressed: return isActive || pressPause?.isActive == true
        case .released, .movedByLayout: return false
        }
    }
}

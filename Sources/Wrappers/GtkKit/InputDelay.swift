// SPDX-License-Identifier: MIT

internal import CGtk

/// Makes a window ignore clicks and keys until a person can have seen it.
///
/// Otherwise an app could open a window at the moment when, and at the place where, the person is
/// about to click or to press a key in the app. The delay begins when the window is drawn for the
/// first time, and again whenever its size changes. It ends when the input that came meanwhile has
/// been handled, however long the window was busy. Escape always works, and so do assistive
/// technologies, which press no keys and no buttons.
@UIActor
package final class InputDelay {
    private weak var window: Window?
    private var pause: InputPause?
    /// Whether input is being ignored.
    package private(set) var isActive = true
    /// The size at which the window was drawn last.
    private var size: (width: Int, height: Int) = (0, 0)
    /// The keys that were pressed during the delay.
    ///
    /// They count once they are pressed again.
    private var ignoredKeys: Set<UInt32> = []

    /// Begins to ignore input; call this before the window is shown.
    package init(of window: Window) {
        self.window = window
        window.inputDelay = self
        window.setAccessibleBusy(true)
        window.onDrawn { [weak self] in self?.drawn() }
        window.onEveryEvent { [weak self] event in self?.ignores(event) ?? false }
        pause = InputPause(of: window) { [weak self] in self?.set(false) }
    }

    /// Whether a key is ignored: one that is pressed during the delay, until it is released.
    func ignores(key: UInt32) -> Bool {
        guard key != UInt32(GDK_KEY_Escape) else { return false }
        if isActive { ignoredKeys.insert(key) }
        return ignoredKeys.contains(key)
    }

    private func drawn() {
        guard let window, window.size != size else { return }
        size = window.size
        set(true)
        pause?.begin()
    }

    private func set(_ isActive: Bool) {
        guard isActive != self.isActive else { return }
        self.isActive = isActive
        window?.setAccessibleBusy(isActive)
    }

    private func ignores(_ event: Window.Event) -> Bool {
        switch event {
        case .keyPressed(let key): return ignores(key: key)
        case .keyReleased(let key):
            ignoredKeys.remove(key)
            return false
        case .pressed: return isActive
        case .released, .movedByLayout: return false
        }
    }
}

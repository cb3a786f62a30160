// SPDX-License-Identifier: MIT

import GtkKit
import Photos

/// The menu in which a person sets the size and the shape of the photos.
@UIActor
final class ViewMenu {
    var onChange: @UIActor (GridStyle) -> Void = { _ in }
    var onClosed: @UIActor () -> Void = {}

    private let button: MenuButton
    private let size: Scale
    private let squares: CheckButton
    private var style = GridStyle()
    /// Whether the menu was closed, and its button has not got the focus since, nor Tab been pressed.
    private var wasClosed = false
    /// Whether the widgets change because the style did.
    private var isShowing = false

    init(_ builder: Builder) {
        button = builder.menuButton("view_menu")
        size = builder.scale("zoom")
        squares = builder.checkButton("squares")
        size.onChange { [weak self] in
            guard let self else { return }
            send(GridStyle(step: Int(size.value.rounded()), isSquare: style.isSquare))
        }
        squares.onToggle { [weak self] in
            guard let self else { return }
            send(GridStyle(step: style.step, isSquare: squares.isActive))
        }
        button.onOpenChange { [weak self] in
            guard let self else { return }
            wasClosed = !button.isOpen
            if wasClosed { onClosed() }
        }
    }

    /// Whether the button got the focus because the menu was closed; true once each time.
    func takesUnaskedFocus() -> Bool {
        guard wasClosed, !button.isOpen, button.containsFocus else { return false }
        wasClosed = false
        return true
    }

    /// Notes that the person moves the focus.
    func noteTab() { wasClosed = false }

    var isOpen: Bool { button.isOpen }

    var isVisible: Bool {
        get { button.isVisible }
        set { button.isVisible = newValue }
    }

    func show(_ style: GridStyle) {
        self.style = style
        isShowing = true
        size.value = Double(style.step)
        squares.isActive = style.isSquare == true
        isShowing = false
    }

    private func send(_ style: GridStyle) {
        guard !isShowing, style != self.style else { return }
        onChange(style)
    }
}

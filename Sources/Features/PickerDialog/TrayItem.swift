// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos

/// A chosen photo in the tray.
@UIActor
final class TrayItem {
    let item: PickedItem.Reference
    let widget: RowItem
    private let picture = GtkKit.Picture()
    private let removal = Button(Icon("window-close-symbolic", pixels: 12))
    private var loading: Task<Void, Never>?
    /// What a screen reader says of it.
    private var name = ""

    /// The side of the picture, in layout pixels.
    static let side = 48

    init(
        _ item: PickedItem.Reference, onRemove: @escaping @UIActor () -> Void,
        onShow: @escaping @UIActor () -> Void
    ) {
        self.item = item
        let frame = Box(isVertical: true)
        frame.setMinimumSize(width: Self.side, height: Self.side)
        frame.setClass("tray-picture")
        let overlay = Overlay(frame)
        overlay.addFilling(picture)
        overlay.addAtTopEnd(removal)
        // Keys remove the item as a whole.
        removal.isFocusable = false
        removal.setClass("tray-remove")
        removal.setClass("circular")
        removal.setClass("osd")
        removal.tooltip = localized("Remove")
        removal.onClick(onRemove)
        widget = RowItem(overlay)
        widget.setClass("tray-item")
        widget.onClick(onShow)
    }

    /// Says which photo it is, and its place in the order of choice.
    func describe(_ description: String, number: Int, of count: Int) {
        let name = localized(
            "%@, selected %@ of %@", description, LocalTime.number(number), LocalTime.number(count))
        guard name != self.name else { return }
        self.name = name
        widget.setAccessibleLabel(name)
        widget.setAccessiblePosition(number, of: count)
        removal.setAccessibleLabel(localized("Remove: %@", description))
    }

    /// Shows the picture that `load` returns; without one, an empty frame.
    func load(_ load: @escaping @UIActor (AssetID, Int) async -> Texture?) {
        guard case .asset(let id) = item else { return }
        loading?.cancel()
        let pixels = Self.side * widget.scaleFactor
        loading = Task { [weak self] in
            guard let texture = await load(id, pixels), !Task.isCancelled else { return }
            self?.picture.texture = texture
        }
    }

    func stop() { loading?.cancel() }
}

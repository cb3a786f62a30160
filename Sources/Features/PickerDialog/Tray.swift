// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// Small pictures of everything that is chosen, whatever album or search the window shows.
///
/// They can be removed and put in another order. Of many, only the first ones have pictures.
@UIActor
final class Tray {
    var onEvent: @UIActor (PickEvent) -> Void = { _ in }
    /// Called when the tray is about to disappear with the keyboard focus.
    var onFocusLost: @UIActor () -> Void = {}
    /// Loads a picture whose longer side has at least so many device pixels.
    var load: @UIActor (AssetID, Int) async -> Texture? = { _, _ in nil }
    /// What a screen reader says of a photo; nil while that is unknown.
    var description: @UIActor (PickedItem.Reference) -> String? = { _ in nil }

    private let box: Widget
    private let scroller: ScrolledWindow
    private let row = ItemRow(spacing: 6)
    private let more: Label
    /// In which a click was meant for what was in the place of the tray.
    private let pause: InputPause
    private var items: [TrayItem] = []
    private var count = 0
    /// The item that Tab reaches.
    private var focused: PickedItem.Reference?
    private var dragged: PickedItem.Reference?
    /// Whether the window is wide enough.
    private var isWide = true

    /// The most items with a picture: more than a screen is wide, and few enough to be fast.
    private static let mostPictures = 50
    /// The least width of a window with pictures, in layout pixels.
    private static let leastWidth = 600

    init(_ views: TrayViews, in window: Window) {
        (box, scroller, more) = (views.box, views.photos, views.more)
        pause = InputPause(of: window)
        row.setAccessibleLabel(localized("Chosen photos"))
        row.setClass("tray-row")
        scroller.setRow(row)
        views.clear.onClick { [weak self] in self?.sendUnlessTooSoon(.key(.deselectAll)) }
        row.onDrag { [weak self] from, target in self?.drag(from, to: target) }
        window.onFocusChange { [weak self] in self?.followFocus() }
    }

    /// Whether keys go to the tray.
    var containsFocus: Bool { row.containsFocus }

    /// - Returns: Whether there was less or more room before.
    func fit(_ width: Int) -> Bool {
        let wasWide = isWide
        isWide = width >= Self.leastWidth
        return isWide != wasWide
    }

    /// Shows the chosen items, if the person can choose several.
    func show(_ pick: Pick) {
        let isShown = isWide && pick.selection.limits.maximum != 1 && !pick.selection.isEmpty
        if !isShown, box.containsFocus { onFocusLost() }
        if isShown, !box.isVisible { pause.begin() }
        box.isVisible = isShown
        // The app gets what the tray shows.
        box.isSensitive = !pick.isPreparing
        count = pick.selection.count
        let hasGrown = update(isShown ? pick.selection.items.prefix(Self.mostPictures) : [])
        let rest = isShown ? count - items.count : 0
        more.isVisible = rest > 0
        more.text = localized("+%@", LocalTime.number(rest))
        if hasGrown { scroller.scrollToEnd() }
    }

    /// Says again which photos they are, because that has become known.
    func describe() {
        for (index, item) in items.enumerated() {
            item.describe(
                description(item.item) ?? localized("Photo"), number: index + 1, of: count)
        }
    }

    /// - Returns: Whether an item was added at the end.
    private func update(_ chosen: ArraySlice<PickedItem>) -> Bool {
        defer { describe() }
        let wanted = chosen.map(\.reference)
        guard wanted != items.map(\.item) else { return false }
        let hadFocus = containsFocus
        let position = items.firstIndex { $0.item == focused } ?? 0
        var known = Dictionary(uniqueKeysWithValues: items.map { ($0.item, $0) })
        let hasGrown = wanted.last.map { known[$0] == nil } ?? false
        items = wanted.map { known.removeValue(forKey: $0) ?? makeItem($0) }
        for left in known.values { left.stop() }
        defer { updateTabStop() }
        row.show(items.map(\.widget))
        if !wanted.contains(where: { $0 == focused }) {
            // The next one takes the place of the one that was removed.
            focused = items.isEmpty ? nil : items[min(position, items.count - 1)].item
            if hadFocus, let next = focusedItem?.widget {
                next.isFocusable = true
                next.grabFocus()
            }
        }
        return hasGrown
    }

    private func makeItem(_ reference: PickedItem.Reference) -> TrayItem {
        let item = TrayItem(reference) { [weak self] in
            self?.sendUnlessTooSoon(.removed(reference))
        } onShow: { [weak self] in
            // Among other photos it is not to be seen.
            guard case .asset(let id) = reference else { return }
            self?.sendUnlessTooSoon(.key(.move(to: id)))
        }
        item.load(load)
        return item
    }

    private func sendUnlessTooSoon(_ event: PickEvent) {
        if !pause.isActive { onEvent(event) }
    }

    // MARK: - Order

    private func drag(_ from: Int, to target: Int?) {
        guard let target else {
            for item in items { item.widget.setClass("dragged", false) }
            dragged = nil
            return
        }
        if dragged == nil, items.indices.contains(from) {
            dragged = items[from].item
            items[from].widget.setClass("dragged")
        }
        guard let dragged, items.firstIndex(where: { $0.item == dragged }) != target else { return }
        onEvent(.moved(dragged, to: target))
    }

    // MARK: - Keys

    private var focusedItem: TrayItem? { items.first { $0.item == focused } }

    /// Lets Tab reach one item.
    private func updateTabStop() {
        for item in items { item.widget.isFocusable = item.item == focused }
    }

    private func followFocus() {
        guard let item = items.first(where: { $0.widget.containsFocus }), item.item != focused
        else { return }
        focused = item.item
        updateTabStop()
    }

    /// Acts on the item that has the focus.
    ///
    /// - Returns: Whether the key has a meaning here.
    func handle(_ key: Key, _ modifiers: Modifiers) -> Bool {
        guard let focused, let index = items.firstIndex(where: { $0.item == focused }) else {
            return false
        }
        let step = row.isRightToLeft ? -1 : 1
        let target: Int
        switch key {
        case .delete where modifiers.isEmpty:
            onEvent(.removed(focused))
            return true
        case .left: target = index - step
        case .right: target = index + step
        case .home: target = 0
        case .end: target = items.count - 1
        default: return false
        }
        guard items.indices.contains(target) else { return true }
        if modifiers == .control {
            onEvent(.moved(focused, to: target))
        } else if modifiers.isEmpty {
            self.focused = items[target].item
            updateTabStop()
            items[target].widget.grabFocus()
        }
        return true
    }
}

/// The widgets around the pictures.
@UIActor
struct TrayViews {
    let box: Widget
    let photos: ScrolledWindow
    /// Says how many more there are than pictures.
    let more: Label
    let clear: Button
}

// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// The pictures of a burst in the order in which they were taken, below the one in view.
@UIActor
final class FrameStrip {
    /// Called with the picture that the person wants to see.
    var onShow: @UIActor (AssetID) -> Void = { _ in }
    /// Called when the strip is about to disappear with the keyboard focus.
    var onFocusLost: @UIActor () -> Void = {}
    /// Loads a picture whose longer side has at least so many device pixels.
    var load: @UIActor (AssetID, Int) async -> Texture? = { _, _ in nil }

    private let box: Box
    private let scroller: ScrolledWindow
    private let row = ItemRow(spacing: 6)
    /// Says which picture is in view, and how many there are.
    private let position: Label
    private var items: [FrameItem] = []
    private var current: Int?
    private var loading: Task<Void, Never>?

    init(_ builder: Builder) {
        box = builder.box("frames")
        scroller = builder.scrolledWindow("frame_scroller")
        position = builder.label("frame_position")
        row.setAccessibleLabel(localized("Pictures of the burst"))
        row.setClass("tray-row")
        row.centerHorizontally()
        scroller.setRow(row)
    }

    var containsFocus: Bool { row.containsFocus }

    /// Shows the burst in the preview, if there is one.
    func show(_ pick: Pick) {
        guard let burst = pick.preview?.burst, let place = pick.framePosition else {
            return close()
        }
        let ids = burst.frames.ids
        let isOther = ids != items.map(\.id)
        if isOther { replaceItems(ids) }
        let choosesSeveral = pick.selection.limits.maximum != 1
        for (index, item) in items.enumerated() {
            item.show(
                isCurrent: index == place.index, isMain: item.id == burst.shown,
                isChosen: choosesSeveral && pick.selection.contains(item.id))
        }
        position.text = localized(
            "%@ of %@", LocalTime.number(place.index + 1), LocalTime.number(place.count))
        box.isVisible = true
        guard isOther || place.index != current else { return }
        current = place.index
        moveTabStop(to: items[place.index])
        scroller.center(item: place.index, of: place.count)
        // Those beside the one in view before all others.
        if isOther { loadPictures(items.inOrder(of: place.index)) }
    }

    func close() {
        guard box.isVisible else { return }
        if containsFocus { onFocusLost() }
        box.isVisible = false
        loading?.cancel()
        items = []
        current = nil
        row.show([])
    }

    /// Loads pictures again, because their files have changed.
    func reload(_ ids: Set<AssetID>) {
        let changed = items.filter { ids.contains($0.id) }
        guard !changed.isEmpty else { return }
        for item in changed { item.picture = nil }
        loadPictures(items)
    }

    private func replaceItems(_ ids: [AssetID]) {
        let hadFocus = containsFocus
        var known = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) })
        items = ids.enumerated().map { index, id in
            let item = known.removeValue(forKey: id) ?? makeItem(id)
            item.describe(at: index, of: ids.count)
            return item
        }
        if hadFocus { onFocusLost() }
        row.show(items.map(\.widget))
    }

    private func makeItem(_ id: AssetID) -> FrameItem {
        FrameItem(id) { [weak self] in self?.onShow(id) }
    }

    /// Lets Tab reach one item, which keeps the focus if another one had it.
    private func moveTabStop(to item: FrameItem) {
        item.widget.isFocusable = true
        if containsFocus { item.widget.grabFocus() }
        for other in items where other !== item { other.widget.isFocusable = false }
    }

    /// Loads pictures that are missing, one after the other.
    private func loadPictures(_ items: [FrameItem]) {
        loading?.cancel()
        loading = Task { [weak self, load] in
            for item in items where item.picture == nil {
                let picture = await load(item.id, FrameItem.side * item.widget.scaleFactor)
                guard !Task.isCancelled, self != nil else { return }
                item.picture = picture
            }
        }
    }
}

extension [FrameItem] {
    /// An item, its neighbours, theirs, and so on.
    fileprivate func inOrder(of index: Int) -> [FrameItem] {
        enumerated().sorted { abs($0.offset - index) < abs($1.offset - index) }.map(\.element)
    }
}

// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

/// A list that has tiles for the photos on the screen, and for some on both sides.
///
/// One tile at a time is a Tab stop: the one that keys act on.
@UIActor
protocol TiledPhotoList: PhotoListView {
    var scroller: ScrolledWindow { get }
    var canvas: Canvas { get }
    var photos: PhotoList { get }
    /// The tiles by the index of their photo.
    var tiles: [Int: PhotoTile] { get set }
    /// The photo that keys act on, and its index.
    var focused: (id: AssetID, index: Int)? { get set }
    /// Whether tiles are being replaced, so that GTK moves its focus by itself.
    var isReplacing: Bool { get }
    /// The index of the first photo on the screen; nil if there is none.
    var firstInView: Int? { get }

    /// How many of the photos have a place in the list; the others come after these.
    var shownCount: Int { get }
    /// Whether it is known which place a photo has.
    func isLaidOut(_ index: Int) -> Bool
    /// The longer side of a photo's thumbnail, in device pixels.
    func thumbnailPixels(_ index: Int) -> Int
    /// Gives tiles to the photos on and near the screen, and frees those of other photos.
    func updateTiles()
    /// Scrolls until the photo that keys act on is in view.
    func scrollToFocus()
}

// MARK: - Tiles

extension TiledPhotoList {
    func reload(_ ids: Set<AssetID>) {
        for (index, tile) in tiles {
            guard let id = tile.id, ids.contains(id) else { continue }
            stock.show(index, of: photos, pixels: thumbnailPixels(index), in: tile)
        }
    }

    /// Gives tiles to photos, and frees those of all others but the one that keys act on.
    ///
    /// - Returns: Whether that made a difference.
    func updateTiles(for wanted: Range<Int>) -> Bool {
        var changed = false
        for (index, tile) in tiles where !wanted.contains(index) && index != focused?.index {
            stock.recycle(tile)
            tiles[index] = nil
            changed = true
        }
        for index in wanted where tiles[index] == nil {
            makeTile(index)
            changed = true
        }
        updateTabStop(otherwise: firstInView)
        return changed
    }

    private func makeTile(_ index: Int) {
        tiles[index] = stock.tile(for: index, of: photos, pixels: thumbnailPixels(index))
    }

    /// Lets Tab reach the focused photo, or another one if none is focused.
    private func updateTabStop(otherwise other: Int?) {
        let stop = focused?.index ?? other
        for (index, tile) in tiles { tile.button.isFocusable = index == stop }
    }
}

// MARK: - Focus

extension TiledPhotoList {
    var containsFocus: Bool { scroller.containsFocus }

    /// What has the focus while the photos have it.
    var focusHolder: Widget { focused.flatMap { tiles[$0.index] }?.button ?? scroller }

    func focus(_ id: AssetID?) {
        guard id != focused?.id else { return }
        guard let id else {
            if containsFocus { scroller.grabFocus() }
            focused = nil
            return updateTiles()
        }
        setFocus(id)
        scrollToFocus()
    }

    /// Gives the focus to a photo, wherever the list is scrolled to.
    func setFocus(_ id: AssetID) {
        guard let index = photos.index(of: id), index < shownCount else { return }
        focused = (id, index)
        updateTiles()
        if tiles[index] == nil, isLaidOut(index) {
            makeTile(index)
            updateTabStop(otherwise: nil)
            canvas.queueAllocate()
        }
        tiles[index]?.button.grabFocus()
    }

    /// That the window becomes active again is no such movement, and scrolls nothing.
    func followFocus() {
        // A click scrolls nothing, so that the second press of a double click hits the same photo.
        guard !stock.isPressed, !isReplacing,
            let id = tiles.values.first(where: { $0.button.containsFocus })?.id
        else { return }
        if id != focused?.id, let index = photos.index(of: id) {
            focused = (id, index)
            updateTiles()
            stock.onEvent(.focused(id))
        }
        scrollToFocus()
    }
}

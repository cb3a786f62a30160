// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// Photos side by side at one height, in their own shapes, which the sheet shows above its rows.
///
/// Only the photos on the screen, and some on both sides, have tiles. One tile at a time is a Tab stop: the
/// one that keys act on.
@UIActor
final class PhotoStrip: PhotoListView {
    let stock: TileStock
    /// Called when photos on the screen have moved, though the person did nothing.
    var onShift: @UIActor () -> Void = {}

    private let scroller: ScrolledWindow
    private let canvas = Canvas()
    private var photos = PhotoList()
    private var layout = StripLayout(aspectRatios: [])
    private var tiles: [Int: PhotoTile] = [:]
    /// The photo that keys act on, and its index.
    private var focused: (id: AssetID, index: Int)?
    /// Whether tiles are being replaced, so that GTK moves its focus by itself.
    private var isReplacing = false

    /// The most photos of a strip: drawing is exact within a few million pixels, and the grid has the rest.
    nonisolated static let mostPhotos = 10_000

    init(in scroller: ScrolledWindow) {
        self.scroller = scroller
        stock = TileStock(on: canvas)
        scroller.setContent(canvas)
        scroller.turnWheelSideways()
        scroller.setClass("photo-strip")
        // Also before there are photos, so that the sheet does not grow when they come.
        scroller.setMinimumSize(height: StripLayout.height)
        canvas.setAccessibleLabel(localized("Photos"))
        canvas.heightForWidth = { _ in StripLayout.height }
        canvas.allocate = { [weak self] width, _ in self?.placeTiles(inWidth: width) }
        scroller.onRowScroll { [weak self] in self?.updateTiles() }
        stock.onPress = { [weak self] in self?.isFocusShown = false }
        stock.onFocus = { [weak self] id in self?.setFocus(id) }
    }

    // MARK: - Content

    func show(_ photos: PhotoList) {
        // An equal list keeps its tiles: somebody may be pressing one.
        if photos != self.photos { replace(photos, focus: focused?.id) }
        scroller.scrollRow(to: 0)
    }

    func update(_ photos: PhotoList, focus: AssetID?) {
        guard photos != self.photos else { return }
        let (start, pageWidth) = scroller.rowRange
        let old = placesInView
        // At the very beginning, new photos are to be seen.
        let first = start > 0 ? layout.photos(from: Int(start), to: .max).first : nil
        let anchor = first.map {
            (self.photos.ids[$0], start - Double(layout.range(of: $0).lowerBound))
        }
        replace(photos, focus: focus)
        if let (id, offset) = anchor, let index = photos.index(of: id), index < layout.count {
            let target = Double(layout.range(of: index).lowerBound) + offset
            // GTK has not measured the new row yet.
            scroller.scrollRow(to: target, inWidth: max(Double(layout.width), target + pageWidth))
        }
        let new = placesInView
        if old.contains(where: { new[$0.key] != $0.value }) { onShift() }
    }

    func reload(_ ids: Set<AssetID>) {
        for (index, tile) in tiles {
            guard let id = tile.id, ids.contains(id) else { continue }
            stock.show(index, of: photos, pixels: pixels(of: index), in: tile)
        }
    }

    func mark(count: Int) {
        stock.chosenCount = count
        for tile in tiles.values { stock.mark(tile) }
    }

    private func replace(_ photos: PhotoList, focus: AssetID?) {
        let hadFocus = containsFocus
        isReplacing = true
        tiles = stock.keep(tiles, for: photos)
        self.photos = photos
        layout = StripLayout(aspectRatios: photos.aspectRatios.prefix(Self.mostPhotos))
        focused = focus.flatMap { id in
            photos.index(of: id).flatMap { $0 < layout.count ? (id, $0) : nil }
        }
        canvas.setMinimumSize(width: layout.width, height: StripLayout.height)
        updateTiles()
        canvas.queueAllocate()
        if hadFocus { (focusedTile?.button ?? scroller).grabFocus() }
        isReplacing = false
    }

    // MARK: - Layout

    private func placeTiles(inWidth width: Int) {
        updateTiles()
        for (index, tile) in tiles where index < layout.count {
            let range = layout.range(of: index)
            tile.fit(width: range.count, height: StripLayout.photoHeight)
            canvas.place(
                tile.button, x: canvas.isRightToLeft ? width - range.upperBound : range.lowerBound,
                y: StripLayout.inset, width: range.count, height: StripLayout.photoHeight)
        }
    }

    /// Gives tiles to the photos on and near the screen, and frees those of other photos.
    private func updateTiles() {
        let (start, pageWidth) = scroller.rowRange
        guard pageWidth > 0 else { return }
        // Half a page on both sides is enough for the next turn of the wheel.
        let margin = pageWidth / 2
        let wanted = layout.photos(from: Int(start - margin), to: Int(start + pageWidth + margin))
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
        updateTabStop()
        if changed { canvas.queueAllocate() }
    }

    private func makeTile(_ index: Int) {
        tiles[index] = stock.tile(for: index, of: photos, pixels: pixels(of: index))
    }

    private func pixels(of index: Int) -> Int {
        Self.thumbnailPixels(photos.aspectRatios[index], scale: canvas.scaleFactor)
    }

    /// The longer side of a photo's thumbnail, in device pixels.
    ///
    /// Enlarging by a quarter is not visible; the next size of the cache costs four times more.
    private nonisolated static func thumbnailPixels(_ aspectRatio: Float, scale: Int) -> Int {
        max(StripLayout.width(ofPhotoWith: aspectRatio), StripLayout.photoHeight) * scale * 4 / 5
    }

    /// The thumbnails that a new sheet will probably show first.
    nonisolated static func firstThumbnails(of photos: PhotoList) -> [(index: Int, pixels: Int)] {
        StripLayout(aspectRatios: photos.aspectRatios.prefix(50))
            .photos(from: 0, to: SheetPage.widths.upperBound)
            .map { ($0, thumbnailPixels(photos.aspectRatios[$0], scale: 1)) }
    }

    /// The photos on the screen, and where they are on it.
    private var placesInView: [AssetID: Int] {
        let (start, pageWidth) = scroller.rowRange
        var places: [AssetID: Int] = [:]
        for index in layout.photos(from: Int(start), to: Int(start + pageWidth)) {
            places[photos.ids[index]] = layout.range(of: index).lowerBound - Int(start)
        }
        return places
    }

    // MARK: - Focus

    /// Whether the photo that keys act on has a ring around it; GTK's own goes after a few seconds.
    var isFocusShown = false {
        didSet {
            if isFocusShown != oldValue { scroller.setClass("keyboard", isFocusShown) }
        }
    }

    var containsFocus: Bool { scroller.containsFocus }

    private var focusedTile: PhotoTile? { focused.flatMap { tiles[$0.index] } }

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

    @discardableResult
    func takeFocus() -> Bool {
        (focusedTile?.button ?? scroller).grabFocus()
    }

    private func setFocus(_ id: AssetID) {
        guard let index = photos.index(of: id), index < layout.count else { return }
        focused = (id, index)
        if tiles[index] == nil {
            makeTile(index)
            canvas.queueAllocate()
        }
        updateTiles()
        tiles[index]?.button.grabFocus()
    }

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

    private func scrollToFocus() {
        guard let focused, focused.index < layout.count else { return }
        let range = layout.range(of: focused.index)
        let (start, pageWidth) = scroller.rowRange
        let first = Double(range.lowerBound - StripLayout.inset)
        let last = Double(range.upperBound + StripLayout.inset) - pageWidth
        // Of a photo that is wider than the strip, the beginning.
        if first < start || last > first { return scroller.scrollRow(to: first) }
        if last > start { scroller.scrollRow(to: last) }
    }

    func target(of key: Key) -> AssetID? {
        guard layout.count > 0 else { return nil }
        let pageWidth = scroller.rowRange.pageWidth
        // Without a focus, the first key goes where Tab would go.
        let current = focused?.index ?? firstInView
        let distance = focused == nil ? 0 : 1
        let step = canvas.isRightToLeft ? -distance : distance
        let position = layout.range(of: current).lowerBound
        let target: Int
        switch key {
        case .left: target = current - step
        case .right: target = current + step
        case .pageUp:
            target = min(current - distance, photo(at: position - Int(pageWidth)))
        case .pageDown: target = max(current + distance, photo(at: position + Int(pageWidth)))
        case .home: target = 0
        case .end: target = layout.count - 1
        default: return nil
        }
        return photos.ids[min(max(target, 0), layout.count - 1)]
    }

    /// The photo at a position, or the nearest one after it.
    private func photo(at position: Int) -> Int {
        layout.photos(from: position, to: .max).lowerBound
    }

    private var firstInView: Int {
        min(photo(at: Int(scroller.rowRange.start)), max(layout.count - 1, 0))
    }

    /// Lets Tab reach the focused photo, or the first one in view if none is focused.
    private func updateTabStop() {
        let stop = focused?.index ?? firstInView
        for (index, tile) in tiles { tile.button.isFocusable = index == stop }
    }
}

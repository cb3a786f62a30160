// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// Photos side by side at one height, in their own shapes, which the sheet shows above its rows.
@UIActor
final class PhotoStrip: TiledPhotoList {
    let stock: TileStock
    var query: PhotoQuery?
    /// Called when photos on the screen have moved, though the person did nothing.
    var onShift: @UIActor () -> Void = {}

    let scroller: ScrolledWindow
    let canvas = Canvas()
    private(set) var photos = PhotoList()
    private var layout = StripLayout(aspectRatios: [])
    var tiles: [Int: PhotoTile] = [:]
    var focused: (id: AssetID, index: Int)?
    private(set) var isReplacing = false

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
        if hadFocus { focusHolder.grabFocus() }
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

    func updateTiles() {
        let (start, pageWidth) = scroller.rowRange
        guard pageWidth > 0 else { return }
        // Half a page on both sides is enough for the next turn of the wheel.
        let margin = pageWidth / 2
        let wanted = layout.photos(from: Int(start - margin), to: Int(start + pageWidth + margin))
        if updateTiles(for: wanted) { canvas.queueAllocate() }
    }

    func thumbnailPixels(_ index: Int) -> Int {
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

    @discardableResult
    func takeFocus() -> Bool { focusHolder.grabFocus() }

    var shownCount: Int { layout.count }

    func isLaidOut(_ index: Int) -> Bool { index < layout.count }

    func scrollToFocus() {
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
        let current = focused?.index ?? firstInView ?? 0
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

    var firstInView: Int? {
        layout.count > 0 ? min(photo(at: Int(scroller.rowRange.start)), layout.count - 1) : nil
    }
}

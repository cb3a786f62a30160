// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// Photos in justified rows.
///
/// Only the photos on the screen, and some above and below, have tiles. One tile at a time is a
/// Tab stop: the one that keys act on.
@UIActor
final class PhotoGrid {
    var onEvent: @UIActor (PickEvent) -> Void = { _ in }
    /// Loads a thumbnail whose longer side has at least this many device pixels.
    var load: @UIActor (AssetID, Int) async -> Result<Texture, PhotoProblem>? = { _, _ in nil }
    /// Returns such a thumbnail if it needs no loading.
    var ready: @UIActor (AssetID, Int) -> Texture? = { _, _ in nil }
    /// The place of a photo in the order of choice; nil if it is not chosen.
    var number: @UIActor (AssetID) -> Int? = { _ in nil }
    /// Whether chosen photos show their number rather than a check mark.
    var showsNumbers = false

    /// Whether the photo that keys act on has a ring around it.
    ///
    /// GTK's own comes only with Tab, and goes after a few seconds.
    var isFocusShown = false {
        didSet {
            guard isFocusShown != oldValue else { return }
            scroller.setClass("keyboard", isFocusShown)
        }
    }

    private var photos = PhotoList()
    /// The photo that keys act on, and its index.
    private var focused: (id: AssetID, index: Int)?
    /// The press that the next click belongs to.
    private var press: (count: Int, modifiers: Modifiers)?
    /// Whether tiles are being replaced, so that GTK moves its focus by itself.
    private var isReplacing = false

    private let scroller: ScrolledWindow
    private let canvas = Canvas()
    private var rows = JustifiedRows(aspectRatios: [], width: 1, rowHeight: 1, gap: 0)
    private var layoutWidth = 0
    private var tiles: [Int: PhotoTile] = [:]
    private var spareTiles: [PhotoTile] = []
    private var chosenCount = 0

    private nonisolated static let gap = 4
    /// The width of the grid in a new window.
    private nonisolated static let usualWidth = 736
    private nonisolated static let firstRows = 4

    init(in scroller: ScrolledWindow) {
        self.scroller = scroller
        scroller.setContent(canvas)
        canvas.setAccessibleLabel(localized("Photos"))
        canvas.heightForWidth = { [weak self] width in
            guard let self else { return 0 }
            layOut(width)
            return rows.height
        }
        canvas.allocate = { [weak self] width, _ in
            guard let self else { return }
            layOut(width)
            placeTiles()
        }
        scroller.onScroll { [weak self] in self?.updateTiles() }
    }

    // MARK: - Content

    /// Shows a different list, from the top.
    func show(_ photos: PhotoList) {
        // An equal list keeps its tiles: somebody may be pressing one.
        if photos != self.photos { replace(photos) }
        scroller.scroll(to: 0)
    }

    /// Shows a new version of the same list; the photos on the screen stay where they are.
    func update(_ photos: PhotoList) {
        guard photos != self.photos else { return }
        let top = topPhoto()
        replace(photos)
        guard let top, let index = photos.index(of: top.id) else { return }
        layOut(layoutWidth)
        guard let row = row(of: index) else { return }
        scroller.scroll(to: Double(row.top) + top.offset)
    }

    /// Loads the pictures of these photos again.
    func reload(_ ids: Set<AssetID>) {
        for (index, tile) in tiles {
            guard let id = tile.id, ids.contains(id) else { continue }
            show(index, in: tile)
        }
    }

    /// Marks the chosen photos.
    ///
    /// - Parameter count: The number of chosen photos, whether or not this list has them.
    func mark(count: Int) {
        chosenCount = count
        for tile in tiles.values { mark(tile) }
    }

    // MARK: - Layout

    private func replace(_ photos: PhotoList) {
        let hadFocus = scroller.containsFocus
        isReplacing = true
        keepTiles(for: photos)
        self.photos = photos
        focused = focused.flatMap { old in photos.index(of: old.id).map { (old.id, $0) } }
        rows = JustifiedRows(aspectRatios: [], width: 1, rowHeight: 1, gap: 0)
        let width = layoutWidth
        layoutWidth = 0
        layOut(width)
        canvas.queueResize()
        updateTiles()
        if hadFocus { (focusedTile?.button ?? scroller).grabFocus() }
        isReplacing = false
    }

    /// Leaves the tiles of photos that another list has as well, and frees the others.
    ///
    /// A list that grows at one end while somebody looks at it loads no picture again.
    private func keepTiles(for photos: PhotoList) {
        let old = tiles
        tiles = [:]
        let shift = old.min { $0.key < $1.key }.flatMap { index, tile in
            tile.id.flatMap { photos.index(of: $0) }.map { $0 - index }
        }
        for (index, tile) in old {
            let moved = index + (shift ?? 0)
            if photos.ids.indices.contains(moved), photos.ids[moved] == tile.id {
                tiles[moved] = tile
                tile.button.setAccessiblePosition(moved + 1, of: photos.count)
            } else {
                recycle(tile)
            }
        }
    }

    private func layOut(_ width: Int) {
        guard width != layoutWidth, width > 0 else { return }
        layoutWidth = width
        rows = JustifiedRows(
            aspectRatios: photos.aspectRatios, width: width,
            rowHeight: JustifiedRows.usualHeight(inWidth: width), gap: Self.gap)
    }

    /// The row of a photo; nil before the first layout.
    private func row(of index: Int) -> JustifiedRows.Row? {
        let row = rows.row(of: index)
        return rows.rows.indices.contains(row) ? rows.rows[row] : nil
    }

    /// The first photo on the screen and how far its row is scrolled out; nil at the very top,
    /// where new photos are to be seen.
    private func topPhoto() -> (id: AssetID, offset: Double)? {
        let top = scroller.verticalRange.top
        guard top > 0 else { return nil }
        let visible = rows.rows(from: Int(top), to: Int(top) + 1)
        guard let row = visible.first.map({ rows.rows[$0] }) else { return nil }
        return (photos.ids[row.photos.lowerBound], top - Double(row.top))
    }

    private func placeTiles() {
        updateTiles()
        for (row, indices) in Dictionary(grouping: tiles.keys, by: { rows.row(of: $0) }) {
            let first = rows.rows[row].photos.lowerBound
            let frames = rows.frames(inRow: row)
            for index in indices {
                let frame = frames[index - first]
                guard let button = tiles[index]?.button else { continue }
                canvas.place(
                    button, x: frame.x, y: frame.y, width: frame.width, height: frame.height)
            }
        }
    }

    /// Gives tiles to the photos on and near the screen, and frees those of other photos.
    private func updateTiles() {
        let (top, pageHeight) = scroller.verticalRange
        guard layoutWidth > 0, pageHeight > 0 else { return }
        // Half a page above and below is enough for the next turn of the wheel.
        let margin = pageHeight / 2
        let wantedRows = rows.rows(from: Int(top - margin), to: Int(top + pageHeight + margin))
        let wanted: Range<Int> =
            wantedRows.isEmpty
            ? 0..<0
            : rows.rows[wantedRows.lowerBound].photos
                .lowerBound..<rows.rows[wantedRows.upperBound - 1].photos.upperBound
        var changed = false
        for (index, tile) in tiles where !wanted.contains(index) && index != focused?.index {
            recycle(tile)
            tiles[index] = nil
            changed = true
        }
        for index in wanted where tiles[index] == nil {
            tiles[index] = makeTile(index)
            changed = true
        }
        let firstRow = rows.rows(from: Int(top), to: Int(top) + 1).first
        updateTabStop(otherwise: firstRow.map { rows.rows[$0].photos.lowerBound })
        if changed { canvas.queueAllocate() }
    }

    /// Lets Tab reach the focused photo, or the first one if none is focused.
    private func updateTabStop(otherwise first: Int?) {
        let stop = focused?.index ?? first
        for (index, tile) in tiles { tile.button.isFocusable = index == stop }
    }

    private func makeTile(_ index: Int) -> PhotoTile {
        let tile = spareTiles.popLast() ?? newTile()
        show(index, in: tile)
        return tile
    }

    private func show(_ index: Int, in tile: PhotoTile) {
        let id = photos.ids[index]
        let row = rows.row(of: index)
        let frame = rows.frames(inRow: row)[index - rows.rows[row].photos.lowerBound]
        let pixels = Self.thumbnailPixels(frame, scale: canvas.scaleFactor)
        tile.show(
            id, description: photos.description(at: index), at: index + 1, of: photos.count,
            texture: ready(id, pixels)
        ) { [load] in await load(id, pixels) }
        mark(tile)
    }

    /// The longer side of the thumbnail for a frame, in device pixels.
    ///
    /// Enlarging by a quarter is not visible; the next size of the cache costs four times more.
    private nonisolated static func thumbnailPixels(
        _ frame: JustifiedRows.Frame, scale: Int
    ) -> Int {
        max(frame.width, frame.height) * scale * 4 / 5
    }

    /// The thumbnails that a new window will probably show first.
    nonisolated static func firstThumbnails(of photos: PhotoList) -> [(index: Int, pixels: Int)] {
        let rows = JustifiedRows(
            aspectRatios: photos.aspectRatios, width: usualWidth,
            rowHeight: JustifiedRows.usualHeight(inWidth: usualWidth), gap: gap)
        return rows.rows.indices.prefix(firstRows).flatMap { row in
            zip(rows.rows[row].photos, rows.frames(inRow: row)).map {
                ($0, thumbnailPixels($1, scale: 1))
            }
        }
    }

    private func newTile() -> PhotoTile {
        let tile = PhotoTile()
        canvas.add(tile.button)
        // The press knows the count and the modifiers; the click, which may not follow, counts.
        tile.button.onPress { [weak self, weak tile] count, modifiers in
            guard let self else { return }
            press = (count, modifiers)
            isFocusShown = false
            // As in GTK's lists, the second press counts: on a busy machine a button sometimes gets no
            // release of it.
            if count > 1, let id = tile?.id {
                onEvent(.clicked(id, presses: count, isExtending: modifiers.contains(.shift)))
            }
        }
        tile.button.onClick { [weak self, weak tile] in
            guard let self, let tile else { return }
            click(tile)
        }
        tile.button.onFocus { [weak self, weak tile] in
            guard let self, let id = tile?.id else { return }
            follow(id)
        }
        return tile
    }

    /// Forgets the press of a button that has been released, whether or not it became a click.
    func endPress() {
        press = nil
    }

    private func click(_ tile: PhotoTile) {
        guard let id = tile.id else { return }
        let press = press
        setFocus(id)
        if let press {
            if press.count == 1 {
                onEvent(.clicked(id, presses: 1, isExtending: press.modifiers.contains(.shift)))
            }
        } else {
            onEvent(.activated(id))
        }
        self.press = nil
        // The button has toggled itself, but the model decides what is chosen.
        mark(tile)
    }

    private func recycle(_ tile: PhotoTile) {
        tile.clear()
        spareTiles.append(tile)
    }

    private func mark(_ tile: PhotoTile) {
        guard let id = tile.id else { return }
        tile.setSelected(number(id), of: chosenCount, showsNumber: showsNumbers)
    }

    // MARK: - Focus

    /// Gives the focus to the photo that keys act on and scrolls to it; nil for no photo.
    func focus(_ id: AssetID?) {
        guard id != focused?.id else { return }
        guard let id else {
            if scroller.containsFocus { scroller.grabFocus() }
            focused = nil
            return updateTiles()
        }
        setFocus(id)
        scrollToFocus()
    }

    /// The photo that a key moves to; nil if the key does not move, or if there are no photos.
    func target(of key: Key) -> AssetID? {
        guard !photos.isEmpty, !rows.rows.isEmpty else { return nil }
        let current = focused?.index ?? -1
        let target: Int
        switch key {
        case .left: target = current - 1
        case .right: target = current + 1
        case .up: target = neighbour(of: current, rowsAway: -1)
        case .down: target = neighbour(of: current, rowsAway: 1)
        case .pageUp: target = neighbour(of: current, rowsAway: -pageRows)
        case .pageDown: target = neighbour(of: current, rowsAway: pageRows)
        case .home: target = 0
        case .end: target = photos.count - 1
        default: return nil
        }
        return photos.ids[min(max(target, 0), photos.count - 1)]
    }

    private var focusedTile: PhotoTile? { focused.flatMap { tiles[$0.index] } }

    private func setFocus(_ id: AssetID) {
        guard let index = photos.index(of: id) else { return }
        focused = (id, index)
        updateTiles()
        if tiles[index] == nil, row(of: index) != nil {
            tiles[index] = makeTile(index)
            updateTabStop(otherwise: nil)
            canvas.queueAllocate()
        }
        tiles[index]?.button.grabFocus()
    }

    /// Follows the focus that GTK gave to a tile, for example because of Tab.
    private func follow(_ id: AssetID) {
        // A click scrolls nothing, so that the second press of a double click hits the same photo.
        guard press == nil, !isReplacing else { return }
        if id != focused?.id, let index = photos.index(of: id) {
            focused = (id, index)
            updateTiles()
            onEvent(.focused(id))
        }
        scrollToFocus()
    }

    private func scrollToFocus() {
        guard let focused, let row = row(of: focused.index) else { return }
        let (top, pageHeight) = scroller.verticalRange
        let margin = Double(Self.gap)
        if Double(row.top) < top {
            scroller.scroll(to: Double(row.top) - margin)
        } else if Double(row.bottom) + 2 * margin > top + pageHeight {
            scroller.scroll(to: Double(row.bottom) + 2 * margin - pageHeight)
        }
    }

    private var pageRows: Int {
        let height = JustifiedRows.usualHeight(inWidth: layoutWidth) + Self.gap
        return max(1, Int(scroller.verticalRange.pageHeight) / height)
    }

    /// The photo nearest in horizontal position some rows away.
    private func neighbour(of index: Int, rowsAway: Int) -> Int {
        guard index >= 0 else { return 0 }
        let row = rows.row(of: index)
        let target = min(max(row + rowsAway, 0), rows.rows.count - 1)
        guard target != row else { return index }
        let frame = rows.frames(inRow: row)[index - rows.rows[row].photos.lowerBound]
        let middle = frame.x + frame.width / 2
        let candidates = rows.frames(inRow: target)
        let nearest = candidates.indices.min { left, right in
            abs(candidates[left].x + candidates[left].width / 2 - middle)
                < abs(candidates[right].x + candidates[right].width / 2 - middle)
        }
        return rows.rows[target].photos.lowerBound + (nearest ?? 0)
    }
}

// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos

/// Photos in justified rows.
///
/// Only those in sight, and a little around them, have tiles.
@UIActor
final class PhotoGrid {
    /// What a person did with a photo.
    enum Action {
        case click(presses: Int, Modifiers)
        /// Space, or an assistive technology.
        case activate
    }

    var onAction: @UIActor (Int, Action) -> Void = { _, _ in }
    /// Gets a thumbnail whose longer side has at least this many device pixels.
    var load: @UIActor (AssetID, Int) async -> Result<Texture, PhotoProblem>? = { _, _ in nil }
    /// A texture that is at hand already.
    var cached: @UIActor (AssetID) -> Texture? = { _ in nil }

    private(set) var photos = PhotoList()
    /// The photo that keys act on.
    private(set) var focusedIndex: Int?

    private let scroller: ScrolledWindow
    private let canvas = Canvas()
    private var rows = JustifiedRows(aspectRatios: [], width: 1, rowHeight: 1, gap: 0)
    private var layoutWidth = 0
    private var tiles: [Int: PhotoTile] = [:]
    private var spareTiles: [PhotoTile] = []
    private var selection = Selection(limits: .one)
    private var showsNumbers = false

    private static let rowHeight = 180
    private static let gap = 4

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

    /// Shows other photos, from the top.
    func show(_ photos: PhotoList) {
        replace(photos)
        focusedIndex = nil
        scroller.scroll(to: 0)
    }

    /// Shows the same album after it changed: what is in sight stays where it is.
    func update(_ photos: PhotoList) {
        guard photos != self.photos else { return }
        let anchor = anchorPhoto()
        let focused = focusedIndex.map { self.photos.ids[$0] }
        replace(photos)
        focusedIndex = focused.flatMap { photos.ids.firstIndex(of: $0) }
        guard let anchor, let index = photos.ids.firstIndex(of: anchor.id) else { return }
        layOut(layoutWidth)
        guard !rows.rows.isEmpty else { return }
        scroller.scroll(to: Double(rows.rows[rows.row(of: index)].top) + anchor.offset)
    }

    /// Marks the photos that are chosen.
    func mark(_ selection: Selection, showsNumbers: Bool) {
        self.selection = selection
        self.showsNumbers = showsNumbers
        for tile in tiles.values { mark(tile) }
    }

    // MARK: - Focus

    /// Moves the focus by a key; false when the key is not one that moves.
    func moveFocus(_ key: Key) -> Bool {
        guard !photos.isEmpty else { return false }
        let current = focusedIndex ?? -1
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
        default: return false
        }
        focus(min(max(target, 0), photos.count - 1))
        return true
    }

    /// Gives a photo the focus and brings it into sight.
    func focus(_ index: Int) {
        guard photos.ids.indices.contains(index) else { return }
        focusedIndex = index
        bringIntoSight(rows.rows[rows.row(of: index)])
        updateTiles()
        tiles[index]?.button.grabFocus()
    }

    private var pageRows: Int {
        max(1, Int(scroller.verticalRange.pageHeight) / (Self.rowHeight + Self.gap))
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

    private func bringIntoSight(_ row: JustifiedRows.Row) {
        let (top, pageHeight) = scroller.verticalRange
        let margin = Double(Self.gap)
        if Double(row.top) < top {
            scroller.scroll(to: Double(row.top) - margin)
        } else if Double(row.bottom) + 2 * margin > top + pageHeight {
            scroller.scroll(to: Double(row.bottom) + 2 * margin - pageHeight)
        }
    }

    // MARK: - Layout

    private func replace(_ photos: PhotoList) {
        for tile in tiles.values { recycle(tile) }
        tiles = [:]
        self.photos = photos
        rows = JustifiedRows(aspectRatios: [], width: 1, rowHeight: 1, gap: 0)
        let width = layoutWidth
        layoutWidth = 0
        layOut(width)
        canvas.queueResize()
        updateTiles()
    }

    private func layOut(_ width: Int) {
        guard width != layoutWidth, width > 0 else { return }
        layoutWidth = width
        rows = JustifiedRows(
            aspectRatios: photos.aspectRatios, width: width, rowHeight: Self.rowHeight,
            gap: Self.gap)
    }

    private func anchorPhoto() -> (id: AssetID, offset: Double)? {
        let top = scroller.verticalRange.top
        // At the top, new photos should be seen.
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

    /// Gives tiles to the photos in sight and around, and takes them from others.
    private func updateTiles() {
        let (top, pageHeight) = scroller.verticalRange
        guard layoutWidth > 0, pageHeight > 0 else { return }
        // Half a page above and below: enough for the next turn of the wheel.
        let margin = pageHeight / 2
        let wantedRows = rows.rows(from: Int(top - margin), to: Int(top + pageHeight + margin))
        let wanted: Range<Int> =
            wantedRows.isEmpty
            ? 0..<0
            : rows.rows[wantedRows.lowerBound].photos
                .lowerBound..<rows.rows[wantedRows.upperBound - 1].photos.upperBound
        var changed = false
        for (index, tile) in tiles where !wanted.contains(index) && index != focusedIndex {
            recycle(tile)
            tiles[index] = nil
            changed = true
        }
        for index in wanted where tiles[index] == nil {
            tiles[index] = makeTile(index)
            changed = true
        }
        if changed { canvas.queueAllocate() }
    }

    private func makeTile(_ index: Int) -> PhotoTile {
        let tile = spareTiles.popLast() ?? newTile()
        let id = photos.ids[index]
        let row = rows.row(of: index)
        let frame = rows.frames(inRow: row)[index - rows.rows[row].photos.lowerBound]
        // A quarter of enlargement is not seen; the next size of the cache costs four times more.
        let pixels = max(frame.width, frame.height) * canvas.scaleFactor * 4 / 5
        tile.show(
            index, description: description(index), at: index + 1, of: photos.count,
            texture: cached(id)
        ) { [load] in await load(id, pixels) }
        mark(tile)
        return tile
    }

    private func newTile() -> PhotoTile {
        let tile = PhotoTile()
        canvas.add(tile.button)
        // A press tells how often and with which keys; the click, which may not follow, counts.
        var press: Action?
        tile.button.onPress { presses, modifiers in
            press = .click(presses: presses, modifiers)
        }
        tile.button.onClick { [weak self, weak tile] in
            guard let self, let tile, tile.index >= 0 else { return }
            focusedIndex = tile.index
            onAction(tile.index, press ?? .activate)
            press = nil
            // The button has changed its own state; what is chosen is decided elsewhere.
            if tile.index >= 0 { mark(tile) }
        }
        return tile
    }

    private func recycle(_ tile: PhotoTile) {
        tile.clear()
        spareTiles.append(tile)
    }

    private func mark(_ tile: PhotoTile) {
        tile.setSelected(
            selection.number(of: photos.ids[tile.index]), of: selection.count,
            showsNumber: showsNumbers)
    }

    private func description(_ index: Int) -> String {
        let date = LocalTime.text(photos.taken[index])
        let ratio = photos.aspectRatios[index]
        if ratio > 2 { return localized("Photo, %@, panorama", date) }
        if ratio > 1.05 { return localized("Photo, %@, landscape", date) }
        return ratio < 0.95
            ? localized("Photo, %@, portrait", date) : localized("Photo, %@, square", date)
    }
}

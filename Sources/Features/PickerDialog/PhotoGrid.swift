// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// Photos in justified rows.
@UIActor
final class PhotoGrid: TiledPhotoList {
    let stock: TileStock
    var query: PhotoQuery?
    /// Called when photos on the screen have moved, though the person did nothing.
    var onShift: @UIActor () -> Void = {}
    /// Whether the photo that keys act on has a ring around it.
    ///
    /// GTK's own comes only with Tab, and goes after a few seconds.
    var isFocusShown = false {
        didSet {
            guard isFocusShown != oldValue else { return }
            scroller.setClass("keyboard", isFocusShown)
        }
    }

    /// The size and the shape of the photos.
    var style: GridStyle {
        didSet { if style != oldValue { restyle(from: oldValue) } }
    }

    var photos = PhotoList()
    /// The days, months and years that photos were taken in.
    var sections: [DateSection] = []
    var focused: (id: AssetID, index: Int)?
    var isReplacing = false

    /// Whether the scrollbar is being dragged.
    var isScrubbing = false
    private var lastTop = 0.0
    /// When the photos have last moved by scrolling.
    private var lastMove: ContinuousClock.Instant?
    /// Whether they are moving.
    var isMoving: Bool {
        lastMove.map { .now - $0 < Self.pauseInMove } ?? false
    }
    /// Longer than between two turns of the wheel, and than one frame of a movement takes.
    private static let pauseInMove = Duration.milliseconds(250)
    let bubble: DateBubble
    let scroller: ScrolledWindow
    let canvas = Canvas()
    var rows = JustifiedRows(aspectRatios: [], width: 1, rowHeight: 1, gap: 0)
    var layoutWidth = 0
    /// The first photo in view, the part of its row that is scrolled out, and the scroll position
    /// at which this holds; nil at the very top, where new photos are to be seen.
    var place: (id: AssetID, hiddenPart: Double, top: Double)?
    var tiles: [Int: PhotoTile] = [:]
    /// The headings on the screen, by the index of their section.
    var headings: [Int: DateHeading] = [:]
    var spareHeadings: [DateHeading] = []
    /// The height of a heading; nil until one was measured.
    var headingHeight: Int?
    /// Where those headings are.
    var headingTops: [Int: Int] = [:]

    nonisolated static let gap = 4
    /// The width of the grid in a new window.
    nonisolated static let usualWidth = 736
    /// The height of what it shows at once.
    nonisolated static let usualHeight = 590

    /// - Parameter overlay: Lies over the scroller.
    init(in scroller: ScrolledWindow, below overlay: Overlay, _ style: GridStyle) {
        self.scroller = scroller
        self.style = style
        stock = TileStock(on: canvas)
        bubble = DateBubble(on: overlay)
        scroller.setContent(canvas)
        canvas.setAccessibleLabel(localized("Photos"))
        canvas.heightForWidth = { [weak self] width in
            guard let self else { return 0 }
            fit(width)
            return rows.height
        }
        canvas.allocate = { [weak self] width, _ in
            guard let self else { return }
            fit(width)
            placeTiles()
        }
        scroller.onScroll { [weak self] in
            self?.noteMove()
            self?.notePlace()
            self?.updateTiles()
            self?.updateBubble()
        }
        connectScrubbing()
        stock.isMoving = { [weak self] in self?.isMoving ?? false }
        stock.onPress = { [weak self] in self?.isFocusShown = false }
        stock.onFocus = { [weak self] id in self?.setFocus(id) }
    }

    /// Remembers that the photos move; the range changes without that, too.
    private func noteMove() {
        let top = scroller.verticalRange.top
        if top != lastTop { lastMove = .now }
        lastTop = top
    }

    // MARK: - Content

    func show(_ photos: PhotoList) {
        // An equal list keeps its tiles: somebody may be pressing one.
        if photos != self.photos { replace(photos, focus: focused?.id) }
        scroller.scroll(to: 0)
    }

    func update(_ photos: PhotoList, focus: AssetID?) {
        guard photos != self.photos else { return }
        let top = topPhoto()
        let old = photosInView(from: scroller.verticalRange.top)
        replace(photos, focus: focus)
        place = nil
        defer {
            notePlace()
            let new = photosInView(from: scroller.verticalRange.top)
            if old.contains(where: { new[$0.key] != $0.value }) { onShift() }
        }
        guard let top, let index = photos.index(of: top.id) else { return }
        layOut(layoutWidth)
        guard let row = row(of: index) else { return }
        let target = Double(row.top) + top.offset
        // GTK has not measured the new rows yet.
        let height = max(Double(rows.height), target + scroller.verticalRange.pageHeight)
        scroller.scroll(to: target, inHeight: height)
    }

    func mark(count: Int) {
        stock.chosenCount = count
        for tile in tiles.values { stock.mark(tile) }
        markHeadings()
    }

    // MARK: - Layout

    private func replace(_ photos: PhotoList, focus: AssetID?) {
        let hadFocus = scroller.containsFocus
        isReplacing = true
        tiles = stock.keep(tiles, for: photos)
        self.photos = photos
        sections = Self.sections(of: photos, style)
        focused = focus.flatMap { id in photos.index(of: id).map { (id, $0) } }
        rows = JustifiedRows(aspectRatios: [], width: 1, rowHeight: 1, gap: 0)
        let width = layoutWidth
        layoutWidth = 0
        layOut(width)
        canvas.queueResize()
        updateTiles()
        if hadFocus { focusHolder.grabFocus() }
        isReplacing = false
    }

    private func placeTiles() {
        updateTiles()
        for (row, indices) in Dictionary(grouping: tiles.keys, by: { rows.row(of: $0) }) {
            let first = rows.rows[row].photos.lowerBound
            let frames = rows.frames(inRow: row)
            for index in indices {
                let frame = frames[index - first]
                guard let tile = tiles[index] else { continue }
                tile.fit(width: frame.width, height: frame.height)
                let button = tile.button
                let x =
                    canvas.isRightToLeft ? layoutWidth - frame.x - frame.width : frame.x
                canvas.place(
                    button, x: x, y: frame.y, width: frame.width, height: frame.height)
            }
        }
        placeHeadings()
    }

    func updateTiles() {
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
        let changed = updateTiles(for: wanted)
        if updateHeadings() || changed { canvas.queueAllocate() }
    }
}

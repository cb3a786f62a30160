// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

extension PhotoGrid {
    func makeTile(_ index: Int) -> PhotoTile {
        let tile = spareTiles.popLast() ?? newTile()
        show(index, in: tile)
        return tile
    }

    func show(_ index: Int, in tile: PhotoTile) {
        let id = photos.ids[index]
        let pixels = thumbnailPixels(index)
        tile.show(
            id, isVideo: photos.isVideo[index], description: photos.description(at: index),
            at: index + 1, of: photos.count,
            obstacle: photos.brokenRule(at: index).map { reason($0) },
            colour: photos.colours[index], pixels: pixels, ready: ready(id, pixels)
        ) { [load] in await load(id, pixels) }
        tile.showCaption(date: photos.taken[index]) { [caption] in await caption(id) }
        mark(tile)
    }

    /// Loads larger thumbnails for tiles that have grown.
    func sharpenTiles() {
        for (index, tile) in tiles {
            guard let id = tile.id else { continue }
            let pixels = thumbnailPixels(index)
            tile.sharpen(to: pixels) { [load] in await load(id, pixels) }
        }
    }

    /// The longer side of a photo's thumbnail, in device pixels.
    private func thumbnailPixels(_ index: Int) -> Int {
        let row = rows.row(of: index)
        let frame = rows.frames(inRow: row)[index - rows.rows[row].photos.lowerBound]
        return Self.thumbnailPixels(frame, photos.aspectRatios[index], scale: canvas.scaleFactor)
    }

    /// The longer side of the thumbnail for a frame, in device pixels.
    ///
    /// The thumbnail covers the frame, in which a photo of another shape is cropped.
    ///
    /// Enlarging by a quarter is not visible; the next size of the cache costs four times more.
    private nonisolated static func thumbnailPixels(
        _ frame: JustifiedRows.Frame, _ aspectRatio: Float, scale: Int
    ) -> Int {
        // The cache has nothing longer than ten times a tile.
        let ratio = min(max(aspectRatio, 0.1), 10)
        let height = max(Float(frame.width) / ratio, Float(frame.height))
        return Int(height * max(ratio, 1)) * scale * 4 / 5
    }

    /// The thumbnails that a new window will probably show first.
    nonisolated static func firstThumbnails(
        of photos: PhotoList, _ style: GridStyle
    ) -> [(index: Int, pixels: Int)] {
        let rows = rows(
            of: photos, style, width: usualWidth, room(for: sections(of: photos, style)))
        return rows.rows(from: 0, to: usualHeight).flatMap { row in
            zip(rows.rows[row].photos, rows.frames(inRow: row)).map {
                ($0, thumbnailPixels($1, photos.aspectRatios[$0], scale: 1))
            }
        }
    }

    private func newTile() -> PhotoTile {
        let tile = PhotoTile { [weak self] in self?.isMoving ?? false }
        // Below the headings, one of which covers the photos at the top.
        canvas.addBelow(tile.button)
        // The press knows the count and the modifiers; the click, which may not follow, counts.
        tile.button.onPress { [weak self, weak tile] count, modifiers, position in
            guard let self, let tile, let photo = tile.id else { return }
            wasSettled = isSettled() && (count == 1 || wasSettled)
            let press = Press(
                photo: photo, count: count, modifiers: modifiers, isSettled: wasSettled,
                isOnMagnifier: tile.isMagnifier(at: position))
            self.press = press
            isFocusShown = false
            // As in GTK's lists, the second press counts.
            if count > 1 { send(press) }
        }
        tile.button.onLongPress { [weak self, weak tile] in
            guard let self, let photo = tile?.id else { return }
            press = nil
            onEvent(.previewed(photo))
        }
        tile.button.onClick { [weak self, weak tile] in
            guard let self, let tile else { return }
            click(tile)
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
        self.press = nil
        // The button has toggled itself, but the model decides what is chosen.
        defer { mark(tile) }
        // The tile may have got another photo while it was pressed.
        guard press == nil || press?.photo == id else { return }
        setFocus(id)
        if let press {
            if press.isOnMagnifier {
                onEvent(.previewed(id))
            } else if press.count == 1 {
                send(press)
            }
        } else {
            onEvent(.activated(id))
        }
    }

    private func send(_ press: Press) {
        onEvent(
            .clicked(
                press.photo, presses: press.count,
                isExtending: press.modifiers.contains(.shift), isSettled: press.isSettled))
    }

    func recycle(_ tile: PhotoTile) {
        tile.clear()
        spareTiles.append(tile)
    }

    func mark(_ tile: PhotoTile) {
        guard let id = tile.id else { return }
        tile.setSelected(
            numbers(id), of: chosenCount, showsNumber: showsNumbers, invites: choosesSeveral)
    }

}

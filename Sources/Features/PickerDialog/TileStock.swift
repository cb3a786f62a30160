// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

/// The tiles of a list of photos, and what a press on one means, however the list lays them out.
///
/// A tile that a list no longer needs is kept for another photo.
@UIActor
final class TileStock {
    /// A press of the mouse on a photo.
    private struct Press {
        let photo: AssetID
        /// 1, or 2 for the second press of a double click.
        var count: Int
        var modifiers: Modifiers
        /// Whether the person can have seen where the photos are.
        var isSettled: Bool
        /// Whether it is on the sign that opens the preview.
        var isOnMagnifier = false
    }

    var onEvent: @UIActor (PickEvent) -> Void = { _ in }
    /// Called when the mouse is pressed on a photo.
    var onPress: @UIActor () -> Void = {}
    /// Called with a photo that gets the focus because it was clicked.
    var onFocus: @UIActor (AssetID) -> Void = { _ in }
    /// Loads a thumbnail whose longer side has at least this many device pixels.
    var load: @UIActor (AssetID, Int) async -> Result<Texture, PhotoProblem>? = { _, _ in nil }
    /// Returns a thumbnail that needs no loading, and whether it is smaller than that.
    var ready: @UIActor (AssetID, Int) -> (texture: Texture, isSmall: Bool)? = { _, _ in nil }
    /// Finds out what a tile says besides its picture; nil if that is not known.
    var caption: @UIActor (AssetID) async -> PhotoCaption? = { _ in nil }
    /// The place of a photo in the order of choice, or those of the pictures of a burst; none if it is not
    /// chosen.
    var numbers: @UIActor (AssetID) -> [Int] = { _ in [] }
    /// Why a photo cannot be chosen that breaks a rule of the app.
    var reason: @UIActor (PhotoFilter.Rule) -> String = { _ in "" }
    /// Whether enough time has passed since photos have moved for the person to see it.
    var isSettled: @UIActor () -> Bool = { true }
    /// Whether the list is being scrolled.
    var isMoving: @UIActor () -> Bool = { false }
    /// Whether chosen photos show their number rather than a check mark.
    var showsNumbers = false
    /// Whether the person may choose more than one photo.
    var choosesSeveral = false
    /// The number of chosen photos, whether or not the list has them.
    var chosenCount = 0

    private let canvas: Canvas
    private var spare: [PhotoTile] = []
    /// The press that the next click belongs to.
    private var press: Press?
    /// Whether the person can have seen where the photos were at the first press of a double click.
    private var wasSettled = true

    /// - Parameter canvas: Gets the tiles, which its owner places.
    init(on canvas: Canvas) {
        self.canvas = canvas
    }

    /// Whether a press has not been followed by its click yet.
    var isPressed: Bool { press != nil }

    // MARK: - Content

    /// Returns a tile for a photo.
    ///
    /// - Parameter pixels: The longer side of its thumbnail, in device pixels.
    func tile(for index: Int, of photos: PhotoList, pixels: Int) -> PhotoTile {
        let tile = spare.popLast() ?? newTile()
        show(index, of: photos, pixels: pixels, in: tile)
        return tile
    }

    func show(_ index: Int, of photos: PhotoList, pixels: Int, in tile: PhotoTile) {
        let id = photos.ids[index]
        tile.show(
            id, isVideo: photos.isVideo[index], description: photos.description(at: index),
            at: index + 1, of: photos.count,
            obstacle: photos.brokenRule(at: index).map { reason($0) },
            colour: photos.colours[index], pixels: pixels, ready: ready(id, pixels)
        ) { [load] in await load(id, pixels) }
        tile.showCaption(date: photos.taken[index]) { [caption] in await caption(id) }
        mark(tile)
    }

    /// Loads a larger thumbnail for a tile that has grown.
    func sharpen(_ tile: PhotoTile, pixels: Int) {
        guard let id = tile.id else { return }
        tile.sharpen(to: pixels) { [load] in await load(id, pixels) }
    }

    /// Returns the tiles of photos that another list has as well, by their index there, and frees the others.
    ///
    /// A list that grows at one end while somebody looks at it loads no picture again.
    func keep(_ tiles: [Int: PhotoTile], for photos: PhotoList) -> [Int: PhotoTile] {
        var kept: [Int: PhotoTile] = [:]
        let shift = tiles.min { $0.key < $1.key }.flatMap { index, tile in
            tile.id.flatMap { photos.index(of: $0) }.map { $0 - index }
        }
        for (index, tile) in tiles {
            let moved = index + (shift ?? 0)
            if photos.ids.indices.contains(moved), photos.ids[moved] == tile.id {
                kept[moved] = tile
                tile.button.setAccessiblePosition(moved + 1, of: photos.count)
            } else {
                recycle(tile)
            }
        }
        return kept
    }

    func recycle(_ tile: PhotoTile) {
        tile.clear()
        spare.append(tile)
    }

    /// Shows whether the photo of a tile is chosen.
    func mark(_ tile: PhotoTile) {
        guard let id = tile.id else { return }
        tile.setSelected(
            numbers(id), of: chosenCount, showsNumber: showsNumbers, invites: choosesSeveral)
    }

    // MARK: - Presses

    private func newTile() -> PhotoTile {
        let tile = PhotoTile { [weak self] in self?.isMoving() ?? false }
        // Below what else is on the canvas: headings, one of which covers the photos at the top.
        canvas.addBelow(tile.button)
        // The press knows the count and the modifiers; the click, which may not follow, counts.
        tile.button.onPress { [weak self, weak tile] count, modifiers, position in
            guard let self, let tile, let photo = tile.id else { return }
            wasSettled = isSettled() && (count == 1 || wasSettled)
            let press = Press(
                photo: photo, count: count, modifiers: modifiers, isSettled: wasSettled,
                isOnMagnifier: tile.isMagnifier(at: position))
            self.press = press
            onPress()
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
        onFocus(id)
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
}

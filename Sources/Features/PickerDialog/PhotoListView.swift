// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

/// A widget that shows a list of photos, one of which keys act on.
@UIActor
protocol PhotoListView: AnyObject {
    var stock: TileStock { get }
    /// The query that found the photos; nil before the first ones.
    var query: PhotoQuery? { get set }
    /// Whether the photo that keys act on has a ring around it.
    var isFocusShown: Bool { get set }
    /// Whether keys go to the photos.
    var containsFocus: Bool { get }

    /// Shows a different list, from its beginning.
    func show(_ photos: PhotoList)
    /// Shows a new version of the same list; the photos on the screen stay where they are.
    ///
    /// - Parameter focus: The photo that keys act on from now on: a neighbour of one that has gone.
    func update(_ photos: PhotoList, focus: AssetID?)
    /// Marks the chosen photos.
    ///
    /// - Parameter count: The number of chosen photos, whether or not this list has them.
    func mark(count: Int)
    /// Loads the pictures of these photos again.
    func reload(_ ids: Set<AssetID>)

    /// Gives the focus to the photo that keys act on and scrolls to it; nil for no photo.
    func focus(_ id: AssetID?)
    /// Gives the keyboard focus to the photos.
    ///
    /// - Returns: Whether they have the focus now; false while there are none.
    @discardableResult func takeFocus() -> Bool
    /// Follows the focus that has moved within the window to a tile, for example because of Tab.
    func followFocus()
    /// The photo that a key moves to; nil if the key does not move, or if there are no photos.
    func target(of key: Key) -> AssetID?
}

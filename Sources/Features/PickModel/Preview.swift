// SPDX-License-Identifier: MIT

package import Photos

/// The page that shows one photo at a time.
package struct Preview: Hashable, Sendable {
    /// The photo that the preview has come to, among those to go through.
    package internal(set) var id: AssetID {
        didSet {
            guard id != oldValue else { return }
            frame = nil
            burst = nil
        }
    }
    /// The burst that the photo is a picture of; nil if it is of none, or if that is not known yet.
    package internal(set) var burst: Burst?
    /// The picture of the burst that is in view in place of the photo itself.
    var frame: AssetID?
    /// The photos to go through if these are only the chosen ones; nil for all photos of the album.
    ///
    /// A photo that the person removes from the choice stays, so that it can be chosen again.
    package internal(set) var chosen: [AssetID]?
    /// Whether the photo took the place of one that has gone, and the person did not ask for it.
    var isInherited = false

    init(_ id: AssetID) {
        self.id = id
    }

    /// The picture in view, which is chosen, cropped and delivered.
    package var shown: AssetID { frame ?? id }
}

/// Where to go in a preview.
package enum PreviewStep: Hashable, CaseIterable, Sendable {
    case previous, next, first, last

    /// The place from which a step leads to another one; may be beyond the ends.
    func target(from index: Int, of count: Int) -> Int {
        switch self {
        case .previous: index - 1
        case .next: index + 1
        case .first: 0
        case .last: count - 1
        }
    }
}

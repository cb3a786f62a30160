// SPDX-License-Identifier: MIT

package import Photos

/// The page that shows one photo at a time.
package struct Preview: Hashable, Sendable {
    /// The photo that is shown.
    package internal(set) var id: AssetID
    /// The photos to go through if these are only the chosen ones; nil for all photos of the album.
    ///
    /// A photo that the person removes from the choice stays, so that it can be chosen again.
    package internal(set) var chosen: [AssetID]?
    /// Whether the photo took the place of one that has gone, and the person did not ask for it.
    var isInherited = false

    init(_ id: AssetID) {
        self.id = id
    }
}

/// Where to go in a preview.
package enum PreviewStep: Hashable, CaseIterable, Sendable {
    case previous, next, first, last
}

// SPDX-License-Identifier: MIT

package import Photos

/// What the app would get if the pick finished now.
package struct Receipt: Hashable, Sendable {
    /// The number of photos.
    package let count: Int
    /// The number of photos of which the app gets a part.
    package let clippedCount: Int
    /// What the app may do with them beyond reading them once.
    package let grants: Grants
    /// The wishes of the app that the person did not grant.
    package let withheld: Grants
    package let representation: Representation

    init(_ selection: Selection, granted: Grants, _ options: PickOptions) {
        count = selection.count
        clippedCount = selection.items.count { $0.clip != nil }
        grants = granted
        withheld = options.wishes.subtracting(granted)
        representation = options.output.representation
    }

    /// Whether the app asked for the location and gets files without it.
    package var isLocationRemoved: Bool { withheld.contains(.location) }
}

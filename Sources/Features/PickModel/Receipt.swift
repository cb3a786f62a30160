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
    /// The form in which the app gets them.
    package let output: OutputOptions
    /// The size of all files together, in bytes; nil if it is not known.
    package let byteCount: Int64?

    init(_ selection: Selection, _ facts: ChoiceFacts, granted: Grants, _ options: PickOptions) {
        count = selection.count
        clippedCount = selection.items.count { $0.clip != nil }
        grants = granted
        withheld = options.wishes.subtracting(granted)
        output = options.output
        // Files that are yet to be made have no size.
        byteCount =
            clippedCount == 0 && options.output.keepsOriginals
            ? facts.byteCount(of: selection.items) : nil
    }

    /// Whether the app asked for the location and gets files without it.
    package var isLocationRemoved: Bool { withheld.contains(.location) }
}

extension OutputOptions {
    /// Whether every photo is delivered as it is, apart from its location.
    fileprivate var keepsOriginals: Bool {
        representation == .original && formats.isEmpty && maximumSide == nil
            && maximumByteCount == nil
    }
}

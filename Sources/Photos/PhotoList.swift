// SPDX-License-Identifier: MIT

/// The photos of an album, newest first: what a grid needs of each, and no more.
///
/// Kept as columns, 32 bytes a photo, so that a million of them are no burden.
package struct PhotoList: Sendable, Equatable {
    package private(set) var ids: [AssetID] = []
    /// Width over height of each upright photo; 1 where it is not known.
    package private(set) var aspectRatios: [Float] = []
    /// Seconds since 1970 of each.
    package private(set) var taken: [Int64] = []

    package init() {}

    package var count: Int { ids.count }
    package var isEmpty: Bool { ids.isEmpty }

    package mutating func append(_ id: AssetID, size: PixelSize, taken seconds: Int64) {
        ids.append(id)
        aspectRatios.append(Float(size.aspectRatio))
        taken.append(seconds)
    }
}

// SPDX-License-Identifier: MIT

/// The photos of an album, newest first, with the facts about each that a grid needs.
///
/// Stored in columns, 33 bytes per photo, so that even a list of a million photos stays small.
package struct PhotoList: Hashable, Sendable {
    package private(set) var ids: [AssetID] = []
    /// Width divided by height of each upright photo; 1 if unknown.
    package private(set) var aspectRatios: [Float] = []
    /// When each photo was taken, in seconds since 1970.
    package private(set) var taken: [Int64] = []
    /// Whether each of them is a video.
    package private(set) var isVideo: [Bool] = []

    package init() {}

    package var count: Int { ids.count }
    package var isEmpty: Bool { ids.isEmpty }

    /// The position of a photo; nil if it is not in the list.
    package func index(of id: AssetID) -> Int? { ids.firstIndex(of: id) }

    package mutating func append(
        _ id: AssetID, size: PixelSize, taken seconds: Int64, isVideo: Bool = false
    ) {
        ids.append(id)
        aspectRatios.append(Float(size.aspectRatio))
        taken.append(seconds)
        self.isVideo.append(isVideo)
    }

    /// This list with newer additions to it; of equal dates, the additions come first.
    package func merging(_ added: PhotoList) -> PhotoList {
        guard !added.isEmpty else { return self }
        var merged = PhotoList()
        merged.reserve(count + added.count)
        var next = 0
        for index in 0..<count {
            while next < added.count, added.taken[next] >= taken[index] {
                merged.append(added, next)
                next += 1
            }
            merged.append(self, index)
        }
        while next < added.count {
            merged.append(added, next)
            next += 1
        }
        return merged
    }

    private mutating func reserve(_ count: Int) {
        ids.reserveCapacity(count)
        aspectRatios.reserveCapacity(count)
        taken.reserveCapacity(count)
        isVideo.reserveCapacity(count)
    }

    private mutating func append(_ other: PhotoList, _ index: Int) {
        ids.append(other.ids[index])
        aspectRatios.append(other.aspectRatios[index])
        taken.append(other.taken[index])
        isVideo.append(other.isVideo[index])
    }
}

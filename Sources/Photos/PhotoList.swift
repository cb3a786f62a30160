// SPDX-License-Identifier: MIT

/// The photos of an album, newest first, with the facts about each that a grid needs.
///
/// Stored in columns, 33 or 34 bytes per photo, so that even a list of a million photos stays small.
package struct PhotoList: Hashable, Sendable {
    package private(set) var ids: [AssetID] = []
    /// Width divided by height of each upright photo; 1 if unknown.
    package private(set) var aspectRatios: [Float] = []
    /// When each photo was taken, in seconds since 1970.
    package private(set) var taken: [Int64] = []
    /// Whether each of them is a video.
    package private(set) var isVideo: [Bool] = []
    /// The dominant colour of each photo; nil if it is unknown.
    package private(set) var colours: [PhotoColour?] = []
    /// The rule of the app that each of them breaks, or 0; empty if the app has no rules.
    private var rules: [UInt8] = []

    package init() {}

    package var count: Int { ids.count }
    package var isEmpty: Bool { ids.isEmpty }

    /// The position of a photo; nil if it is not in the list.
    package func index(of id: AssetID) -> Int? { ids.firstIndex(of: id) }

    /// The rule of the app that a photo breaks; nil if it fits.
    package func brokenRule(at index: Int) -> PhotoFilter.Rule? {
        rules.isEmpty ? nil : PhotoFilter.Rule(rawValue: rules[index])
    }

    /// The photos among some of these that fit.
    package func fitting(_ indices: Range<Int>) -> [AssetID] {
        rules.isEmpty ? Array(ids[indices]) : indices.lazy.filter { rules[$0] == 0 }.map { ids[$0] }
    }

    /// Adds a photo.
    ///
    /// - Parameter rule: The rule of the app that it breaks; nil if it fits.
    package mutating func append(
        _ id: AssetID, size: PixelSize, taken seconds: Int64, isVideo: Bool = false,
        colour: PhotoColour? = nil, breaking rule: PhotoFilter.Rule? = nil
    ) {
        append(rule?.rawValue ?? 0)
        ids.append(id)
        aspectRatios.append(Float(size.aspectRatio))
        taken.append(seconds)
        self.isVideo.append(isVideo)
        colours.append(colour)
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

    /// Adds the rule of the next photo; without any, there is no column for them.
    private mutating func append(_ rule: UInt8) {
        if rules.isEmpty, rule != 0 { rules = Array(repeating: 0, count: count) }
        if rule != 0 || !rules.isEmpty { rules.append(rule) }
    }

    private mutating func reserve(_ count: Int) {
        ids.reserveCapacity(count)
        aspectRatios.reserveCapacity(count)
        taken.reserveCapacity(count)
        isVideo.reserveCapacity(count)
        colours.reserveCapacity(count)
    }

    private mutating func append(_ other: PhotoList, _ index: Int) {
        append(other.rules.isEmpty ? 0 : other.rules[index])
        ids.append(other.ids[index])
        aspectRatios.append(other.aspectRatios[index])
        taken.append(other.taken[index])
        isVideo.append(other.isVideo[index])
        colours.append(other.colours[index])
    }
}

// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import Photos

/// A photo that is a frame of a burst, with what decides which of the frames people see.
struct BurstFrame: Sendable {
    let asset: Int64
    /// When it was taken.
    let order: BurstOrder
    /// The photo that is shown for it; nil if that is this one.
    let frameOf: Int64?
    /// How many frames it is shown for, itself included; 0 if it is not shown, or alone.
    let frames: Int
    /// Whether the camera took it for the best one.
    let isPreferred: Bool
    let isAdjusted: Bool
    /// Whether it may be hidden: it has no adjusted version, and nobody is about to be told its id.
    let isFree: Bool
    /// The folders of all of its files.
    var folders: Set<Int64>

    /// The frame that stands for others comes first.
    private static func isShownBefore(_ one: BurstFrame, _ other: BurstFrame) -> Bool {
        if one.isAdjusted != other.isAdjusted { return one.isAdjusted }
        if one.isPreferred != other.isPreferred { return one.isPreferred }
        return one.order < other.order
    }

    /// The frames that are not shown, with the ones that are shown for them.
    ///
    /// A frame is not shown if one that is shown has a file in each of its folders, so that no folder loses
    /// a photo without having another one of the burst.
    static func hidden(among frames: [BurstFrame]) -> [Int64: Int64] {
        var hidden: [Int64: Int64] = [:]
        var rest = frames.sorted(by: isShownBefore)[...]
        while let first = rest.popFirst() {
            var others: [BurstFrame] = []
            for frame in rest {
                if frame.isFree, frame.folders.isSubset(of: first.folders) {
                    hidden[frame.asset] = first.asset
                } else {
                    others.append(frame)
                }
            }
            rest = others[...]
        }
        return hidden
    }
}

/// The place of a frame in its burst: when it was taken.
struct BurstOrder: Comparable, Sendable {
    let date: Int64
    /// The first of its names, which has a number at the end.
    let name: Data
    let fingerprint: Data

    /// Within a second, names decide; a longer one has a larger number.
    static func < (one: BurstOrder, other: BurstOrder) -> Bool {
        if one.date != other.date { return one.date < other.date }
        if one.name.count != other.name.count { return one.name.count < other.name.count }
        if one.name != other.name { return one.name.lexicographicallyPrecedes(other.name) }
        return one.fingerprint.lexicographicallyPrecedes(other.fingerprint)
    }
}

/// What the pictures of one burst have in common, as it is stored with each of them.
enum BurstKey {
    /// The key of a photo; nil if it is of no burst.
    ///
    /// Pictures of different sizes are of different bursts: one of them was cropped, or made smaller.
    static func text(
        identifier: String?, name: Data, mediaType: String, size: PixelSize
    ) -> String? {
        guard mediaType.hasPrefix("image/"), !size.isEmpty else { return nil }
        let sides = "\(min(size.width, size.height))x\(max(size.width, size.height))"
        // The camera's own word counts more than the name.
        if let identifier { return "\(identifier) \(sides)" }
        return BurstName(name).map { "\($0.burst) \(sides)" }
    }
}

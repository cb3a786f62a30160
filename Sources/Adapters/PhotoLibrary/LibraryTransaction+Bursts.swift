// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import Photos

// The frames of a burst are photos with ids and files of their own. One of them is shown, and counts the
// others in the column `frames`; these refer to it in `frameOf`, and are in no list, as if they had no files.
extension LibraryTransaction {
    /// More frames than cameras take in one burst.
    static let mostFrames = 1024

    /// Brings the bursts of photos in line with their files.
    mutating func settleBursts(of assets: [Int64]) throws {
        // The photos of each that were shown, and have no files any more: in each folder there may be one.
        var bursts: [String: [Int64]] = [:]
        for asset in assets {
            let (former, now, isLost) = try updateBurst(of: asset)
            for burst in [former, now].compactMap(\.self) { bursts[burst, default: []] += [] }
            if let former, isLost { bursts[former, default: []].append(asset) }
        }
        for (burst, lost) in bursts.sorted(by: { $0.key < $1.key }) {
            try settle(burst, lost: lost)
        }
    }

    /// Stores of which burst a photo is a frame.
    ///
    /// - Returns: Its burst until now, and from now on; and whether it was shown for others, but has no
    ///   files any more.
    private func updateBurst(
        of asset: Int64
    ) throws -> (former: String?, now: String?, isLost: Bool) {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT burst, burstIdentifier, frames,
                        coalesce(originalType, asset.mediaType),
                        coalesce(originalWidth, asset.width),
                        coalesce(originalHeight, asset.height),
                        (SELECT min(name) FROM file WHERE file.asset = asset.id AND role = 0)
                    FROM asset LEFT JOIN adjustment ON adjustment.asset = asset.id
                    WHERE asset.id = ?
                    """), arguments: [asset])
        guard let row else { return (nil, nil, false) }
        let former: String? = try row.decode(atIndex: 0)
        let name: Data? = try row.decode(atIndex: 6)
        let now = try name.flatMap { name in
            BurstKey.text(
                identifier: try row.decode(atIndex: 1), name: name,
                mediaType: try row.decode(atIndex: 3),
                size: PixelSize(
                    width: try row.decode(atIndex: 4), height: try row.decode(atIndex: 5)))
        }
        if now != former {
            try database.cachedStatement(sql: "UPDATE asset SET burst = ? WHERE id = ?")
                .execute(arguments: [now, asset])
            if now == nil {
                try database.cachedStatement(
                    sql: "UPDATE asset SET frameOf = NULL, frames = 0 WHERE id = ?"
                ).execute(arguments: [asset])
            }
        }
        return (former, now, try name == nil && row.decode(Int.self, atIndex: 2) > 0)
    }

    /// Decides which frames of a burst are shown.
    ///
    /// What people did with a frame that is not shown any more is true of the one that is shown for it. What
    /// they did with one whose files are gone is true of the next one, until the files are back.
    ///
    /// - Parameter lost: The photos that were shown, and have no files any more.
    private mutating func settle(_ burst: String, lost: [Int64]) throws {
        let frames = try frames(of: burst)
        let hidden =
            frames.count > Self.mostFrames ? [:] : BurstFrame.hidden(among: frames)
        let counts: [Int64: Int] = hidden.values.reduce(into: [:]) { $0[$1, default: 1] += 1 }
        // They are found by the names of the others.
        for first in counts.keys { try willChange(asset: first) }
        for frame in frames {
            let (first, count) = (hidden[frame.asset], counts[frame.asset] ?? 0)
            guard frame.frameOf != first || frame.frames != count else { continue }
            try willChange(asset: frame.asset)
            try database.cachedStatement(
                sql: "UPDATE asset SET frameOf = ?, frames = ? WHERE id = ?"
            ).execute(arguments: [first, count, frame.asset])
            if let first, frame.frameOf == nil, !isNew(frame.asset) {
                try handOver(frame.asset, to: first)
            }
        }
        for lost in lost {
            let next = frames.filter { $0.frameOf == lost }.min { $0.order < $1.order }
            if let next {
                let heir = hidden[next.asset] ?? next.asset
                try willChange(asset: heir)
                try handOver(lost, to: heir)
            }
        }
    }

    /// The frames of a burst; of one that has too many, those that are not shown as photos of their own, and
    /// as many more as tell that.
    private func frames(of burst: String) throws -> [BurstFrame] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT asset.id, frameOf, frames, isBurstPrimary, date,
                        adjustment.asset IS NOT NULL, folder, file.name,
                        fingerprint
                    FROM (
                        SELECT * FROM asset WHERE burst = ?
                        ORDER BY frameOf IS NULL, frames DESC LIMIT \(2 * Self.mostFrames)
                    ) AS asset JOIN file ON file.asset = asset.id AND role = 0
                    LEFT JOIN adjustment ON adjustment.asset = asset.id
                    ORDER BY asset.id, file.name
                    """), arguments: [burst])
        var frames: [BurstFrame] = []
        while let row = try rows.next() {
            let asset: Int64 = try row.decode(atIndex: 0)
            let folder: Int64 = try row.decode(atIndex: 6)
            if let last = frames.indices.last, frames[last].asset == asset {
                frames[last].folders.insert(folder)
                continue
            }
            // It is joined when that has happened.
            if isNew(asset), unpaired.contains(asset) { continue }
            let name: Data = try row.decode(atIndex: 7)
            let isAdjusted: Bool = try row.decode(atIndex: 5)
            frames.append(
                BurstFrame(
                    asset: asset,
                    order: BurstOrder(
                        date: try row.decode(atIndex: 4), name: name,
                        fingerprint: try row.decode(atIndex: 8)),
                    frameOf: try row.decode(atIndex: 1), frames: try row.decode(atIndex: 2),
                    isPreferred: try row.decode(atIndex: 3) || BurstName(name)?.isCover == true,
                    isAdjusted: isAdjusted, isFree: !isAdjusted && !unpaired.contains(asset),
                    folders: [folder]))
        }
        return frames
    }
}

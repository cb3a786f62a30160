// SPDX-License-Identifier: MIT

internal import Files
internal import Foundation
internal import GRDB
internal import Photos
internal import SystemPackage

// While a photo has an adjusted version, its row has the facts of that, so that every count, filter and
// list follows them; those of the original wait in the row of the adjustment.
extension LibraryTransaction {
    /// Gives a photo an adjusted version, in place of the one that it has.
    ///
    /// - Parameter index: The position of the version in the batch.
    mutating func setAdjustment(
        _ assets: [Int64], _ index: Int, of batch: ArrivalBatch
    ) throws -> LibraryChangeResult {
        guard let asset = assets.first, batch.adjustments.indices.contains(index) else {
            throw LibraryChangeError.Reason.interrupted
        }
        let draft = batch.adjustments[index]
        guard draft.facts.mediaType.isImage == (try mediaType(of: asset)?.isImage) else {
            throw LibraryChangeError.Reason.otherKind
        }
        try willChange(asset: asset)
        try endAdjustment(of: asset, batch.adjusted)
        try insert(draft, for: asset)
        try restoreAdjustment(ofUpdated: asset)
        // Their files stay from now on.
        for file in draft.drafts {
            try database.execute(
                sql: "DELETE FROM arrival WHERE hidden = ?", arguments: [file.hidden.data])
        }
        return LibraryChangeResult(count: 1)
    }

    /// Makes the originals of photos their current versions again.
    mutating func revertAdjustments(
        _ assets: [Int64], _ folder: FilePath
    ) throws -> LibraryChangeResult {
        var count = 0
        for asset in assets where try isAdjusted(asset) {
            try willChange(asset: asset)
            try endAdjustment(of: asset, folder)
            count += 1
        }
        return LibraryChangeResult(count: count)
    }

    func isAdjusted(_ asset: Int64) throws -> Bool {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM adjustment WHERE asset = ?"),
            arguments: [asset]) != nil
    }

    /// Takes the adjusted version from a photo, if it has one; its files are removed after the
    /// transaction.
    ///
    /// Its files may be joined with others again.
    mutating func endAdjustment(of asset: Int64, _ folder: FilePath) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT \(Adjustment.columns) FROM adjustment WHERE asset = ?"),
            arguments: [asset])
        guard let row else { return }
        try database.execute(
            sql: """
                UPDATE asset SET (mediaType, width, height, isAnimated, milliseconds, colour) = (
                    SELECT originalType, originalWidth, originalHeight, originalIsAnimated,
                        originalMilliseconds, originalColour
                    FROM adjustment WHERE asset = ?1)
                WHERE id = ?1
                """, arguments: [asset])
        try database.execute(
            sql: "DELETE FROM adjustment WHERE asset = ?", arguments: [asset])
        let files = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT folder, name FROM file WHERE asset = ?"),
            arguments: [asset])
        for file in files { noteStem(of: try file.get("name"), in: try file.get("folder")) }
        guard let adjustment = try Adjustment(row) else { return }
        for name in [adjustment.name, adjustment.dataName] {
            try ArrivalRecord.insert(name, in: folder, database)
        }
    }

    /// Gives a photo the facts of its adjusted version again, after those of its file were stored.
    func restoreAdjustment(ofUpdated asset: Int64) throws {
        guard try isAdjusted(asset) else { return }
        try database.execute(
            sql: """
                UPDATE adjustment SET (originalType, originalWidth, originalHeight,
                    originalIsAnimated, originalMilliseconds, originalColour) = (
                    SELECT mediaType, width, height, isAnimated, milliseconds, colour
                    FROM asset WHERE id = ?1)
                WHERE asset = ?1
                """, arguments: [asset])
        try database.execute(
            sql: """
                UPDATE asset SET (mediaType, width, height, isAnimated, milliseconds, colour) = (
                    SELECT mediaType, width, height, isAnimated, milliseconds, colour
                    FROM adjustment WHERE asset = ?1)
                WHERE id = ?1
                """, arguments: [asset])
    }

    /// Keeps the adjusted version of a photo that has a file, also if an app deleted the photo once.
    ///
    /// A photo that is back from the trash may be on a drive that leaves before the next walk.
    func keepAdjustment(ofPresent asset: Int64) throws {
        try database.cachedStatement(
            sql: """
                UPDATE adjustment SET deleted = NULL WHERE asset = ?1 AND deleted IS NOT NULL
                AND EXISTS (SELECT 1 FROM asset WHERE id = ?1 AND file IS NOT NULL)
                """
        ).execute(arguments: [asset])
    }

    private func mediaType(of asset: Int64) throws -> MediaType? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT mediaType FROM asset WHERE id = ?"),
            arguments: [asset]
        ).flatMap { MediaType($0) }
    }

    private func insert(_ draft: AdjustmentDraft, for asset: Int64) throws {
        let size = draft.facts.size ?? PixelSize(width: 0, height: 0)
        try database.execute(
            sql: """
                INSERT INTO adjustment (asset, name, dataName, format, version,
                    device, inode, size, modified, changed,
                    mediaType, width, height, isAnimated, milliseconds, colour,
                    originalType, originalWidth, originalHeight, originalIsAnimated)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0, 0, 0)
                """,
            arguments: [
                asset, draft.picture.hidden.data, draft.data.hidden.data, draft.format,
                draft.version, draft.state.device, draft.state.inode, draft.state.size,
                draft.state.modified, draft.state.changed, draft.facts.mediaType.rawValue,
                size.width, size.height, draft.facts.isAnimated, draft.facts.milliseconds,
                draft.facts.colour?.number,
            ])
    }
}

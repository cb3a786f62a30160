// SPDX-License-Identifier: MIT

internal import Files
internal import Foundation
internal import GRDB
internal import Logging
internal import Photos
internal import Processes
internal import SystemPackage

extension LibraryStore {
    /// How long the adjusted version of a photo that an app deleted is kept, in seconds: longer than
    /// desktops keep what is in their trash.
    static let adjustmentLifetime: Int64 = 60 * 24 * 60 * 60

    /// Removes the files of adjusted versions that no photo has.
    ///
    /// Those that a change set has given to photos stay.
    package func discard(_ adjustments: [AdjustmentDraft]) async {
        guard !adjustments.isEmpty else { return }
        await PhotoIntake.calls.runToEnd(on: adjusted) { [self] in
            finishNow(adjustments.flatMap(\.drafts).filter { isNoted($0) })
        }
    }

    /// Removes the files of versions that were replaced or reverted; what remains is a leftover.
    func removeFormerAdjustments() async {
        await PhotoIntake.calls.runToEnd(on: adjusted) { [self] in finishAdjustments() }
    }

    /// Compares the adjusted versions with their files.
    ///
    /// A version whose file is gone ends, because the photo could not be shown otherwise, unless the folder
    /// of all of them is away. One that came from a backup has another inode, but is the same.
    ///
    /// - Isolation: blocks as long as the file system of the library's own folder does.
    func reviewAdjustments() {
        // The folder may be on a drive that comes back.
        guard !isSubstitute, (try? Descriptor.openFolder(adjusted)) != nil else { return }
        do throws(LibraryError) {
            let known = try read("read adjustments") { database in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT adjustment.*, asset.file IS NULL AS isGone
                        FROM adjustment JOIN asset ON asset.id = adjustment.asset
                        """
                ).compactMap { try KnownAdjustment($0) }
            }
            let now = Int64(Date().timeIntervalSince1970)
            let findings = known.compactMap { known in
                known.finding(in: adjusted, now: now).map { (known, $0) }
            }
            guard !findings.isEmpty else { return }
            try change("update adjustments") { transaction in
                for (known, finding) in findings { try transaction.apply(finding, known, adjusted) }
            }
            noteUserData()
            finishAdjustments()
        } catch {
            logger.error("Adjusted photos were not compared.", metadata: ["error": "\(error)"])
        }
    }
}

extension LibraryChange {
    /// Whether it may leave files of an adjusted version behind.
    var endsAdjustment: Bool {
        switch self {
        case .setAdjustment, .revertAdjustment: true
        default: false
        }
    }
}

/// A row of the table `adjustment`, for a comparison with its file.
private struct KnownAdjustment: Sendable {
    enum Finding: Sendable {
        /// The file is gone, or the photo was deleted long ago.
        case ended
        /// The file is another one with the same name.
        case state(FileState)
    }

    let asset: Int64
    let adjustment: Adjustment
    /// When an app deleted the photo.
    let deleted: Int64?
    /// Whether the original is gone, or its drive.
    let isGone: Bool

    init?(_ row: Row) throws {
        guard let adjustment = try Adjustment(row) else { return nil }
        self.adjustment = adjustment
        asset = try row.get("asset")
        deleted = try row.get("deleted")
        isGone = try row.get("isGone")
    }

    /// Nil if nothing has changed, or if that cannot be found out.
    func finding(in folder: FilePath, now: Int64) -> Finding? {
        if isGone, let deleted, now - deleted > LibraryStore.adjustmentLifetime { return .ended }
        do throws(Errno) {
            let status = try folder.appending(adjustment.name).stat(followTargetSymlink: false)
            guard status.type == .regular else { return .ended }
            let state = FileState(status)
            return state == adjustment.state ? nil : .state(state)
        } catch {
            return error == .noSuchFileOrDirectory ? .ended : nil
        }
    }
}

extension LibraryTransaction {
    fileprivate mutating func apply(
        _ finding: KnownAdjustment.Finding, _ known: KnownAdjustment, _ folder: FilePath
    ) throws {
        let asset = known.asset
        let name = try Data.fetchOne(
            database, sql: "SELECT name FROM adjustment WHERE asset = ?", arguments: [asset])
        // An app may have replaced the version since its file was looked at.
        guard name == known.adjustment.name.data else { return }
        try willChange(asset: asset)
        switch finding {
        case .ended: try endAdjustment(of: asset, folder)
        case .state(let state):
            try database.execute(
                sql: """
                    UPDATE adjustment
                    SET device = ?, inode = ?, size = ?, modified = ?, changed = ? WHERE asset = ?
                    """,
                arguments: [
                    state.device, state.inode, state.size, state.modified, state.changed, asset,
                ])
        }
    }
}

// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import Photos

/// The photos and albums that one transaction changes, for the logs of those who follow the library.
///
/// Notes how apps see a photo or an album before it changes, compares that with the end of the
/// transaction, and adds the difference to each log. Does nothing while nobody follows the library.
struct ChangeNotes {
    private var logs: [ChangeLog]
    /// How the photos were before, by row; nil for those that did not exist.
    private var assets: [Int64: AssetState?] = [:]
    /// Whether the albums were listed before, by id.
    private var albums: [String: Bool] = [:]
    /// The photos that limited apps see no longer, by app.
    private var withdrawn: [String: [Data]] = [:]

    init(for logs: [ChangeLog]) {
        self.logs = logs
    }

    private var isNeeded: Bool { !logs.isEmpty }

    // MARK: - Noting

    /// Notes a photo that is about to change.
    mutating func willChange(_ asset: Int64, in database: Database) throws {
        guard isNeeded, assets[asset] == nil else { return }
        assets[asset] = .some(try AssetState.fetch(asset, in: database))
    }

    /// Notes a photo that did not exist before this transaction.
    mutating func didInsert(_ asset: Int64) {
        guard isNeeded else { return }
        assets[asset] = .some(nil)
    }

    /// Notes a changing photo that is about to be taken from the apps that were given it.
    mutating func willWithdraw(_ asset: Int64, in database: Database) throws {
        guard case .some(let before?) = assets[asset], before.presence.isThere else { return }
        for app in logs.compactMap(\.app)
        where try Self.isGiven(before.key, to: app, in: database) {
            withdrawn[app, default: []].append(before.key)
        }
    }

    /// Notes an album that is about to change or to be deleted; has no effect if it does not exist.
    mutating func willChange(_ album: AlbumContents, in database: Database) throws {
        guard isNeeded, let id = try Self.id(of: album, in: database), albums[id] == nil
        else { return }
        albums[id] = try Self.isListed(id, in: database)
    }

    /// Notes an album that has changed; it is new unless ``willChange(_:in:)-(AlbumContents,_)`` knew it.
    mutating func didChange(_ album: AlbumContents, in database: Database) throws {
        guard isNeeded, let id = try Self.id(of: album, in: database), albums[id] == nil
        else { return }
        albums[id] = false
    }

    private static func id(of album: AlbumContents, in database: Database) throws -> String? {
        switch album {
        case .smart(let album): album.rawValue
        case .folder(let folder):
            try String.fetchOne(
                database.cachedStatement(sql: "SELECT key FROM album WHERE folder = ?"),
                arguments: [folder])
        case .user(let album):
            try String.fetchOne(
                database.cachedStatement(sql: "SELECT key FROM album WHERE id = ?"),
                arguments: [album])
        // They follow from the photos, which apps are told of.
        case .moment: nil
        }
    }

    /// Whether apps that see everything find an album in the list of albums.
    private static func isListed(_ id: String, in database: Database) throws -> Bool {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT kind, EXISTS (SELECT 1 FROM albumContent WHERE album = album.id)
                    FROM album WHERE key = ?
                    """), arguments: [id])
        guard let row else { return false }
        let hasPhotos: Bool = try row.decode(atIndex: 1)
        return switch Album.Kind(rawValue: try row.decode(atIndex: 0)) {
        case .smart: hasPhotos || SmartAlbum(rawValue: id)?.rule.isHiddenWhenEmpty == false
        case .folder: hasPhotos
        case .user: true
        case .day, .month, nil: false
        }
    }

    // MARK: - Storing

    private struct AssetChange {
        let key: Data
        let was: Presence
        let isNow: Presence
        /// Whether the lists that contain it change as well.
        let changesLists: Bool

        /// For apps that see everything; nil if they do not see the photo.
        var entry: ChangeLog.Entry? { entry(\.isListed) }

        /// For an app that was given the photo, whether or not another one is shown for it.
        var entryOfGiven: ChangeLog.Entry? { entry(\.isThere) }

        private func entry(_ isSeen: (Presence) -> Bool) -> ChangeLog.Entry? {
            let (was, isNow) = (isSeen(was), isSeen(isNow))
            return was || isNow
                ? ChangeLog.Entry(asset: key, album: nil, was: was, isNow: isNow) : nil
        }
    }

    /// Adds what has changed to the logs.
    ///
    /// The files of photos, and the counts of albums, must be up to date.
    mutating func store(in database: Database) throws {
        guard isNeeded, !assets.isEmpty || !albums.isEmpty else { return }
        let changes = try assetChanges(in: database)
        let listed = try albums.sorted { $0.key < $1.key }.compactMap { id, was in
            let isNow = try Self.isListed(id, in: database)
            return was || isNow
                ? ChangeLog.Entry(asset: nil, album: id, was: was, isNow: isNow) : nil
        }
        for index in logs.indices {
            if let app = logs[index].app {
                let seen = try changes.filter {
                    try Self.isGiven($0.key, to: app, in: database)
                }
                let lost = (withdrawn[app] ?? []).map {
                    ChangeLog.Entry(asset: $0, album: nil, was: true, isNow: false)
                }
                var entries = lost + seen.compactMap(\.entryOfGiven)
                if !lost.isEmpty || seen.contains(where: \.changesLists) {
                    entries.append(.limitedAlbum)
                }
                try logs[index].append(entries, in: database)
            } else {
                try logs[index].append(changes.compactMap(\.entry) + listed, in: database)
            }
        }
    }

    /// The photos that apps see differently now; notes the albums of those that have come or gone.
    private mutating func assetChanges(in database: Database) throws -> [AssetChange] {
        var changes: [AssetChange] = []
        for (row, before) in assets.sorted(by: { $0.key < $1.key }) {
            let after = try AssetState.fetch(row, in: database)
            guard let after, before != after else { continue }
            let (was, isNow) = (before?.presence ?? .none, after.presence)
            guard was.isThere || isNow.isThere else { continue }
            let hasMoved = was != isNow || before?.order != after.order
            changes.append(
                AssetChange(key: after.key, was: was, isNow: isNow, changesLists: hasMoved))
            guard hasMoved else { continue }
            let containing = try String.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT key FROM member JOIN album ON album.id = member.album
                        WHERE member.asset = ?
                        """), arguments: [row])
            for album in containing where albums[album] == nil { albums[album] = true }
        }
        return changes
    }

    /// Whether a limited app sees a photo.
    private static func isGiven(
        _ asset: Data, to app: String, in database: Database
    ) throws -> Bool {
        try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM given WHERE app = ? AND asset = ? AND whole = 1"),
            arguments: [app, asset]) != nil
    }

    /// Adds a photo that a limited app sees from now on to the log of its view, if it follows it.
    ///
    /// - Parameter asset: A photo of which the app had been given nothing, or a part.
    static func noteGiven(_ asset: Data, to app: String, in database: Database) throws {
        guard var log = try ChangeLog.find(.given(to: app), in: database) else { return }
        let isVisible =
            try Int.fetchOne(
                database, sql: "SELECT 1 FROM asset WHERE key = ? AND \(Asset.isThere)",
                arguments: [asset]) != nil
        guard isVisible else { return }
        try log.append(
            [.init(asset: asset, album: nil, was: false, isNow: true), .limitedAlbum],
            in: database)
    }
}

extension ChangeLog.Entry {
    /// The only album of a limited app has changed.
    fileprivate static var limitedAlbum: Self {
        Self(asset: nil, album: SmartAlbum.all.rawValue, was: true, isNow: true)
    }
}

/// Where a photo is seen.
private struct Presence: Equatable {
    /// Whether lists show it.
    let isListed: Bool
    /// Whether there is such a photo; another one may be shown for it.
    let isThere: Bool

    static let none = Presence(isListed: false, isThere: false)
}

/// How apps see a photo.
private struct AssetState: Equatable {
    let key: Data
    let presence: Presence
    /// What decides where it is in lists, and in which of them.
    let order: [DatabaseValue]
    private let rest: [DatabaseValue]

    static func fetch(_ asset: Int64, in database: Database) throws -> AssetState? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT key, asset.file IS NOT NULL, \(Asset.isThere), mediaType, date,
                        fingerprint, width, height, hasCaptureDate, favorite, milliseconds, rawTypes, isLive, frames,
                        file.name, file.size, file.modified, assetDetails.*
                    FROM asset LEFT JOIN file ON file.id = \(Asset.bestFile)
                    LEFT JOIN assetDetails ON assetDetails.asset = asset.id WHERE asset.id = ?
                    """), arguments: [asset])
        guard let row else { return nil }
        let values = Array(row.databaseValues)
        return AssetState(
            key: try row.decode(atIndex: 0),
            presence: Presence(
                isListed: try row.decode(atIndex: 1), isThere: try row.decode(atIndex: 2)),
            order: Array(values[3..<5]), rest: Array(values[5...]))
    }
}

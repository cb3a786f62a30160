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
    /// The photos that limited apps see no longer, as they were before, by app.
    private var withdrawn: [String: [AssetState]] = [:]

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
            withdrawn[app, default: []].append(before)
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
        case .moment(let moment): moment.id.rawValue
        }
    }

    /// Whether apps that see everything find an album in the list of albums, or of moments.
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
        case .folder, .day, .month: hasPhotos
        case .user: true
        case nil: false
        }
    }

    // MARK: - Storing

    private struct AssetChange {
        let key: Data
        let was: Presence
        let isNow: Presence
        /// Its moments where it was seen before, and where it is seen now.
        let moments: (was: [Moment], isNow: [Moment])
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
                let lost = withdrawn[app] ?? []
                var entries = lost.map {
                    ChangeLog.Entry(asset: $0.key, album: nil, was: true, isNow: false)
                }
                entries += seen.compactMap(\.entryOfGiven)
                let moved = seen.filter(\.changesLists)
                if !lost.isEmpty || !moved.isEmpty {
                    entries.append(.limitedAlbum)
                    entries += try GivenMoments(of: app, in: database).entries(
                        was: lost.flatMap(\.moments) + moved.flatMap(\.moments.was),
                        isNow: moved.flatMap(\.moments.isNow))
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
            let moments = (
                was: was.isThere ? before?.moments ?? [] : [],
                isNow: isNow.isThere ? after.moments : []
            )
            changes.append(
                AssetChange(
                    key: after.key, was: was, isNow: isNow, moments: moments,
                    changesLists: hasMoved))
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

    /// Adds photos that a limited app sees from now on to the log of its view, if it follows it.
    ///
    /// - Parameter assets: Photos of which the app has so far been given nothing, or a part, each once.
    static func noteGiven(_ assets: [Data], to app: String, in database: Database) throws {
        guard !assets.isEmpty, var log = try ChangeLog.find(.given(to: app), in: database)
        else { return }
        var entries: [ChangeLog.Entry] = []
        var moments: [Moment] = []
        for asset in assets {
            let day = try Int.fetchOne(
                database.cachedStatement(
                    sql: "SELECT day FROM asset WHERE key = ? AND \(Asset.isThere)"),
                arguments: [asset])
            guard let day else { continue }
            entries.append(.init(asset: asset, album: nil, was: false, isNow: true))
            moments += Moment.all(of: day)
        }
        guard !entries.isEmpty else { return }
        entries.append(.limitedAlbum)
        entries += try GivenMoments(of: app, in: database).entries(gaining: moments)
        try log.append(entries, in: database)
    }
}

extension ChangeLog.Entry {
    /// The only album of a limited app has changed.
    fileprivate static var limitedAlbum: Self {
        Self(asset: nil, album: SmartAlbum.all.rawValue, was: true, isNow: true)
    }
}

/// The moments of the photos that an app was given, with their numbers of photos.
private struct GivenMoments {
    private var counts: [Moment: Int] = [:]

    init(of app: String, in database: Database) throws {
        let view = LibraryView.given(to: app).sql
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT day, count(*) FROM asset WHERE \(view.text) AND \(view.presence)
                    GROUP BY day
                    """), arguments: view.arguments)
        while let row = try rows.next() {
            let count: Int = try row.decode(atIndex: 1)
            for moment in Moment.all(of: try row.decode(atIndex: 0)) {
                counts[moment, default: 0] += count
            }
        }
    }

    /// What has changed, if these are the moments that photos were in before, and those that they are in now.
    func entries(was: [Moment], isNow: [Moment]) -> [ChangeLog.Entry] {
        var before = counts
        for moment in isNow { before[moment, default: 0] -= 1 }
        for moment in was { before[moment, default: 0] += 1 }
        return Self.entries(Set(was + isNow), from: before, to: counts)
    }

    /// What changes if photos of these moments are given to the app.
    func entries(gaining moments: [Moment]) -> [ChangeLog.Entry] {
        var after = counts
        for moment in moments { after[moment, default: 0] += 1 }
        return Self.entries(Set(moments), from: counts, to: after)
    }

    private static func entries(
        _ moments: Set<Moment>, from before: [Moment: Int], to after: [Moment: Int]
    ) -> [ChangeLog.Entry] {
        moments.sorted { $0.date < $1.date }.compactMap { moment in
            let (was, isNow) = (before[moment, default: 0] > 0, after[moment, default: 0] > 0)
            guard was || isNow else { return nil }
            return ChangeLog.Entry(
                asset: nil, album: moment.id.rawValue, was: was, isNow: isNow)
        }
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
    /// The day and the month in which it was taken.
    let moments: [Moment]
    private let rest: [DatabaseValue]

    static func fetch(_ asset: Int64, in database: Database) throws -> AssetState? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT asset.key, asset.file IS NOT NULL, \(Asset.isThere), asset.mediaType,
                        asset.date, asset.day, asset.fingerprint, asset.width, asset.height,
                        asset.hasCaptureDate, asset.favorite, asset.milliseconds,
                        asset.isAnimated, asset.colour, asset.rawTypes, asset.isLive, asset.frames,
                        file.name, file.size, file.modified, adjustment.name, adjustment.size,
                        adjustment.modified, assetDetails.*
                    FROM asset LEFT JOIN file ON file.id = \(Asset.bestFile)
                    LEFT JOIN adjustment ON adjustment.asset = asset.id
                    LEFT JOIN assetDetails ON assetDetails.asset = asset.id WHERE asset.id = ?
                    """), arguments: [asset])
        guard let row else { return nil }
        let values = Array(row.databaseValues)
        return AssetState(
            key: try row.decode(atIndex: 0),
            presence: Presence(
                isListed: try row.decode(atIndex: 1), isThere: try row.decode(atIndex: 2)),
            order: Array(values[3..<6]), moments: Moment.all(of: try row.decode(atIndex: 5)),
            rest: Array(values[6...]))
    }
}

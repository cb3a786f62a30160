// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import SystemPackage

/// One change to the files and photos of the library.
///
/// All additions, moves and deletions of files, and all changes to albums, go through here, so that
/// counts, covers and what is found by searching always match. A transaction never reads the disk.
struct LibraryTransaction {
    let database: Database
    private var tally = AlbumTally()
    private var files = FileCounts()
    private var notes: ChangeNotes
    /// The photos that did not exist before this transaction; with their only file, as long as nothing
    /// else is known of them.
    private var inserted: [Int64: NamedFile?] = [:]
    /// The new photos whose ``refresh(asset:)`` is up to date.
    private var refreshed: Set<Int64> = []
    /// The names of files that may have to be joined with others to one photo.
    private var stems: Set<FileStem> = []
    /// The albums whose photos its operations change, as long as nothing else does.
    private var members: [Int64: AlbumMembers] = [:]
    /// The photos that are joined with no other, because somebody is about to be told their ids.
    private(set) var unpaired: Set<Int64> = []
    /// The records of the files that get their names after this transaction, by hidden name.
    private(set) var settled: [FilePath.Component: ArrivalRecord] = [:]
    /// Whether it changes what the file of what people did keeps.
    private var changesUserData = false

    private init(_ database: Database) throws {
        self.database = database
        notes = ChangeNotes(for: try ChangeLog.all(in: database))
    }

    /// Makes changes, then updates the counts and covers.
    ///
    /// - Returns: The result of the changes, and whether what people and apps have of a photo follows it
    ///   to another one, or is lost, so that the file of what people did must be written.
    static func run<Result>(
        in database: Database, _ body: (inout LibraryTransaction) throws -> Result
    ) throws -> (result: Result, changesUserData: Bool) {
        var transaction = try LibraryTransaction(database)
        let result = try body(&transaction)
        try transaction.finish()
        return (result, transaction.changesUserData)
    }

    /// Works out what follows from the files of photos, of all photos if no condition is added.
    ///
    /// An asset without files stays in the database, hidden, so that it is the same photo if its
    /// file returns. A frame of a burst is hidden in the same way.
    ///
    /// For `DISTINCT`, SQLite makes a table for each photo, which takes longer than all of the rest; so only
    /// photos with raw files come to that.
    static let refresh = """
        UPDATE asset SET
            file = iif(frameOf IS NULL,
                (SELECT min(file.id) FROM file WHERE file.asset = asset.id AND role = 0), NULL),
            rawTypes = iif(
                EXISTS (SELECT 1 FROM file WHERE file.asset = asset.id AND role = 1), (
                    SELECT group_concat(mediaType) FROM (
                        SELECT DISTINCT resource.mediaType FROM file
                        JOIN resource ON resource.file = file.id
                        WHERE file.asset = asset.id AND role = 1 ORDER BY resource.mediaType)), NULL),
            isLive = hasMotion = 1
                OR EXISTS (SELECT 1 FROM file WHERE file.asset = asset.id AND role = 2),
            inAll = EXISTS (
                SELECT 1 FROM file JOIN folder ON folder.id = file.folder
                WHERE file.asset = asset.id AND folder.kind = 0),
            isScreenshot = EXISTS (
                SELECT 1 FROM file
                WHERE file.asset = asset.id AND \(isScreenshot("asset.mediaType", "file.name"))),
            isSelfie = EXISTS (
                SELECT 1 FROM file JOIN details ON details.file = file.id
                WHERE file.asset = asset.id AND \(isSelfie("lens")))
        """

    private static let refreshOne = refresh + " WHERE id = ?"

    /// Whether a photo is a picture of a screen, by the names that desktops and phones give to these.
    static func isScreenshot(_ mediaType: String, _ name: String) -> String {
        let patterns = [
            "[Ss]creen[Ss]hot*", "Screen Shot *", "Bildschirmfoto*", "截图*", "截屏*", "屏幕截图*",
        ]
        // A statement is looked up by its text, and Swift hashes ASCII much faster than anything else.
        let names = patterns.map { pattern in
            let bytes = pattern.utf8.map(\.twoDigits).joined()
            return "CAST(\(name) AS TEXT) GLOB CAST(x'\(bytes)' AS TEXT)"
        }
        return "(\(mediaType) < 'video/' AND (\(names.joined(separator: " OR "))))"
    }

    /// Whether a photo is one of the person who took it.
    static func isSelfie(_ lens: String) -> String { "\(lens) LIKE '%front%'" }

    private mutating func finish() throws {
        // A photo that has lost its picture may leave a file that belongs to another one.
        repeat {
            let noted = stems
            stems = []
            for stem in noted { try pair(stem) }
            // A new photo with a single file has nothing to settle.
            for asset in Array(tally.assets) where inserted[asset].flatMap(\.self) == nil {
                try settleResources(of: asset)
            }
        } while !stems.isEmpty
        // A new photo of no burst has nothing to settle here either.
        let frames = tally.assets.filter { inserted[$0].flatMap(\.self)?.isFrame != false }
        try settleBursts(of: frames)
        var terms = TermTable.Additions()
        for asset in tally.assets {
            try refresh(asset: asset)
            if let file = inserted[asset] {
                try SearchTable.insert(asset: asset, file: file, in: database, &terms)
            } else {
                try SearchTable.update(asset: asset, in: database)
                try keepAdjustment(ofPresent: asset)
            }
        }
        try terms.store(in: database)
        try tally.store(in: database, &notes)
        try files.store(in: database)
        try notes.store(in: database)
    }

    // MARK: - Assets

    /// Works out what follows from the files of a photo, as the end of the transaction does, so that
    /// operations before that find it.
    mutating func refresh(asset: Int64) throws {
        guard !refreshed.contains(asset) else { return }
        try database.cachedStatement(sql: Self.refreshOne)
            .execute(arguments: [asset])
        // One that is known may leave its burst at the end.
        if isNew(asset) { refreshed.insert(asset) }
    }

    /// Notes the state of a photo; must be called before the photo, or the set of its files,
    /// changes.
    mutating func willChange(asset: Int64) throws {
        refreshed.remove(asset)
        if inserted[asset] != nil { inserted.updateValue(NamedFile?.none, forKey: asset) }
        try tally.willChange(asset, in: database)
        try notes.willChange(asset, in: database)
    }

    /// Notes a photo of which all that ``refresh`` works out has been stored.
    mutating func didInsert(asset: Int64, file: NamedFile) {
        refreshed.insert(asset)
        tally.didInsert(asset)
        notes.didInsert(asset)
        inserted.updateValue(file, forKey: asset)
    }

    /// Whether a photo did not exist before this transaction, not even without files.
    func isNew(_ asset: Int64) -> Bool { inserted[asset] != nil }

    /// Notes the photos that a file belongs to if it is a sidecar file; must be called when it comes,
    /// changes or goes.
    mutating func noteSidecar(_ name: Data, in folder: Int64) throws {
        guard SidecarName.isPossible(name) else { return }
        for asset in try SidecarName.assets(beside: name, in: folder, database) {
            try willChange(asset: asset)
        }
    }

    /// Notes that a file gets its name after this transaction.
    mutating func noteSettled(_ record: ArrivalRecord) {
        settled[record.hidden] = record
    }

    /// Notes that what people did with a photo changes.
    mutating func noteUserData() { changesUserData = true }

    /// Takes a photo from the limited apps that were given it, because it is to be shown by another file,
    /// which they have not received.
    ///
    /// To them it remains one that they were given before. ``willChange(asset:)`` must know it.
    mutating func withdraw(asset: Int64) throws {
        try notes.willWithdraw(asset, in: database)
        try database.execute(
            sql: """
                UPDATE given SET whole = 0
                WHERE whole = 1 AND asset = (SELECT key FROM asset WHERE id = ?)
                """, arguments: [asset])
        if database.changesCount > 0 { noteUserData() }
    }

    /// Does something with the photos of an album that people fill.
    mutating func withMembers<Result>(
        of album: Int64, _ body: (inout AlbumMembers) throws -> Result
    ) rethrows -> Result {
        var members =
            members.removeValue(forKey: album) ?? AlbumMembers(album: album, database: database)
        defer { self.members[album] = members }
        return try body(&members)
    }

    /// Must be called before an operation that may change the photos of albums in another way.
    mutating func forgetMembers() { members = [:] }

    /// Notes an album that people fill, before its photos change.
    mutating func willChange(userAlbum: Int64) {
        tally.willChange(userAlbum: userAlbum)
    }

    /// Notes for those who follow the library that an album changes; it must not be deleted yet.
    mutating func noteChange(ofUserAlbum album: Int64) throws {
        try notes.willChange(.user(album), in: database)
    }

    /// Notes for those who follow the library that an album was made.
    mutating func noteInsertion(ofUserAlbum album: Int64) throws {
        try notes.didChange(.user(album), in: database)
    }

    /// Notes a file that may belong to the photo of another one with the same stem.
    mutating func noteStem(of name: Data, in folder: Int64) {
        if let stem = FileStem(of: name, in: folder) { note(stem) }
    }

    mutating func note(_ stem: FileStem) { stems.insert(stem) }

    /// Notes a photo that is joined with no other in this transaction.
    mutating func keepUnpaired(_ asset: Int64) { unpaired.insert(asset) }

    /// Notes that a file must be examined again, whose row says so already.
    mutating func expect(examinationOf status: Schema.FileStatus?) {
        files.remove(status)
        files.add(.pending)
    }

    // MARK: - Folders

    /// Finds or adds the row of a folder.
    mutating func folder(_ path: Data, kind: FolderKind) throws -> Int64 {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, kind FROM folder WHERE path = ?"),
            arguments: [path])
        guard let row else {
            try database.cachedStatement(sql: "INSERT INTO folder (path, kind) VALUES (?, ?)")
                .execute(arguments: [path, kind.rawValue])
            return database.lastInsertedRowID
        }
        let id: Int64 = try row.get("id")
        if try row.get("kind") != kind.rawValue {
            for asset in try assets(inFolder: id) { try willChange(asset: asset) }
            try database.execute(
                sql: "UPDATE folder SET kind = ? WHERE id = ?", arguments: [kind.rawValue, id])
        }
        return id
    }

    /// Deletes a folder and its files.
    mutating func removeFolder(_ folder: Int64) throws {
        for asset in try assets(inFolder: folder) { try willChange(asset: asset) }
        try notes.willChange(.folder(folder), in: database)
        let statuses = try Int.fetchCursor(
            database, sql: "SELECT status FROM file WHERE folder = ?", arguments: [folder])
        while let status = try statuses.next() { files.remove(Schema.FileStatus(rawValue: status)) }
        try database.execute(sql: "DELETE FROM folder WHERE id = ?", arguments: [folder])
        tally.didRemove(folder: folder)
    }

    private func assets(inFolder folder: Int64) throws -> [Int64] {
        try Int64.fetchAll(
            database, sql: "SELECT asset FROM file WHERE folder = ? AND asset IS NOT NULL",
            arguments: [folder])
    }

    // MARK: - Files

    /// Adds a file that has to be examined, or another name of a known photo.
    mutating func addFile(
        _ name: Data, _ state: FileState, to folder: Int64, asset: Int64? = nil
    ) throws {
        if let asset {
            try willChange(asset: asset)
            noteStem(of: name, in: folder)
        }
        let status = asset == nil ? Schema.FileStatus.pending : .asset
        try database.cachedStatement(
            sql: """
                INSERT INTO file
                    (folder, name, device, inode, size, modified, changed, status, asset)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            folder, name, state.device, state.inode, state.size, state.modified, state.changed,
            status.rawValue, asset,
        ])
        files.add(status)
    }

    /// Notes that a file has changed and must be examined again.
    ///
    /// It keeps its photo until then, because an edit in place keeps the id.
    ///
    /// - Returns: False if the row no longer describes a file with this name in this folder.
    mutating func expireFile(
        _ id: Int64, named name: Data, in folder: Int64, _ state: FileState
    ) throws -> Bool {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT status, asset FROM file WHERE id = ? AND folder = ? AND name = ?",
            arguments: [id, folder, name])
        guard let row else { return false }
        let status: Int = try row.get("status")
        // Apps see the size and the date of the file at once.
        if let asset: Int64 = try row.get("asset") {
            try notes.willChange(asset, in: database)
        }
        try database.execute(
            sql: """
                UPDATE file
                SET device = ?, inode = ?, size = ?, modified = ?, changed = ?, status = 0
                WHERE id = ?
                """,
            arguments: [
                state.device, state.inode, state.size, state.modified, state.changed, id,
            ])
        files.remove(Schema.FileStatus(rawValue: status))
        files.add(.pending)
        return true
    }

    /// Notes that all files that could not be read must be examined again.
    mutating func expireUnreadable() throws {
        try database.execute(
            sql: "UPDATE file SET status = 0 WHERE status = ?",
            arguments: [Schema.FileStatus.unreadable.rawValue])
        files.add(.unreadable, count: -database.changesCount)
        files.add(.pending, count: database.changesCount)
    }

    /// Notes that files must be examined again which an earlier release examined, the newest rows first.
    ///
    /// - Returns: False if there are none left.
    mutating func expireUnread(atMost count: Int) throws -> Bool {
        guard let last = try LibraryState.value(of: .lastUnreadFile, in: database), last > 0 else {
            return false
        }
        // A sidecar file was no picture.
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT id, status FROM file
                WHERE id <= ? AND (status = 1
                    OR status = 2 AND CAST(substr(name, -4) AS TEXT) LIKE '.xmp')
                ORDER BY id DESC LIMIT ?
                """, arguments: [last, count])
        for row in rows {
            let id: Int64 = try row.get("id")
            try database.cachedStatement(sql: "UPDATE file SET status = 0 WHERE id = ?")
                .execute(arguments: [id])
            files.remove(Schema.FileStatus(rawValue: try row.get("status")))
            files.add(.pending)
        }
        let next = try rows.last.map { try $0.get("id", Int.self) - 1 } ?? 0
        try LibraryState.set(.lastUnreadFile, next, in: database)
        return next > 0
    }

    /// Stores the parts of the state that a row of an earlier release lacks.
    mutating func completeFile(
        _ id: Int64, named name: Data, in folder: Int64, _ state: FileState
    ) throws {
        try database.cachedStatement(
            sql: "UPDATE file SET changed = ? WHERE id = ? AND folder = ? AND name = ?"
        ).execute(arguments: [state.changed, id, folder, name])
    }

    /// Takes the name from a row, because another file has it now.
    ///
    /// - Returns: A name that no file can have; nil if the row has changed in the meantime.
    mutating func displaceFile(
        _ id: Int64, named name: Data, in folder: Int64
    ) throws -> Data? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT asset FROM file WHERE id = ? AND folder = ? AND name = ?"),
            arguments: [id, folder, name])
        guard let row else { return nil }
        // A rule of an album may depend on the name.
        if let asset: Int64 = try row.get("asset") { try willChange(asset: asset) }
        try noteSidecar(name, in: folder)
        let displaced = Self.displacedName(of: id)
        try database.execute(
            sql: "UPDATE file SET name = ? WHERE id = ?", arguments: [displaced, id])
        return displaced
    }

    private static func displacedName(of id: Int64) -> Data { Data("/\(id)".utf8) }

    /// Gives the row of a file another folder and name.
    ///
    /// - Returns: False if the row has changed in the meantime.
    mutating func moveFile(
        _ twin: Twin, to name: Data, in folder: Int64, _ state: FileState
    ) throws -> Bool {
        try willChange(asset: twin.asset)
        try database.execute(
            sql: """
                UPDATE file SET folder = ?, name = ?, changed = ?
                WHERE id = ? AND folder = ? AND name IN (?, ?)
                AND inode = ? AND size = ? AND modified = ? AND status = 1
                """,
            arguments: [
                folder, name, state.changed, twin.file, twin.folder, twin.name,
                Self.displacedName(of: twin.file), state.inode, state.size, state.modified,
            ])
        guard database.changesCount > 0 else { return false }
        noteStem(of: name, in: folder)
        return true
    }

    /// Deletes a file, unless its row has another folder or name in the meantime, or the file has yet to
    /// get its name; see ``Arrival``.
    mutating func removeFile(_ id: Int64, named name: Data, in folder: Int64) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT status, asset FROM file WHERE id = ? AND folder = ? AND name = ?
                    AND NOT EXISTS (SELECT 1 FROM arrival WHERE arrival.file = file.id)
                    """),
            arguments: [id, folder, name])
        guard let row else { return }
        if let asset: Int64 = try row.get("asset") { try willChange(asset: asset) }
        try noteSidecar(name, in: folder)
        try database.cachedStatement(sql: "DELETE FROM file WHERE id = ?").execute(arguments: [id])
        files.remove(Schema.FileStatus(rawValue: try row.get("status")))
    }

    /// Stores the result of examining a pending file.
    ///
    /// - Parameter former: The photo that the file was, if it is none now.
    mutating func settleFile(
        _ id: Int64, _ status: Schema.FileStatus, asset: Int64? = nil, former: Int64? = nil
    ) throws {
        try database.cachedStatement(
            sql: "UPDATE file SET status = ?, asset = ?, former = ? WHERE id = ?"
        ).execute(arguments: [status.rawValue, asset, former, id])
        files.remove(.pending)
        files.add(status)
    }
}

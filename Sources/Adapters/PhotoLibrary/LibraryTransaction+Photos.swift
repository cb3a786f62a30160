// SPDX-License-Identifier: MIT

internal import Desktop
internal import Foundation
internal import GRDB
internal import Photos

/// The result of examining a file.
struct Examination: Sendable {
    enum Finding: Sendable {
        case picture(ImageFacts, Fingerprint)
        /// No picture, but a file that says something about one.
        case sidecar(PhotoDetails)
        case notPicture
        case damaged
        /// The file cannot be read now, or changed while it was read. It stays the photo that it
        /// was, and is examined again when a comparison finds its state changed, with the next
        /// walk, and after pauses that grow.
        case unreadable
    }

    let file: PendingFile
    let finding: Finding

    /// Whether it tells what the file is.
    var isConclusive: Bool {
        if case .unreadable = finding { return false }
        return true
    }
}

extension LibraryTransaction {
    /// Stores a batch of examinations, and assigns a photo to each file.
    ///
    /// - Parameters:
    ///   - twins: For each examination, a photo or file with equal content; see ``ContentTwins``.
    ///   - pairing: Whether a file may become a resource of another photo; not if somebody is about to
    ///     be told the id of its own.
    /// - Returns: For each examination, the photo of the file; nil if it has none, or if the examination is
    ///   out of date.
    mutating func store(
        _ examinations: [Examination], _ twins: [ContentTwin?], pairing: Bool = true
    ) throws -> [Int64?] {
        if pairing { for examination in examinations { noteStem(of: examination) } }
        var assets: [Int64?] = []
        for (examination, twin) in zip(examinations, twins) {
            switch twin {
            case .asset(let id): assets.append(try store(examination, known: id))
            case .earlier(let index):
                assets.append(try store(examination, known: assets[index]))
            case .unknown:
                // It is examined again later.
                let unread = Examination(file: examination.file, finding: .unreadable)
                assets.append(try store(unread, known: nil))
            case nil: assets.append(try store(examination, known: nil))
            }
        }
        if !pairing { for asset in assets.compactMap(\.self) { keepUnpaired(asset) } }
        return assets
    }

    private mutating func noteStem(of examination: Examination) {
        guard case .picture(let facts, _) = examination.finding,
            MediaType.rawTypes.contains(facts.mediaType)
                || MediaType.cameraPictureTypes.contains(facts.mediaType)
                || ShotPart.videoTypes.contains(facts.mediaType)
        else { return }
        noteStem(of: examination.file.name, in: examination.file.folder)
    }

    /// - Returns: The photo of the file; nil if it has none.
    private mutating func store(_ examination: Examination, known: Int64?) throws -> Int64? {
        let file = examination.file
        // If the row has changed since the examination started, the result is out of date.
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT asset, former, role FROM file
                    WHERE id = ? AND status = 0 AND inode = ? AND size = ? AND modified = ?
                    AND changed = ?
                    """),
            arguments: [
                file.id, file.state.inode, file.state.size, file.state.modified,
                file.state.changed,
            ])
        guard let row else { return nil }
        let current: Int64? = try row.decode(atIndex: 0)
        let former: Int64? = try row.decode(atIndex: 1)
        let isResource = try row.decode(Int.self, atIndex: 2) != ResourceRole.primary.column
        let previous = current ?? former
        if let previous {
            try willChange(asset: previous)
            // What belonged to it may not belong to what it is now.
            noteStem(of: file.name, in: file.folder)
        }
        if let current, !isResource, try isPassing(examination, of: current) {
            try settleFile(file.id, .unreadable, asset: current)
            return nil
        }
        // What it is now is found out anew. A file that was beside a picture has no id to keep: apps may
        // have been given the picture.
        if isResource, examination.isConclusive { try forgetResource(file.id) }
        let lost = isResource ? nil : previous
        switch examination.finding {
        case .picture(let facts, let fingerprint):
            let photo = StoredFacts(facts, fingerprint, file)
            let asset = try asset(
                of: file.id, photo, known: known, previous: lost)
            try settleFile(file.id, .asset, asset: asset)
            try SearchTable.store(facts.details, of: file.id, in: database)
            return asset
        case .sidecar(let details):
            try settle(file, .notPicture, details, former: lost)
        case .notPicture:
            try settle(file, .notPicture, former: lost)
        case .damaged:
            try settle(file, .damaged, former: lost)
        case .unreadable:
            try settleFile(file.id, .unreadable, asset: current, former: former)
        }
        return nil
    }

    /// Stores that a file is no photo.
    private mutating func settle(
        _ file: PendingFile, _ status: Schema.FileStatus,
        _ details: PhotoDetails = PhotoDetails(), former: Int64?
    ) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT folder, name FROM file WHERE id = ?"),
            arguments: [file.id])
        // Before it says something else.
        if let row { try noteSidecar(row.decode(atIndex: 1), in: row.decode(atIndex: 0)) }
        try settleFile(file.id, status, former: former)
        try SearchTable.store(details, of: file.id, in: database)
    }

    /// The photo of a file, which is added if it is new.
    private mutating func asset(
        of file: Int64, _ photo: StoredFacts, known: Int64?, previous: Int64?
    ) throws -> Int64 {
        if let known {
            try willChange(asset: known)
            if let previous, previous != known, try wasAll(file, of: previous, photo) {
                // A photo has one adjusted version at most.
                if try isAdjusted(previous) { return previous }
                try handOver(previous, to: known)
            }
            // Restored, it waited for its file; and an earlier release did not read everything.
            if try isUnknown(known) {
                try update(known, photo)
            } else {
                try complete(known, photo, file)
            }
            return known
        }
        if let previous, try isOnlyFile(file, of: previous) {
            // The file was edited in place: it is the same photo with other pixels.
            try update(previous, photo)
            return previous
        }
        return try insert(photo)
    }

    /// The type of a photo that was restored and whose file has not been found yet.
    static let unknownType = ""

    private func isUnknown(_ asset: Int64) throws -> Bool {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM asset WHERE id = ? AND mediaType = ?"),
            arguments: [asset, Self.unknownType]) != nil
    }

    private func isOnlyFile(_ file: Int64, of asset: Int64) throws -> Bool {
        try Int.fetchOne(
            database,
            sql: "SELECT 1 FROM file WHERE asset = ? AND id <> ? AND role = 0 LIMIT 1",
            arguments: [asset, file]) == nil
    }

    /// Whether a file that is to leave a photo is its only one, and has not changed, so that it was a copy of
    /// the file of another photo all the time.
    private func wasAll(
        _ file: Int64, of asset: Int64, _ photo: StoredFacts
    ) throws -> Bool {
        guard try isOnlyFile(file, of: asset) else { return false }
        return try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM asset WHERE id = ? AND fingerprint = ?"),
            arguments: [asset, Data(photo.fingerprint)]) != nil
    }

    /// Adds a photo that has one file, with what ``refresh`` would find out about it.
    private static let insertion = """
        INSERT INTO asset
            (key, fingerprint, mediaType, width, height, date, hasCaptureDate,
            isAnimated, milliseconds, contentIdentifier, hasMotion,
            burstIdentifier, isBurstPrimary, colour, day,
            file, inAll, isLive, isScreenshot, isSelfie, hasPlace)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
            ?16, (SELECT kind = 0 FROM folder WHERE id = ?17), ?11,
            \(isScreenshot("?3", "?18")), coalesce(\(isSelfie("?19")), 0), ?20)
        ON CONFLICT (key) DO NOTHING
        """

    private mutating func insert(_ photo: StoredFacts) throws -> Int64 {
        let statement = try database.cachedStatement(sql: Self.insertion)
        // The id of a photo is its first fingerprint, so that a new database assigns the same ids.
        // If another picture already has that id, a number is mixed in.
        var key = photo.fingerprint
        var number: UInt8 = 0
        while true {
            try statement.execute(arguments: [
                Data(key), Data(photo.fingerprint), photo.mediaType, photo.size.width,
                photo.size.height, photo.date, photo.hasCaptureDate, photo.isAnimated,
                photo.milliseconds, photo.contentIdentifier, photo.hasMotion,
                photo.burst?.identifier.text, photo.burst?.isPrimary ?? false,
                photo.colour?.number, photo.day, photo.row, photo.file.folder, photo.file.name,
                photo.file.details?.lens, photo.file.details?.hasPlace ?? false,
            ])
            if database.changesCount > 0 { break }
            if let former = try hiddenAsset(key) {
                // The photo was edited, or shown by another file of its shot, then its files went away;
                // now the first version is back.
                try willChange(asset: former)
                try withdraw(asset: former)
                try update(former, photo)
                return former
            }
            number &+= 1
            key = Digest.md5(photo.fingerprint, key, [number])
        }
        let id = database.lastInsertedRowID
        didInsert(asset: id, file: photo.file)
        return id
    }

    /// The photo with this id, if it has no files, and no adjusted version that waits for one.
    private func hiddenAsset(_ key: [UInt8]) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id FROM asset
                    WHERE key = ? AND NOT EXISTS (SELECT 1 FROM file WHERE file.asset = asset.id)
                    AND NOT EXISTS (SELECT 1 FROM adjustment WHERE adjustment.asset = asset.id)
                    """), arguments: [Data(key)])
    }

    private func update(_ asset: Int64, _ photo: StoredFacts) throws {
        try database.execute(
            sql: """
                UPDATE asset SET fingerprint = ?, mediaType = ?, width = ?, height = ?,
                    date = ?, hasCaptureDate = ?, isAnimated = ?, milliseconds = ?,
                    contentIdentifier = ?, hasMotion = ?,
                    burstIdentifier = ?, isBurstPrimary = ?, colour = ?, day = ?
                WHERE id = ?
                """,
            arguments: [
                Data(photo.fingerprint), photo.mediaType, photo.size.width, photo.size.height,
                photo.date, photo.hasCaptureDate, photo.isAnimated, photo.milliseconds,
                photo.contentIdentifier, photo.hasMotion,
                photo.burst?.identifier.text, photo.burst?.isPrimary ?? false,
                photo.colour?.number, photo.day, asset,
            ])
        try restoreAdjustment(ofUpdated: asset)
    }

    /// Stores what an earlier release did not read, and what follows from the time of its file.
    private func complete(_ asset: Int64, _ photo: StoredFacts, _ file: Int64) throws {
        try database.cachedStatement(
            sql: """
                UPDATE asset SET contentIdentifier = ?1, hasMotion = ?2,
                    burstIdentifier = ?3, isBurstPrimary = ?4
                WHERE id = ?5 AND (contentIdentifier IS NOT ?1 OR hasMotion <> ?2
                    OR burstIdentifier IS NOT ?3 OR isBurstPrimary <> ?4)
                """
        ).execute(arguments: [
            photo.contentIdentifier, photo.hasMotion, photo.burst?.identifier.text,
            photo.burst?.isPrimary ?? false, asset,
        ])
        if photo.hasCaptureDate {
            try database.cachedStatement(
                sql: "UPDATE asset SET day = ?1 WHERE id = ?2 AND day <> ?1 AND hasCaptureDate = 1"
            ).execute(arguments: [photo.day, asset])
        } else {
            // Copies of a photo without a date have the date of the first one.
            try database.cachedStatement(
                sql: """
                    UPDATE asset SET date = ?1, day = ?2
                    WHERE id = ?3 AND hasCaptureDate = 0 AND (date <> ?1 OR day <> ?2)
                        AND NOT EXISTS (
                            SELECT 1 FROM file WHERE asset = ?3 AND role = 0 AND file.id < ?4)
                    """
            ).execute(arguments: [photo.date, photo.day, asset, file])
        }
        guard try !isAdjusted(asset) else {
            return try database.cachedStatement(
                sql: "UPDATE adjustment SET originalColour = ? WHERE asset = ?"
            ).execute(arguments: [photo.colour?.number, asset])
        }
        try database.cachedStatement(
            sql: """
                UPDATE asset SET isAnimated = ?1, milliseconds = ?2, colour = ?3
                WHERE id = ?4
                    AND (isAnimated <> ?1 OR milliseconds IS NOT ?2 OR colour IS NOT ?3)
                """
        ).execute(arguments: [photo.isAnimated, photo.milliseconds, photo.colour?.number, asset])
    }
}

/// The columns of `asset` that come from a file.
private struct StoredFacts {
    let fingerprint: [UInt8]
    let mediaType: String
    let size: PixelSize
    let date: Int64
    let hasCaptureDate: Bool
    let isAnimated: Bool
    let milliseconds: Int64?
    let contentIdentifier: String?
    let hasMotion: Bool
    let burst: BurstMark?
    let colour: PhotoColour?
    /// See ``PhotoDay``.
    let day: Int
    let file: NamedFile
    /// The row of the file.
    let row: Int64

    init(_ facts: ImageFacts, _ fingerprint: Fingerprint, _ file: PendingFile) {
        let captured = facts.taken?.secondsSince1970
        self.fingerprint = fingerprint.bytes
        mediaType = facts.mediaType.rawValue
        size = facts.size ?? PixelSize(width: 0, height: 0)
        date = captured ?? file.state.modifiedSeconds
        hasCaptureDate = captured != nil
        isAnimated = facts.isAnimated
        milliseconds = facts.milliseconds
        contentIdentifier = facts.contentIdentifier?.text
        hasMotion = facts.motionVideo != nil
        burst = facts.burst
        colour = facts.colour
        day = PhotoDay.number(taken: facts.taken, at: date)
        row = file.id
        self.file = NamedFile(
            folder: file.folder, name: file.name, details: facts.details,
            isFrame: facts.burst != nil || BurstName(file.name) != nil)
    }
}

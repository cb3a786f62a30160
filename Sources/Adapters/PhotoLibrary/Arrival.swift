// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
internal import Foundation
internal import GRDB
package import Photos
internal import SystemPackage

/// A photo that an app adds, on its way into the library.
///
/// Its file has a hidden name, and a row of the table `arrival` says so. The change set that adds the
/// photo settles the row in its own transaction, and only then does the file get its name. Whatever
/// interrupts this, ``LibraryStore/finishLeftovers(in:)`` goes on: settled files get their names, and
/// the others are removed. So there are the photo and its file, or neither.
package struct Arrival: Sendable {
    /// The folder, and the path by which the library knows it.
    let folder: Descriptor
    let path: FilePath
    /// The file; nil for one that has its name already, because it was added before.
    let draft: ArrivalDraft?
    /// The name of the file now.
    let current: FilePath.Component
    let name: ArrivalName
    /// The first attempt at a name that no file of the folder has.
    let attempt: Int
    let state: FileState
    let facts: ImageFacts
    let fingerprint: Fingerprint

    /// The album of the folder.
    package var album: AlbumID? { AlbumID(AlbumID.text(ofFolder: path.data)) }

    /// What the library stores about a file, with the ids of its row there and of that of its folder.
    func examination(
        file: Int64 = 0, in folder: Int64 = 0, named name: FilePath.Component
    ) -> Examination {
        Examination(
            file: PendingFile(
                id: file, folder: folder, name: name.data, path: path.appending(name),
                state: state),
            finding: .picture(facts, fingerprint))
    }
}

/// The file of a photo on its way, under its hidden name.
struct ArrivalDraft: Sendable {
    /// Its folder, wherever that is moved.
    let folder: Descriptor
    /// The path by which the library knows the folder.
    let path: FilePath
    /// The hidden name, which no other file ever has.
    let hidden: FilePath.Component
    /// Held until the photo has arrived, so that no other service takes its file for a leftover.
    let lock: FileLock

    /// A path that leads to the file in this process.
    var place: FilePath { folder.ownPath.appending(hidden) }
}

/// The name of a new file, by date and content: `20260314-153000-1a2b3c4d.jpg`.
///
/// Apps learn the name, and those in a sandbox must not find out the place that was removed from the content by
/// trying. So the digits need a key that they do not know.
struct ArrivalName: Hashable, Sendable {
    private let stem: String
    private let fileExtension: String

    /// - Parameters:
    ///   - key: That of this installation.
    ///   - stamp: The time when a photo that does not say when it was taken was added.
    init(_ facts: ImageFacts, _ fingerprint: Fingerprint, key: [UInt8], stamp: String) {
        let digits = Digest.authenticate(fingerprint.bytes, key: key).prefix(4)
            .map(\.twoDigits).joined()
        stem = "\(facts.taken?.stamp ?? stamp)-\(digits)"
        fileExtension = facts.mediaType.fileExtension ?? "bin"
    }

    /// The name at the first attempt, 1, and at later ones: `…-2.jpg`.
    subscript(attempt: Int) -> FilePath.Component {
        let text = attempt > 1 ? "\(stem)-\(attempt)" : stem
        guard let name = FilePath.Component("\(text).\(fileExtension)") else {
            preconditionFailure("Digits and the extension of a known type are a name")
        }
        return name
    }
}

extension CaptureDate {
    /// The date as `YYYYMMDD-HHMMSS`.
    fileprivate var stamp: String {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return digits(year, 4) + digits(month, 2) + digits(day, 2) + "-"
            + digits(hour, 2) + digits(minute, 2) + digits(second, 2)
    }
}

/// The photos that a change set adds, and the equal ones that the library has.
struct ArrivalBatch {
    /// The folder of adjusted versions.
    let adjusted: FilePath
    var arrivals: [Arrival] = []
    /// For each of them; see ``ContentTwins``.
    var twins: [ContentTwin?] = []
    /// The adjusted versions that it gives photos.
    var adjustments: [AdjustmentDraft] = []
}

/// A row of the table `arrival`.
struct ArrivalRecord: Sendable {
    let folder: FilePath
    let hidden: FilePath.Component
    /// The name that the file gets; nil if it is not settled.
    let name: FilePath.Component?
    /// The row of the file in the library, if it is settled.
    let file: Int64?

    /// That of a file whose photo a change set adds.
    init(
        folder: FilePath, hidden: FilePath.Component, name: FilePath.Component, file: Int64
    ) {
        (self.folder, self.hidden, self.name, self.file) = (folder, hidden, name, file)
    }

    /// All that a database has.
    static func all(in database: Database) throws -> [ArrivalRecord] {
        try Row.fetchAll(database, sql: "SELECT folder, hidden, settled, name, file FROM arrival")
            .compactMap { try ArrivalRecord($0) }
    }

    /// That of a file with this hidden name; nil if there is none.
    init?(of hidden: FilePath.Component, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT folder, hidden, settled, name, file FROM arrival WHERE hidden = ?"),
            arguments: [hidden.data])
        guard let record = try row.flatMap({ try ArrivalRecord($0) }) else { return nil }
        self = record
    }

    private init?(_ row: Row) throws {
        guard let hidden = FilePath.Component(try row.get("hidden", Data.self)) else { return nil }
        let isSettled: Bool = try row.get("settled")
        folder = FilePath(try row.get("folder", Data.self))
        self.hidden = hidden
        name =
            isSettled ? try row.get("name", Data?.self).flatMap { FilePath.Component($0) } : nil
        file = try row.get("file")
    }

    /// Notes that a file is on its way, unless that is noted already.
    static func insert(
        _ hidden: FilePath.Component, in folder: FilePath, _ database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO arrival (folder, hidden)
                SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM arrival WHERE hidden = ?)
                """
        ).execute(arguments: [folder.data, hidden.data, hidden.data])
    }

    /// Forgets a file that is no longer on its way.
    static func delete(_ hidden: FilePath.Component, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM arrival WHERE hidden = ?")
            .execute(arguments: [hidden.data])
    }

    /// Notes what becomes of the file.
    func settle(in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE arrival SET settled = 1, name = ?, file = ? WHERE hidden = ?"
        ).execute(arguments: [name?.data, file, hidden.data])
        guard database.changesCount == 0 else { return }
        // Another service has taken the row for a leftover before the file was there.
        try database.cachedStatement(
            sql: "INSERT INTO arrival (folder, hidden, settled, name, file) VALUES (?, ?, 1, ?, ?)"
        ).execute(arguments: [folder.data, hidden.data, name?.data, file])
    }
}

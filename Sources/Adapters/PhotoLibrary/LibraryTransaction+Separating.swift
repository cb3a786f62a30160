// SPDX-License-Identifier: MIT

internal import Files
internal import Foundation
internal import GRDB
internal import Photos

extension LibraryTransaction {
    /// Brings the resources of a photo in line with its files.
    ///
    /// If the picture is gone, the photo lives on with the raw file, or with the video; unless it has an
    /// adjusted version: that was made of the picture, and waits for it. A file that no longer is beside
    /// the picture is examined again, and becomes a photo of its own.
    mutating func settleResources(of asset: Int64) throws {
        let hasResources = try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM file WHERE asset = ? AND role <> 0 LIMIT 1"),
            arguments: [asset])
        guard hasResources != nil else { return }
        var files = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, folder, name, role, status FROM file WHERE asset = ?
                    ORDER BY role, id
                    """), arguments: [asset]
        ).map { try Resource($0) }
        if let first = files.first, first.role != ResourceRole.primary.column,
            try !isAdjusted(asset)
        {
            try promote(first.file, of: asset)
            // The others beside it, if there are any, do not belong to it.
            if let stem = first.stem { note(stem) }
            files[0].role = ResourceRole.primary.column
        }
        let primary = files.filter { $0.role == ResourceRole.primary.column }
        let stems = Set(primary.compactMap(\.stem))
        for file in files where file.role != ResourceRole.primary.column {
            if let stem = file.stem, stems.contains(stem) { continue }
            try separate(file.file, file.status)
        }
    }

    private struct Resource {
        let file: Int64
        let stem: FileStem?
        var role: Int
        let status: Schema.FileStatus?

        init(_ row: Row) throws {
            file = try row.get("id")
            stem = FileStem(of: try row.get("name"), in: try row.get("folder"))
            role = try row.get("role")
            status = Schema.FileStatus(rawValue: try row.get("status"))
        }
    }

    private mutating func promote(_ file: Int64, of asset: Int64) throws {
        try withdraw(asset: asset)
        try database.execute(
            sql: """
                UPDATE asset SET (\(Self.resourceFacts)) = (
                    SELECT \(Self.resourceFacts) FROM resource WHERE file = ?1) WHERE id = ?2
                """, arguments: [file, asset])
        try forgetResource(file)
        try compareCopies(of: asset)
    }

    /// Has the files of photos examined again that may be copies of the file of this one.
    ///
    /// They were not compared with it while a picture stood for the photo.
    private mutating func compareCopies(of asset: Int64) throws {
        let files = try Row.fetchAll(
            database,
            sql: """
                SELECT file.id, file.asset, status FROM asset JOIN file ON file.asset = asset.id
                WHERE fingerprint = (SELECT fingerprint FROM asset WHERE id = ?) AND role = 0
                """, arguments: [asset])
        guard try files.contains(where: { try $0.get("asset", Int64.self) != asset }) else {
            return
        }
        for file in files {
            let status = Schema.FileStatus(rawValue: try file.get("status"))
            guard status == .asset else { continue }
            try database.execute(
                sql: "UPDATE file SET status = 0 WHERE id = ?",
                arguments: [file.get("id", Int64.self)])
            expect(examinationOf: status)
        }
    }

    /// How long ago a file was changed that may still be in the middle of being written.
    private static let longestWrite: Int64 = 60_000_000_000

    /// Whether the picture of a photo with several files seems to be no picture only because a program is
    /// writing it.
    ///
    /// Otherwise the photo would live on with another file, and be taken from apps that were given the
    /// picture. If it is no picture later either, the next attempt finds that.
    func isPassing(_ examination: Examination, of asset: Int64) throws -> Bool {
        switch examination.finding {
        case .damaged, .notPicture: break
        case .picture, .sidecar, .unreadable: return false
        }
        let (age, isAhead) = FileClock.now.subtractingReportingOverflow(
            examination.file.state.modified)
        guard !isAhead, (0..<Self.longestWrite).contains(age) else { return false }
        return try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM file WHERE asset = ? AND role <> 0 LIMIT 1"),
            arguments: [asset]) != nil
    }

    /// Has a file examined again, as if it were new.
    mutating func separate(_ file: Int64, _ status: Schema.FileStatus?) throws {
        try database.execute(
            sql: "UPDATE file SET status = 0, asset = NULL WHERE id = ?", arguments: [file])
        try forgetResource(file)
        expect(examinationOf: status)
    }

    /// Notes that a file is no resource beside the primary one any more.
    func forgetResource(_ file: Int64) throws {
        try database.execute(sql: "UPDATE file SET role = 0 WHERE id = ?", arguments: [file])
        try database.execute(sql: "DELETE FROM resource WHERE file = ?", arguments: [file])
    }
}

// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import Photos

// A raw file and the picture that the camera made of it are one photo. Its row has the facts of the
// picture, and the file of the picture has the role `primary`; the facts of the raw file wait in a row of
// `resource`, for the time when the picture goes.
extension LibraryTransaction {
    private static let facts = """
        fingerprint, mediaType, width, height, date, hasCaptureDate, isAnimated, milliseconds
        """

    /// A file that is, so far, the primary resource of its photo.
    private struct Candidate {
        let file: Int64
        let name: Data
        var asset: Int64
        let type: MediaType
        let isAdjusted: Bool
    }

    // MARK: - Joining

    /// Makes one photo of the raw files and the picture that share a stem.
    ///
    /// A raw file that an app has adjusted stays a photo of its own: its adjusted version has no other
    /// original.
    mutating func pair(_ stem: FileStem) throws {
        guard try hasSeveralFiles(stem) else { return }
        let candidates = try candidates(stem)
        let raws = candidates.filter { MediaType.rawTypes.contains($0.type) && !$0.isAdjusted }
        guard !raws.isEmpty, var picture = Self.picture(among: candidates) else { return }
        for raw in raws { picture.asset = try join(raw, to: picture) }
    }

    /// Whether a name has a partner at all, which the index of names tells: most names have none.
    private func hasSeveralFiles(_ stem: FileStem) throws -> Bool {
        let names = stem.names
        return try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT 1 FROM file WHERE folder = ? AND name >= ? AND name < ?
                    LIMIT 1 OFFSET 1
                    """), arguments: [stem.folder, names.first, names.end]) != nil
    }

    private func candidates(_ stem: FileStem) throws -> [Candidate] {
        let names = stem.names
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT file.id, file.name, file.asset,
                        coalesce(adjustment.originalType, asset.mediaType),
                        adjustment.asset IS NOT NULL
                    FROM file JOIN asset ON asset.id = file.asset
                    LEFT JOIN adjustment ON adjustment.asset = asset.id
                    WHERE folder = ? AND file.name >= ? AND file.name < ?
                    AND status = 1 AND role = 0 ORDER BY file.name
                    """), arguments: [stem.folder, names.first, names.end])
        var candidates: [Candidate] = []
        while let row = try rows.next() {
            let name: Data = try row.decode(atIndex: 1)
            guard FileStem(of: name, in: stem.folder) == stem,
                let type = MediaType(try row.decode(String.self, atIndex: 3))
            else { continue }
            candidates.append(
                Candidate(
                    file: try row.decode(atIndex: 0), name: name, asset: try row.decode(atIndex: 2),
                    type: type, isAdjusted: try row.decode(atIndex: 4)))
        }
        return candidates
    }

    /// The picture that a camera made; of several, the same one whichever came first.
    private static func picture(among candidates: [Candidate]) -> Candidate? {
        for type in MediaType.cameraPictureTypes {
            if let picture = candidates.first(where: { $0.type == type }) { return picture }
        }
        return nil
    }

    /// Adds a raw file to the photo of a picture.
    ///
    /// - Returns: The photo. The one that people and apps have known keeps its id; of two such, and of
    ///   two new ones, that of the picture.
    private mutating func join(_ raw: Candidate, to picture: Candidate) throws -> Int64 {
        guard raw.asset != picture.asset else { return picture.asset }
        try willChange(asset: raw.asset)
        try willChange(asset: picture.asset)
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO resource (file, \(Self.facts))
                SELECT ?, \(Self.facts) FROM asset WHERE id = ?
                """
        ).execute(arguments: [raw.file, raw.asset])
        let isOnlyRaw = try isOnlyPrimary(raw.file, of: raw.asset)
        if isNew(picture.asset), !isNew(raw.asset), isOnlyRaw {
            try setRole(.raw, of: raw.file, asset: raw.asset)
            try database.execute(
                sql: """
                    UPDATE asset SET (\(Self.facts)) = (
                        SELECT \(Self.facts) FROM asset WHERE id = ?1) WHERE id = ?2
                    """, arguments: [picture.asset, raw.asset])
            try database.execute(
                sql: "UPDATE file SET asset = ? WHERE asset = ?",
                arguments: [raw.asset, picture.asset])
            try database.execute(sql: "DELETE FROM asset WHERE id = ?", arguments: [picture.asset])
            return raw.asset
        }
        try setRole(.raw, of: raw.file, asset: picture.asset)
        guard isOnlyRaw else { return picture.asset }
        if isNew(raw.asset) {
            try database.execute(sql: "DELETE FROM asset WHERE id = ?", arguments: [raw.asset])
        } else {
            try handOver(raw.asset, to: picture.asset)
        }
        return picture.asset
    }

    /// Gives a photo what people and apps did with another one, which no longer has files.
    ///
    /// The row of the other one stays, hidden, so that it is the same photo if it is separated again.
    private mutating func handOver(_ former: Int64, to asset: Int64) throws {
        try database.execute(
            sql: """
                UPDATE asset SET favorite = 1
                WHERE id = ?1 AND EXISTS (SELECT 1 FROM asset WHERE id = ?2 AND favorite = 1)
                """, arguments: [asset, former])
        try database.execute(sql: "UPDATE asset SET favorite = 0 WHERE id = ?", arguments: [former])
        let albums = try Int64.fetchAll(
            database, sql: "SELECT album FROM member WHERE asset = ?", arguments: [former])
        for album in albums { try noteChange(ofUserAlbum: album) }
        try database.execute(
            sql: "UPDATE OR IGNORE member SET asset = ? WHERE asset = ?",
            arguments: [asset, former])
        try database.execute(sql: "DELETE FROM member WHERE asset = ?", arguments: [former])
        try database.execute(
            sql: """
                INSERT INTO given (app, asset, whole)
                SELECT app, (SELECT key FROM asset WHERE id = ?1), whole FROM given
                WHERE asset = (SELECT key FROM asset WHERE id = ?2)
                ON CONFLICT DO UPDATE SET whole = max(whole, excluded.whole)
                """, arguments: [asset, former])
    }

    private func setRole(_ role: ResourceRole, of file: Int64, asset: Int64) throws {
        try database.cachedStatement(sql: "UPDATE file SET role = ?, asset = ? WHERE id = ?")
            .execute(arguments: [role.column, asset, file])
    }

    /// Whether a photo has no other primary file.
    func isOnlyPrimary(_ file: Int64, of asset: Int64) throws -> Bool {
        try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count(*) = 1 AND max(id) = ?1 FROM file WHERE asset = ?2 AND role = 0
                    """), arguments: [file, asset]) == 1
    }

    // MARK: - Separating

    /// Brings the resources of a photo in line with its files.
    ///
    /// If the picture is gone, the photo lives on with the raw file. A raw file that no longer is beside
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
        if let first = files.first, first.role != ResourceRole.primary.column {
            try promote(first.file, of: asset)
            files[0].role = ResourceRole.primary.column
        }
        let primary = files.filter { $0.role == ResourceRole.primary.column }
        let stems = Set(primary.compactMap(\.stem))
        for file in files where file.role != ResourceRole.primary.column {
            if let stem = file.stem, stems.contains(stem) { continue }
            try separate(file)
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

    private func promote(_ file: Int64, of asset: Int64) throws {
        try database.execute(
            sql: """
                UPDATE asset SET (\(Self.facts)) = (
                    SELECT \(Self.facts) FROM resource WHERE file = ?1) WHERE id = ?2
                """, arguments: [file, asset])
        try forgetResource(file)
        try restoreAdjustment(ofUpdated: asset)
    }

    private mutating func separate(_ file: Resource) throws {
        try database.execute(
            sql: "UPDATE file SET status = 0, asset = NULL WHERE id = ?",
            arguments: [file.file])
        try forgetResource(file.file)
        expect(examinationOf: file.status)
    }

    /// Notes that a file is no resource beside the primary one any more.
    func forgetResource(_ file: Int64) throws {
        try database.execute(sql: "UPDATE file SET role = 0 WHERE id = ?", arguments: [file])
        try database.execute(sql: "DELETE FROM resource WHERE file = ?", arguments: [file])
    }
}

extension ResourceRole {
    /// The number in the column `role` of `file`.
    var column: Int {
        switch self {
        case .primary: 0
        case .raw: 1
        }
    }
}

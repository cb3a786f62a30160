// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import Photos

// A raw file and the picture that the camera made of it are one photo, and so are the picture and the video
// of a Live Photo. Its row has the facts of the picture, and the file of the picture has the role
// `primary`; the facts of the other file wait in a row of `resource`, for the time when the picture goes.
extension LibraryTransaction {
    /// The columns that `asset` and `resource` have in common.
    static let resourceFacts = """
        fingerprint, mediaType, width, height, date, hasCaptureDate, isAnimated, milliseconds,
        contentIdentifier, hasMotion, burstIdentifier, isBurstPrimary, colour, day
        """

    /// A file that may be a part of a photo, or is one.
    private struct Candidate {
        let file: Int64
        let name: Data
        var asset: Int64
        let role: Int
        let part: ShotPart
        let isAdjusted: Bool
        let status: Schema.FileStatus?

        var type: MediaType { part.mediaType }
        var isPrimary: Bool { role == ResourceRole.primary.column }
        var isPicture: Bool { isPrimary && MediaType.cameraPictureTypes.contains(type) }
        /// What it is beside a picture; nil for a file that never is.
        var roleBesidePicture: ResourceRole? {
            if MediaType.rawTypes.contains(type) { return .raw }
            return ShotPart.videoTypes.contains(type) ? .pairedVideo : nil
        }
        /// Whether the facts are those of the file as it is now.
        var isExamined: Bool { status == .asset }
        /// Whether it may be joined to a picture.
        ///
        /// A file that an app has adjusted stays a photo of its own: its adjusted version has no other
        /// original.
        var isFree: Bool { isPrimary && !isAdjusted && isExamined }
    }

    /// More files than those of one shot have, with all their copies in other formats.
    private static let mostOfStem = 64

    /// Makes one photo of the files of one shot that share a stem, and parts those that do not belong
    /// together any more.
    ///
    /// A stem that very many files share is no shot; comparing all with all would take long.
    mutating func pair(_ stem: FileStem) throws {
        guard try hasSeveralFiles(stem) else { return }
        var candidates = try candidates(stem)
        let isShot = candidates.count <= Self.mostOfStem
        for other in candidates.indices {
            let candidate = candidates[other]
            guard let role = candidate.roleBesidePicture else { continue }
            let picture =
                isShot ? Self.picture(for: candidate, as: role, among: candidates) : nil
            if candidate.isPrimary {
                if let picture, candidates[picture].isExamined, candidate.isFree {
                    try join(other, to: picture, as: role, &candidates)
                }
            } else if picture.map({ candidates[$0].asset }) != candidate.asset,
                // Otherwise the photo lives on with this file.
                candidates.contains(where: { $0.isPrimary && $0.asset == candidate.asset })
            {
                // It is examined again, and then joined to the right picture if there is one.
                try willChange(asset: candidate.asset)
                try separate(candidate.file, candidate.status)
            }
        }
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
                    SELECT file.id, file.name, file.asset, role, status,
                        adjustment.asset IS NOT NULL AS isAdjusted,
                        coalesce(
                            resource.mediaType, adjustment.originalType, asset.mediaType
                        ) AS mediaType,
                        iif(role = 0, asset.contentIdentifier, resource.contentIdentifier)
                            AS contentIdentifier,
                        coalesce(resource.hasCaptureDate, asset.hasCaptureDate) AS hasCaptureDate,
                        coalesce(resource.date, asset.date) AS date,
                        iif(role = 0, asset.milliseconds, resource.milliseconds) AS milliseconds
                    FROM file JOIN asset ON asset.id = file.asset
                    LEFT JOIN adjustment ON adjustment.asset = asset.id
                    LEFT JOIN resource ON resource.file = file.id
                    WHERE folder = ? AND file.name >= ? AND file.name < ?
                    ORDER BY file.name
                    """), arguments: [stem.folder, names.first, names.end])
        var candidates: [Candidate] = []
        while let row = try rows.next() {
            let name: Data = try row.get("name")
            let asset: Int64 = try row.get("asset")
            guard FileStem(of: name, in: stem.folder) == stem, !unpaired.contains(asset),
                let part = try ShotPart(row)
            else { continue }
            candidates.append(
                Candidate(
                    file: try row.get("id"), name: name, asset: asset,
                    role: try row.get("role"), part: part, isAdjusted: try row.get("isAdjusted"),
                    status: Schema.FileStatus(rawValue: try row.get("status"))))
        }
        return candidates
    }

    /// The picture to which a file belongs: of several, the one that surely is, and then the same one
    /// whichever came first.
    private static func picture(
        for other: Candidate, as role: ResourceRole, among candidates: [Candidate]
    ) -> Int? {
        let matches = candidates.map { candidate in
            candidate.isPicture ? candidate.part.match(other.part, as: role) : nil
        }
        guard let best = matches.compactMap(\.self).max() else { return nil }
        for type in MediaType.cameraPictureTypes {
            let picture = candidates.indices.first {
                candidates[$0].type == type && matches[$0] == best
            }
            if let picture { return picture }
        }
        return nil
    }

    /// Adds a file to the photo of a picture.
    private mutating func join(
        _ other: Int, to picture: Int, as role: ResourceRole, _ candidates: inout [Candidate]
    ) throws {
        let former = candidates[picture].asset
        let asset = try join(candidates[other], to: candidates[picture], as: role)
        candidates[other].asset = asset
        // The photo may have the id of the other file now.
        for index in candidates.indices where candidates[index].asset == former {
            candidates[index].asset = asset
        }
    }

    /// Adds a file to the photo of a picture.
    ///
    /// - Returns: The photo. The one that people and apps have known keeps its id; of two such, and of
    ///   two new ones, that of the picture.
    private mutating func join(
        _ other: Candidate, to picture: Candidate, as role: ResourceRole
    ) throws -> Int64 {
        guard other.asset != picture.asset else { return picture.asset }
        try willChange(asset: other.asset)
        try willChange(asset: picture.asset)
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO resource (file, \(Self.resourceFacts))
                SELECT ?, \(Self.resourceFacts) FROM asset WHERE id = ?
                """
        ).execute(arguments: [other.file, other.asset])
        let isAllOfIt = try isOnlyPrimary(other.file, of: other.asset)
        if isNew(picture.asset), !isNew(other.asset), isAllOfIt {
            try withdraw(asset: other.asset)
            try setRole(role, of: other.file, asset: other.asset)
            try database.execute(
                sql: """
                    UPDATE asset SET (\(Self.resourceFacts)) = (
                        SELECT \(Self.resourceFacts) FROM asset WHERE id = ?1) WHERE id = ?2
                    """, arguments: [picture.asset, other.asset])
            try database.execute(
                sql: "UPDATE file SET asset = ? WHERE asset = ?",
                arguments: [other.asset, picture.asset])
            try database.execute(sql: "DELETE FROM asset WHERE id = ?", arguments: [picture.asset])
            return other.asset
        }
        try setRole(role, of: other.file, asset: picture.asset)
        guard isAllOfIt else { return picture.asset }
        if isNew(other.asset) {
            try database.execute(sql: "DELETE FROM asset WHERE id = ?", arguments: [other.asset])
        } else {
            try handOver(other.asset, to: picture.asset)
        }
        return picture.asset
    }

    /// Gives a photo what people did with another one, which no longer has files.
    ///
    /// Apps that were given the other one have received its file, and were not given this one.
    /// The row of the other one stays, hidden, so that it is the same photo if it is separated again.
    mutating func handOver(_ former: Int64, to asset: Int64) throws {
        noteUserData()
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
}

extension ResourceRole {
    /// The number in the column `role` of `file`.
    var column: Int {
        switch self {
        case .primary: 0
        case .raw: 1
        case .pairedVideo: 2
        // A frame is a photo of its own.
        case .burst: 3
        }
    }
}

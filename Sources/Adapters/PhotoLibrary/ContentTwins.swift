// SPDX-License-Identifier: MIT

internal import Files
internal import Foundation
internal import GRDB
internal import Photos
internal import Processes
internal import SystemPackage

/// An asset or file with the same content as an examined file.
enum ContentTwin: Sendable {
    /// A photo that the library has.
    case asset(Int64)
    /// A file earlier in the same batch.
    case earlier(Int)
    /// Perhaps there is one, but its disk does not answer.
    case unknown
}

/// Finds the files of a batch whose photos are already known.
///
/// Candidates come from the database by fingerprint. Their files are compared before the
/// transaction that stores the result; nothing changes in between, because the library has only one
/// writer.
struct ContentTwins {
    /// A photo with the fingerprint of an examined file.
    private struct Candidate: Equatable {
        let asset: Int64
        /// Nil when the photo has no file.
        let path: FilePath?
    }

    private let candidates: [[Candidate]]

    /// Those of no examinations.
    init() { candidates = [] }

    /// What nearly all batches have: no photo, and no other file of the batch, with any of the fingerprints.
    ///
    /// Nil if two of the files have the same one.
    init?(unlessEqual examinations: [Examination]) {
        let fingerprints = examinations.compactMap { examination in
            if case .picture(_, let fingerprint) = examination.finding { fingerprint } else { nil }
        }
        guard Set(fingerprints).count == fingerprints.count else { return nil }
        candidates = examinations.map { _ in [] }
    }

    /// Reads the candidates for each examination.
    init(_ examinations: [Examination], in database: Database) throws {
        candidates = try examinations.map { examination in
            guard case .picture(_, let fingerprint) = examination.finding else { return [] }
            return try Self.candidates(fingerprint, in: database)
        }
    }

    /// Whether the library still has the same candidates.
    func areCurrent(_ examinations: [Examination], in database: Database) throws -> Bool {
        try ContentTwins(examinations, in: database).candidates == candidates
    }

    /// Compares the files.
    ///
    /// - Parameter completely: Whether all bytes are compared, because one of the files may be removed.
    /// - Isolation: blocks as long as the file system goes on; not to be called in a transaction.
    func resolve(
        _ examinations: [Examination], in bounds: LibraryBounds, _ calls: DiskCalls,
        completely: Bool = false
    ) -> [ContentTwin?] {
        var earlier: [Fingerprint: [Int]] = [:]
        // Photos without a file to compare with, and the first file that was taken for each.
        var returned: [Int64: Int] = [:]
        return examinations.indices.map { index in
            guard case .picture(let facts, let fingerprint) = examinations[index].finding else {
                return nil
            }
            defer { earlier[fingerprint, default: []].append(index) }
            let file = examinations[index].file
            for known in candidates[index] {
                var comparison = compare(
                    known, file, facts.mediaType, in: bounds, calls, completely: completely)
                if comparison == .impossible {
                    guard let first = returned[known.asset] else {
                        // The file of the photo is gone, and one with its fingerprint is here.
                        returned[known.asset] = index
                        return .asset(known.asset)
                    }
                    let path = examinations[first].file.path
                    comparison = Self.compare(
                        path, file, facts.mediaType, in: bounds, calls, completely: completely)
                }
                switch comparison {
                case .different: continue
                case .same, .impossible: return .asset(known.asset)
                case .unfinished: return .unknown
                }
            }
            for other in earlier[fingerprint] ?? [] {
                let path = examinations[other].file.path
                switch Self.compare(
                    path, file, facts.mediaType, in: bounds, calls, completely: completely)
                {
                case .different: continue
                case .same, .impossible: return .earlier(other)
                case .unfinished: return .unknown
                }
            }
            return nil
        }
    }

    /// The photos with a fingerprint, the one first that all files with the same content belong to.
    ///
    /// Several photos have had the same content if one was that of another file of its shot. An adjusted
    /// version has no other photo; otherwise, a new library would give the first id.
    private static func candidates(
        _ fingerprint: Fingerprint, in database: Database
    ) throws -> [Candidate] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT asset.id, folder.path, file.name FROM asset
                LEFT JOIN file ON file.id = coalesce(asset.file, (
                    SELECT min(frame.id) FROM file AS frame
                    WHERE frame.asset = asset.id AND role = 0))
                LEFT JOIN folder ON folder.id = file.folder
                LEFT JOIN adjustment ON adjustment.asset = asset.id
                WHERE fingerprint = ?
                ORDER BY asset.file IS NULL, adjustment.asset IS NULL, key <> fingerprint, asset.id
                """)
        return try Row.fetchAll(statement, arguments: [Data(fingerprint.bytes)]).map { row in
            let folder = try row.get("path", Data?.self).map { FilePath($0) }
            let name = try row.get("name", Data?.self).flatMap { FilePath.Component($0) }
            return Candidate(
                asset: try row.get("id"),
                path: name.flatMap { folder?.appending($0) })
        }
    }

    /// The result of comparing two files with equal fingerprints.
    private enum Comparison {
        case same
        case different
        /// One of them cannot be read, usually because it has been moved and is now the other one.
        ///
        /// Then the equal fingerprints have to be enough.
        case impossible
        /// A disk does not answer.
        case unfinished
    }

    /// Compares a file with that of a photo.
    private func compare(
        _ candidate: Candidate, _ file: PendingFile, _ type: MediaType, in bounds: LibraryBounds,
        _ calls: DiskCalls, completely: Bool
    ) -> Comparison {
        guard let path = candidate.path else { return .impossible }
        return path == file.path
            ? .same : Self.compare(path, file, type, in: bounds, calls, completely: completely)
    }

    private static func compare(
        _ path: FilePath, _ file: PendingFile, _ type: MediaType, in bounds: LibraryBounds,
        _ calls: DiskCalls, completely: Bool
    ) -> Comparison {
        let place = DiskCalls.Place(path, device: nil)
        guard !calls.isSilent(place) else { return .unfinished }
        let outcome: DiskCalls.Outcome<Comparison, Int64> = calls.run(at: { _ in place }) {
            progress in
            do {
                let isSame = try Fingerprint.isSameContent(
                    bounds.open(path), bounds.open(file.path), of: type, size: file.state.size,
                    completely: completely, onRead: progress.note)
                return isSame ? .same : .different
            } catch {
                return .impossible
            }
        }
        guard case .done(let comparison) = outcome else { return .unfinished }
        return comparison
    }
}

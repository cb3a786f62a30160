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
}

/// Finds the files of a batch whose photos are already known.
///
/// Candidates come from the database by fingerprint. Their files are compared before the
/// transaction that stores the result; nothing changes in between, because the library has only one
/// writer.
struct ContentTwins {
    /// A photo with the fingerprint of an examined file.
    private struct Candidate {
        let asset: Int64
        /// Nil when the photo has no file.
        let path: FilePath?
    }

    private let candidates: [[Candidate]]

    /// Reads the candidates for each examination.
    init(_ examinations: [Examination], in database: Database) throws {
        candidates = try examinations.map { examination in
            guard case .picture(_, let fingerprint) = examination.finding else { return [] }
            return try Self.candidates(fingerprint, in: database)
        }
    }

    /// Compares the files.
    ///
    /// - Isolation: blocks as long as the file system goes on; not to be called in a transaction.
    func resolve(
        _ examinations: [Examination], in bounds: LibraryBounds, _ calls: DiskCalls
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
                if let isSame = isSame(known, file, facts.mediaType, in: bounds, calls) {
                    if isSame { return .asset(known.asset) }
                } else if let first = returned[known.asset] {
                    let path = examinations[first].file.path
                    if Self.isSameContent(path, file, facts.mediaType, in: bounds, calls) ?? true {
                        return .asset(known.asset)
                    }
                } else {
                    // The file of the photo is gone, and one with its fingerprint is here.
                    returned[known.asset] = index
                    return .asset(known.asset)
                }
            }
            return earlier[fingerprint]?.first {
                Self.isSameContent(
                    examinations[$0].file.path, file, facts.mediaType, in: bounds, calls)
                    ?? true
            }.map { .earlier($0) }
        }
    }

    private static func candidates(
        _ fingerprint: Fingerprint, in database: Database
    ) throws -> [Candidate] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT asset.id, folder.path, file.name FROM asset
                LEFT JOIN file ON file.id = asset.file
                LEFT JOIN folder ON folder.id = file.folder
                WHERE fingerprint = ?
                """)
        return try Row.fetchAll(statement, arguments: [Data(fingerprint.bytes)]).map { row in
            let folder = try row.get("path", Data?.self).map { FilePath($0) }
            let name = try row.get("name", Data?.self).flatMap { FilePath.Component($0) }
            return Candidate(
                asset: try row.get("id"),
                path: name.flatMap { folder?.appending($0) })
        }
    }

    /// Whether a file has the content of a photo; nil if there is nothing to compare it with.
    private func isSame(
        _ candidate: Candidate, _ file: PendingFile, _ type: MediaType, in bounds: LibraryBounds,
        _ calls: DiskCalls
    ) -> Bool? {
        guard let path = candidate.path else { return nil }
        return path == file.path ? true : Self.isSameContent(path, file, type, in: bounds, calls)
    }

    /// Compares two files; nil if one of them cannot be read, usually because it has been moved and
    /// is now the other one.
    ///
    /// Then the equal fingerprints have to be enough.
    private static func isSameContent(
        _ path: FilePath, _ file: PendingFile, _ type: MediaType, in bounds: LibraryBounds,
        _ calls: DiskCalls
    ) -> Bool? {
        calls.run(at: DiskCalls.Place(path, device: nil)) {
            do {
                return try Fingerprint.isSameContent(
                    bounds.open(path), bounds.open(file.path), of: type, size: file.state.size)
            } catch {
                return nil
            }
        } ?? nil
    }
}

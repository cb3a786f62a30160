// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
package import Photos

extension LibraryReader {
    /// The photos with these ids and, of each, the files that an app receives, in one read.
    ///
    /// If no filter accepts the primary file but one accepts a raw file beside it, that is the only
    /// file, and the facts of the photo are those of the raw file. A photo of which nothing is accepted
    /// comes with its primary files.
    ///
    /// - Parameters:
    ///   - version: Which version of primary files.
    ///   - filters: The first one that accepts any file of a photo decides.
    /// - Returns: A dictionary without entries for unknown ids.
    package func located(
        _ ids: [AssetID], _ version: AssetVersion = .current, acceptedBy filters: [MediaFilter]
    ) async throws(LibraryError) -> [AssetID: LocatedAsset] {
        guard !ids.isEmpty else { return [:] }
        return try await read("read photos and their names") { [adjusted] database in
            var found: [AssetID: LocatedAsset] = [:]
            for id in ids {
                guard let asset = try Asset.fetch(id, database) else { continue }
                let shown = LocatedAsset(
                    asset: asset,
                    files: try LocatedFile.fetchAll(
                        of: id, version, adjustedIn: adjusted, database))
                let type = filters.acceptedType(of: asset)
                let raw = try type.flatMap { type in
                    type == asset.mediaType ? nil : try shown.raw(of: type, version, database)
                }
                found[id] = raw ?? shown
            }
            return found
        }
    }
}

extension LocatedAsset {
    /// Whether people who saw this version saw the photo as the library knows it; true for nil, and
    /// wherever the version of the file itself decides.
    package func isShown(in version: FileVersion?) -> Bool {
        guard let version, let pictures else { return true }
        return pictures.contains { $0.seen == version }
    }

    /// The version of a file that may be delivered to an app after people saw this one; nil for any.
    ///
    /// Nobody sees a raw file beside a picture: it is delivered as the library knows it. On a file system that
    /// does not tell when the status of a file changed, no version is known, of pictures neither.
    package func deliverable(after shown: FileVersion?) -> FileVersion? {
        pictures == nil ? shown : files.first?.seen
    }

    /// The first raw file of a type as the only file of the photo; nil if there is none.
    ///
    /// None stands in for an adjusted version: it shows what the person may have cut off.
    fileprivate func raw(
        of type: MediaType, _ version: AssetVersion, _ database: Database
    ) throws -> LocatedAsset? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT asset.key, resource.mediaType, resource.width, resource.height,
                    resource.date, resource.hasCaptureDate, NULL, 0, 0, NULL,
                    folder.path, file.name, status, device, inode, size, modified, changed
                FROM asset JOIN file ON file.asset = asset.id
                JOIN resource ON resource.file = file.id JOIN folder ON folder.id = file.folder
                WHERE asset.key = ? AND resource.mediaType = ? AND (
                    ? OR NOT EXISTS (SELECT 1 FROM adjustment WHERE adjustment.asset = asset.id))
                ORDER BY file.id LIMIT 1
                """)
        let row = try Row.fetchOne(
            statement, arguments: [Data(asset.id.bytes), type.rawValue, version == .original])
        guard let row, let asset = try Asset(row), let file = try LocatedFile(row) else {
            return nil
        }
        return LocatedAsset(asset: asset, files: [file], pictures: files)
    }
}

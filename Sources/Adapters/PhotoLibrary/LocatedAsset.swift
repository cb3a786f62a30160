// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
package import Photos
package import SystemPackage

/// A photo and its files.
package struct LocatedAsset: Hashable, Sendable {
    package let asset: Asset
    /// The files that the library knows, best first.
    package var files: [LocatedFile]
    /// The files of the picture that people see, if ``files`` has a raw file beside it; otherwise nil.
    var pictures: [LocatedFile]?

    package var paths: [FilePath] { files.map(\.path) }

    package init(asset: Asset, files: [LocatedFile], pictures: [LocatedFile]? = nil) {
        self.asset = asset
        self.files = files
        self.pictures = pictures
    }
}

/// A file of a photo.
package struct LocatedFile: Hashable, Sendable {
    package let path: FilePath
    /// The name for people and apps: the file's own, or for an adjusted version that of the original, with
    /// another extension if it has another type.
    package let name: FilePath.Component
    /// The version that the library saw last, although it may not have examined it yet; nil if it is not
    /// known.
    package let seen: FileVersion?
    /// The version that the library's facts of the photo are from; nil if it is not known.
    package let examined: FileVersion?
    /// Whether it is an adjusted version, which belongs to the library and not to the person's folders.
    package var isAdjusted = false

    package init(
        path: FilePath, name: FilePath.Component, seen: FileVersion?, examined: FileVersion?,
        isAdjusted: Bool = false
    ) {
        self.path = path
        self.name = name
        self.seen = seen
        self.examined = examined
        self.isAdjusted = isAdjusted
    }
}

extension LocatedFile {
    /// The files of a photo in the person's folders that have a role, best first.
    static func originals(
        of id: AssetID, _ role: ResourceRole, _ database: Database
    ) throws -> [LocatedFile] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT folder.path, file.name, status, device, inode, size, modified, changed
                FROM file JOIN asset ON asset.id = file.asset JOIN folder ON folder.id = file.folder
                WHERE asset.key = ? AND role = ? ORDER BY file.id
                """)
        return try Row.fetchAll(statement, arguments: [Data(id.bytes), role.column])
            .compactMap { try LocatedFile($0) }
    }

    /// Nil if the name cannot be one.
    init?(_ row: Row) throws {
        guard let name = try FilePath.Component(row.get("name", Data.self)) else { return nil }
        let status = Schema.FileStatus(rawValue: try row.get("status"))
        let version = try FileState(row).version
        self.init(
            path: FilePath(try row.get("path", Data.self)).appending(name), name: name,
            seen: version, examined: status == .asset ? version : nil)
    }
}

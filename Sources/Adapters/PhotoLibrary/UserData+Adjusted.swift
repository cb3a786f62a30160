// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import Photos
internal import SystemPackage

extension UserData.Adjusted {
    /// Those in the database, in the order of their photos.
    static func fetchAll(in database: Database) throws -> [UserData.Adjusted] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT key, adjustment.name, dataName, format, adjustment.version,
                    adjustment.mediaType, adjustment.width, adjustment.height,
                    adjustment.isAnimated, adjustment.milliseconds, adjustment.colour
                FROM adjustment JOIN asset ON asset.id = adjustment.asset ORDER BY adjustment.asset
                """
        ).map { row in
            UserData.Adjusted(
                id: UserData.text(try row.get("key")),
                file: String(decoding: try row.get("name", Data.self), as: UTF8.self),
                data: String(decoding: try row.get("dataName", Data.self), as: UTF8.self),
                format: try row.get("format"), version: try row.get("version"),
                type: try row.get("mediaType"), width: try row.get("width"),
                height: try row.get("height"), animated: try row.get("isAnimated"),
                milliseconds: try row.get("milliseconds"), colour: try row.get("colour"))
        }
    }

    /// Puts it into a database that has no photos yet.
    ///
    /// The state of its file is found out when the library is next compared with the disk, and so are the
    /// facts of the original.
    func store(for asset: Int64, in database: Database) throws {
        guard let name = Self.name(file), let dataName = Self.name(data),
            let type = MediaType(type)
        else { return }
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO adjustment (asset, name, dataName, format, version,
                    device, inode, size, modified, changed,
                    mediaType, width, height, isAnimated, milliseconds, colour,
                    originalType, originalWidth, originalHeight, originalIsAnimated)
                VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, 0, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)
                """,
            arguments: [
                asset, name.data, dataName.data, format, version, type.rawValue, max(0, width),
                max(0, height), animated, milliseconds, colour, LibraryTransaction.unknownType,
            ])
    }

    /// The name of a file in the folder; nil for anything else.
    private static func name(_ text: String) -> FilePath.Component? {
        FilePath.Component(text).flatMap { $0.kind == .regular ? $0 : nil }
    }
}

// SPDX-License-Identifier: MIT

internal import Files
internal import Foundation
internal import GRDB
package import Photos
internal import SystemPackage

/// The adjusted version of a photo, on its way into the library.
///
/// Two files have their names already: the picture, and the data that tells how it was made. Rows of
/// the table `arrival` say that they are to be removed, until the change set takes these rows away in its
/// own transaction. A version that is replaced or reverted gets such rows again. So there are the
/// row of the table `adjustment` and its files, or neither, whatever interrupts this.
package struct AdjustmentDraft: Sendable {
    let picture: ArrivalDraft
    let data: ArrivalDraft
    let state: FileState
    let facts: ImageFacts
    let format: String
    let version: String

    var drafts: [ArrivalDraft] { [picture, data] }
}

/// A row of the table `adjustment`, with what the library reads of it.
struct Adjustment: Sendable {
    /// The name of the picture in the folder of adjusted versions.
    let name: FilePath.Component
    /// The name of the data that tells how it was made.
    let dataName: FilePath.Component
    let format: String
    let version: String
    let state: FileState
    /// Whether its media type is another one than the original's.
    let hasOtherType: Bool

    /// What ``init(_:)`` reads of the table.
    static let columns = """
        name, dataName, format, version, device, inode, size, modified, changed,
        mediaType, originalType
        """

    /// That of a photo; nil if it has none.
    init?(of id: AssetID, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(Self.columns) FROM adjustment
                WHERE asset = (SELECT id FROM asset WHERE key = ?)
                """)
        guard let row = try Row.fetchOne(statement, arguments: [Data(id.bytes)]) else {
            return nil
        }
        try self.init(row)
    }

    init?(_ row: Row) throws {
        guard let name = FilePath.Component(try row.get("name", Data.self)),
            let dataName = FilePath.Component(try row.get("dataName", Data.self))
        else { return nil }
        self.name = name
        self.dataName = dataName
        format = try row.get("format")
        version = try row.get("version")
        state = try FileState(row)
        hasOtherType =
            try row.get("mediaType", String.self) != row.get("originalType", String.self)
    }

    /// The name for people and apps, who know the photo by that of its original.
    func name(after original: FilePath.Component) -> FilePath.Component {
        guard hasOtherType else { return original }
        var path = FilePath(root: nil, [original])
        path.extension = name.extension
        return path.lastComponent ?? original
    }
}

extension LocatedFile {
    /// The files of a version of a photo, best first.
    ///
    /// Whatever shows, delivers or opens a photo finds its files here. While there is an adjusted version,
    /// the original is no substitute for it: it may show what the person cut off.
    ///
    /// - Parameter folder: The folder of adjusted versions.
    static func fetchAll(
        of id: AssetID, _ version: AssetVersion, adjustedIn folder: FilePath, _ database: Database
    ) throws -> [LocatedFile] {
        guard version == .current, let adjustment = try Adjustment(of: id, in: database) else {
            return try originals(of: id, .primary, database)
        }
        let version = adjustment.state.version
        let original = try originals(of: id, .primary, database).first
        return [
            LocatedFile(
                path: folder.appending(adjustment.name),
                name: original.map { adjustment.name(after: $0.name) } ?? adjustment.name,
                seen: version, examined: version, isAdjusted: true)
        ]
    }
}

// MARK: - Reading

extension LibraryReader {
    /// How the current version of a photo was made; nil if that is the original, or if the file that tells
    /// it is gone.
    ///
    /// - Throws: ``LibraryError``, `.failed` if the data cannot be read.
    /// - Isolation: blocks a thread of the pool while it reads a small file of the library's own.
    package func adjustment(of id: AssetID) async throws(LibraryError) -> AdjustmentData? {
        let found = try await read("read an adjustment") { try Adjustment(of: id, in: $0) }
        guard let found else { return nil }
        do throws(Errno) {
            let bytes = try Descriptor.openForReading(adjusted.appending(found.dataName))
                .read(upTo: AdjustmentData.mostBytes)
            return AdjustmentData(format: found.format, version: found.version, data: bytes)
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            throw LibraryError(code: .failed, operation: "read an adjustment", cause: error)
        }
    }
}

// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB

/// The names of sidecar files: `NAME.xmp` and `NAME.EXTENSION.xmp` beside the photo `NAME.EXTENSION`.
///
/// - Source: the names that Lightroom and Bridge, and darktable and digiKam write.
enum SidecarName {
    private static let suffixes = [".xmp", ".XMP"].map { Data($0.utf8) }
    private static let lastLetters = [UInt8(ascii: "p"), UInt8(ascii: "P")]
    private static let dot = UInt8(ascii: ".")

    /// Whether a file with this name may be a sidecar file.
    static func isPossible(_ name: Data) -> Bool {
        // Most names differ in the last letter.
        guard name.count > 4, let last = name.last, lastLetters.contains(last) else { return false }
        return suffixes.contains { name.suffix(4).elementsEqual($0) }
    }

    /// The four names that sidecar files of a photo may have; a later one counts more.
    static func names(of photo: Data) -> [Data] {
        let end = photo.lastIndex(of: dot) ?? photo.endIndex
        let stem = end > photo.startIndex ? Data(photo[..<end]) : photo
        return [stem, photo].flatMap { stem in suffixes.map { stem + $0 } }
    }

    /// The names of the photos that a sidecar file may belong to: one name, and a range of names.
    static func photos(of sidecar: Data) -> (exact: Data, first: Data, end: Data) {
        let stem = Data(sidecar.dropLast(4))
        // The next character is the slash, which is part of no name.
        return (stem, stem + [dot], stem + [dot + 1])
    }

    /// The photos in a folder that a sidecar file may belong to.
    static func assets(
        beside sidecar: Data, in folder: Int64, _ database: Database
    ) throws -> [Int64] {
        let names = photos(of: sidecar)
        return try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT DISTINCT asset FROM file
                    WHERE folder = ? AND asset IS NOT NULL
                    AND (name = ? OR name >= ? AND name < ?)
                    """), arguments: [folder, names.exact, names.first, names.end])
    }
}

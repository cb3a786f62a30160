// SPDX-License-Identifier: MIT

package import Files
package import SystemPackage

/// The small images that scripts/make-fixtures makes.
package enum Fixtures {
    package static func path(_ name: String) -> FilePath {
        Programs.source.appending("Tests").appending("Fixtures")
            .appending(FilePath(name).components)
    }

    package static func open(_ name: String) throws -> Descriptor {
        try Descriptor.openForReading(path(name))
    }

    package static func bytes(_ name: String) throws -> [UInt8] {
        try open(name).read(upTo: 1 << 22)
    }
}

/// Files of the real and broken images that developers and CI have.
package enum Corpora {
    /// Skips tests where the images are missing, and says so; in CI they are not.
    package static let areAvailable: Bool = {
        precondition(
            Programs.corpora != nil || environmentVariable("PHOTO_PORTAL_CI") == nil,
            "PHOTO_PORTAL_CORPORA is not set")
        return Programs.corpora != nil
    }()

    package static let skipReason =
        "PHOTO_PORTAL_CORPORA does not name a folder of test images"

    /// What exiftool says of an intact file.
    package struct Entry: Sendable, CustomStringConvertible {
        package let name: String
        package let path: FilePath
        package let fields: [String: String]

        package var description: String { name }
    }

    /// The lines of `manifest.csv`; none without the images.
    package static let manifest: [Entry] = {
        guard let folder = Programs.corpora,
            let bytes = try? Descriptor.openForReading(folder.appending("manifest.csv"))
                .read(upTo: 1 << 20)
        else { return [] }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        guard let header = lines.first else { return [] }
        return lines.dropFirst().map { line in
            Entry(
                name: line[0], path: folder.appending(FilePath(line[0]).components),
                fields: Dictionary(zip(header, line)) { first, _ in first })
        }
    }()

    /// All files below some folders of the corpora.
    package static func files(in folders: String...) -> [Entry] {
        guard let root = Programs.corpora else { return [] }
        return folders.flatMap { folder in
            names(in: root.appending(FilePath(folder).components)).map { name in
                let relative = FilePath(folder).appending(name)
                return Entry(
                    name: relative.string, path: root.appending(relative.components), fields: [:])
            }
        }.sorted { $0.name < $1.name }
    }
}

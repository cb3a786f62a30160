// SPDX-License-Identifier: MIT

package import SystemPackage

/// The folders that the library shows.
package struct LibraryRoots: Hashable, Sendable {
    /// Folders for pictures; together they are the album `all`.
    package var pictures: [FilePath]
    /// Folders that contain pictures among other files; each is an album of its own.
    package var others: [FilePath]
    /// Folders that are left out, wherever they are.
    package var excluded: Set<FilePath>
    /// The folder of adjusted versions, whose photos have their originals in the other folders.
    package var adjusted: FilePath?

    package init(
        pictures: [FilePath], others: [FilePath] = [], excluded: Set<FilePath> = [],
        adjusted: FilePath? = nil
    ) {
        self.pictures = pictures
        self.others = others
        self.excluded = excluded
        self.adjusted = adjusted
    }

    package var all: [FilePath] { pictures + others }

    /// The roots but some, which are left out wherever they are.
    func without(_ silent: Set<FilePath>) -> LibraryRoots {
        LibraryRoots(
            pictures: pictures.filter { !silent.contains($0) },
            others: others.filter { !silent.contains($0) }, excluded: excluded.union(silent))
    }

    /// The roots that a path leads through.
    func containing(_ path: FilePath) -> LibraryRoots {
        LibraryRoots(
            pictures: pictures.filter { path.starts(with: $0) },
            others: others.filter { path.starts(with: $0) }, excluded: excluded)
    }
}

/// Whether a folder's photos belong to the album `all`.
enum FolderKind: Int {
    case pictures = 0
    case other = 1
}

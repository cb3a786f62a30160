// SPDX-License-Identifier: MIT

import Files
import SystemPackage

/// Where a file comes from, as far as trust differs.
///
/// Files of different origins do not share a decoder process: a file from a stranger cannot change how
/// the person's own photos look.
package enum FileOrigin: Hashable, CaseIterable, Sendable {
    /// The folders in which people collect their photos and videos.
    case collection
    /// Downloads, removable disks, caches, and all other places.
    case elsewhere
}

/// The folders of the person's collection.
struct CollectionFolders: Sendable {
    private let folders: [FilePath]

    /// - Parameter folders: Absolute paths; a folder that does not exist contains nothing.
    init(_ folders: [FilePath]) {
        self.folders = folders.compactMap { folder in
            // An open file is known by its resolved path.
            (try? Descriptor.openForReading(folder))?.resolvedPath
        }
    }

    func origin(of file: Descriptor) -> FileOrigin {
        guard let path = file.resolvedPath else { return .elsewhere }
        return folders.contains { path.starts(with: $0) } ? .collection : .elsewhere
    }
}

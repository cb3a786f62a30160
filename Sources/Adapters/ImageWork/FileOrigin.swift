// SPDX-License-Identifier: MIT

import Files
import Processes
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
    /// The paths with links resolved, because an open file is known by such a path.
    private let places: Task<[FilePath], Never>

    /// A folder whose disk takes longer to answer counts as one elsewhere.
    private static let patience = Duration.seconds(2)

    /// Begins to resolve the folders, without waiting for that: a program has to start even if a disk
    /// does not answer.
    ///
    /// - Parameter folders: Absolute paths; a folder that does not exist contains nothing.
    init(_ folders: [FilePath]) {
        places = Task {
            await withTaskGroup(of: FilePath?.self) { group in
                for folder in folders {
                    group.addTask {
                        await FileCalls.shared.run(on: folder, within: Self.patience) { _ in
                            (try? Place(folder))?.path
                        } ?? nil
                    }
                }
                return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
            }
        }
    }

    func origin(of file: Descriptor) async -> FileOrigin {
        guard let path = file.resolvedPath else { return .elsewhere }
        return await places.value.contains { path.starts(with: $0) } ? .collection : .elsewhere
    }
}

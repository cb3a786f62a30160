// SPDX-License-Identifier: MIT

internal import Files
internal import SystemPackage

/// What a folder holds, as far as the library cares.
struct FolderListing: Sendable {
    let path: FilePath
    let kind: FolderKind
    let files: [Directory.Entry]
}

/// Visits folders and what lies below them, each once.
///
/// Left out are hidden names, folders with a file `.nomedia`, excluded folders, and those that
/// cannot be read. Links to folders are followed; one that leads back is not a loop, because the
/// folder it leads to was visited.
struct FolderWalk {
    private struct Identity: Hashable {
        let device: DeviceID
        let inode: Inode

        init(_ information: Stat) {
            device = information.deviceID
            inode = information.inode
        }
    }

    private var waiting: [(path: FilePath, kind: FolderKind)]
    private var visited: Set<Identity> = []
    private let excluded: Set<FilePath>

    /// Prepares to visit all roots.
    init(_ roots: LibraryRoots) {
        // Taken from the end: picture roots first, so that theirs wins where roots overlap.
        waiting =
            roots.others.reversed().map { ($0, .other) }
            + roots.pictures.reversed().map { ($0, .pictures) }
        excluded = roots.excluded
    }

    /// Prepares to visit one folder, and those below it that are new.
    init(_ folder: FilePath, kind: FolderKind, excluded: Set<FilePath>) {
        waiting = [(folder, kind)]
        self.excluded = excluded
    }

    /// The next folder; nil when all were visited.
    ///
    /// - Isolation: any thread; blocks as long as the file system does.
    mutating func next() -> FolderListing? {
        while let (path, kind) = waiting.popLast() {
            guard !excluded.contains(path), let information = try? path.stat(),
                visited.insert(Identity(information)).inserted,
                let entries = try? Directory.entries(of: path),
                !entries.contains(where: { $0.name.string == ".nomedia" })
            else { continue }
            let visible = entries.filter { !$0.isHidden }
            for entry in visible where entry.information.type == .directory {
                waiting.append((path.appending(entry.name), kind))
            }
            return FolderListing(
                path: path, kind: kind, files: visible.filter { $0.information.type == .regular })
        }
        return nil
    }
}

extension Directory.Entry {
    fileprivate var isHidden: Bool {
        name.withPlatformString { $0.pointee == CInterop.PlatformChar(UInt8(ascii: ".")) }
    }
}

// SPDX-License-Identifier: MIT

internal import Files
internal import SystemPackage

/// The files in a folder that matter to the library.
struct FolderListing: Sendable {
    let path: FilePath
    let kind: FolderKind
    let files: [Directory.Entry]
}

/// Visits folders and everything below them, each folder once.
///
/// Leaves out hidden names, folders that contain a file `.nomedia`, excluded folders, and folders
/// that we may not read. Follows links to folders; a link to a parent cannot cause a loop, because
/// each folder is visited only once.
struct FolderWalk {
    private struct Identity: Hashable {
        let device: DeviceID
        let inode: Inode

        init(_ information: Stat) {
            device = information.deviceID
            inode = information.inode
        }
    }

    /// Folders that exist but could not be read; their photos must be kept.
    private(set) var failures: [(path: FilePath, error: Errno)] = []
    private var waiting: [(path: FilePath, kind: FolderKind)]
    private var visited: Set<Identity> = []
    private let excluded: Set<FilePath>

    /// Prepares to visit all roots.
    init(_ roots: LibraryRoots) {
        // Folders are taken from the end, so picture roots come first and decide the kind of an
        // overlap.
        waiting =
            roots.others.reversed().map { ($0, .other) }
            + roots.pictures.reversed().map { ($0, .pictures) }
        excluded = roots.excluded
    }

    /// Prepares to visit one folder and the folders below it.
    init(_ folder: FilePath, kind: FolderKind, excluded: Set<FilePath>) {
        waiting = [(folder, kind)]
        self.excluded = excluded
    }

    /// The next folder; nil when all were visited.
    ///
    /// - Isolation: any thread; blocks as long as the file system does.
    mutating func next() -> FolderListing? {
        while let (path, kind) = waiting.popLast() {
            guard !excluded.contains(path), let entries = entries(of: path),
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

    /// Lists a folder; nil if it was visited before or contains nothing for the library.
    private mutating func entries(of path: FilePath) -> [Directory.Entry]? {
        do {
            let information = try withErrno { try path.stat() }
            guard visited.insert(Identity(information)).inserted else { return nil }
            return try Directory.entries(of: path)
        } catch {
            if !error.meansNoFolder { failures.append((path, error)) }
            return nil
        }
    }
}

extension Directory.Entry {
    fileprivate var isHidden: Bool {
        name.withPlatformString { $0.pointee == CInterop.PlatformChar(UInt8(ascii: ".")) }
    }
}

extension Errno {
    /// Whether the error means that a path leads to no folder or to one we may not read, rather
    /// than to a folder that cannot be read at the moment.
    fileprivate var meansNoFolder: Bool {
        switch self {
        case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .permissionDenied:
            true
        default: false
        }
    }
}

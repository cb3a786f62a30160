// SPDX-License-Identifier: MIT

internal import Files
internal import SystemPackage

/// The files in a folder that matter to the library.
struct FolderListing: Sendable {
    let path: FilePath
    let kind: FolderKind
    let files: [Directory.Entry]
    /// Names that could not be examined; what the library knows of them stays.
    let unknown: [FilePath.Component]
}

/// Visits folders and everything below them, each folder once.
///
/// Leaves out hidden names, folders that contain a file `.nomedia`, excluded folders, folders that
/// we may not read, and links that lead out of the roots. Follows other links to folders; a link to
/// a parent cannot cause a loop, because each folder is visited only once.
struct FolderWalk {
    private struct Visit {
        let path: FilePath
        let kind: FolderKind
        let depth: Int
    }

    /// Folders and files that exist but could not be read; what the library knows of them stays.
    private(set) var failures: [(path: FilePath, error: Errno)] = []
    /// The folders that could not be read, at least not completely.
    private(set) var unread: Set<FilePath> = []
    /// The folders visited so far, and those of earlier walks, by what they are on the disk.
    private(set) var places: [FileIdentity: FilePath]
    private var waiting: [Visit]
    private var visited: Set<FileIdentity> = []
    private let bounds: LibraryBounds

    /// Prepares to visit all roots.
    ///
    /// - Parameter silent: Roots on a disk that does not answer; they count as folders that could not
    ///   be read.
    init(_ roots: LibraryRoots, leavingOut silent: Set<FilePath>, in bounds: LibraryBounds) {
        let roots = roots.without(silent)
        // Folders are taken from the end, so picture roots come first and decide the kind of an
        // overlap.
        waiting =
            roots.others.reversed().map { Visit(path: $0, kind: .other, depth: 0) }
            + roots.pictures.reversed().map { Visit(path: $0, kind: .pictures, depth: 0) }
        places = [:]
        self.bounds = bounds
        failures = silent.map { (path: $0, error: .timedOut) }
        unread = silent
    }

    /// Prepares to visit one folder and the folders below it.
    ///
    /// - Parameter places: Folders that were visited before. A folder that is still there under
    ///   another path is not visited under this one.
    init(
        _ folder: FilePath, kind: FolderKind, in bounds: LibraryBounds,
        places: [FileIdentity: FilePath]
    ) {
        waiting = [Visit(path: folder, kind: kind, depth: bounds.depth(of: folder))]
        self.places = places
        self.bounds = bounds
    }

    /// The next folder; nil when all were visited.
    ///
    /// - Parameter willList: Called before a folder is read, so that no change is missed that
    ///   happens afterwards; not called for folders that are out of bounds.
    /// - Isolation: any thread; blocks as long as the file system does.
    mutating func next(willList: (FilePath, Descriptor) -> Void = { _, _ in }) -> FolderListing? {
        while let visit = waiting.popLast() {
            guard let (folder, listing) = list(visit, willList),
                !listing.entries.contains(where: { $0.name.string == ".nomedia" })
            else { continue }
            let visible = listing.entries.filter { !$0.name.isHidden }
            if visit.depth < LibraryBounds.maximumDepth {
                for entry in visible where entry.information.type == .directory {
                    waiting.append(
                        Visit(
                            path: visit.path.appending(entry.name), kind: visit.kind,
                            depth: visit.depth + 1))
                }
            }
            let files = visible.filter { entry in
                entry.information.type == .regular
                    && (!entry.isLink || isAdmitted(entry, in: folder, visit.path))
            }
            return FolderListing(
                path: visit.path, kind: visit.kind, files: files,
                unknown: listing.unknown.map(\.name))
        }
        return nil
    }

    /// Lists a folder; nil if it was visited before or contains nothing for the library.
    private mutating func list(
        _ visit: Visit, _ willList: (FilePath, Descriptor) -> Void
    ) -> (Descriptor, Directory.Listing)? {
        do {
            let folder = try Descriptor.openFolder(visit.path)
            let identity = FileIdentity(try folder.information())
            guard bounds.admitFolder(folder), visited.insert(identity).inserted,
                isFirst(identity, at: visit.path)
            else { return nil }
            places[identity] = visit.path
            willList(visit.path, folder)
            // Those are not even looked at, because their disk may not answer.
            let excluded = bounds.excludedNames(in: folder)
            let listing = try Directory.listing(of: folder, without: excluded.contains)
            failures += listing.unknown.map {
                (path: visit.path.appending($0.name), error: $0.error)
            }
            if !listing.unknown.isEmpty { unread.insert(visit.path) }
            return (folder, listing)
        } catch {
            if !error.meansNoFolder {
                failures.append((path: visit.path, error: error))
                unread.insert(visit.path)
            }
            return nil
        }
    }

    /// Whether a folder is not known, and still there, under another path.
    private func isFirst(_ folder: FileIdentity, at path: FilePath) -> Bool {
        guard let other = places[folder], other != path else { return true }
        return FileIdentity(of: other) != folder
    }

    private func isAdmitted(
        _ entry: Directory.Entry, in folder: Descriptor, _ path: FilePath
    ) -> Bool {
        // A link whose target has just gone leads nowhere.
        guard let place = try? Place(entry.name, in: folder) else { return false }
        return bounds.admitFile(place, named: path.appending(entry.name))
    }
}

extension Errno {
    /// Whether the error means that a path leads to no folder or to one we may not read, rather
    /// than to a folder that cannot be read at the moment.
    fileprivate var meansNoFolder: Bool {
        switch self {
        case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .permissionDenied,
            .fileNameTooLong:
            true
        default: false
        }
    }
}

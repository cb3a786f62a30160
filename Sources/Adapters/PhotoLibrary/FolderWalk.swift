// SPDX-License-Identifier: MIT

internal import Files
internal import Processes
internal import SystemPackage

/// The files in a folder that matter to the library.
struct FolderListing: Sendable {
    let path: FilePath
    let kind: FolderKind
    let files: [Directory.Entry]
    /// Names that could not be examined; what the library knows of them stays.
    let unknown: [FilePath.Component]
}

/// Where folders are: each at one path, and at each path one folder.
struct FolderPlaces: Sendable {
    private var paths: [FileIdentity: FilePath] = [:]
    private var folders: [FilePath: FileIdentity] = [:]

    /// The path at which a folder was seen last, unless another one has been seen there since.
    subscript(folder: FileIdentity) -> FilePath? { paths[folder] }

    /// Notes that a folder is at a path, in the place of any other.
    mutating func note(_ folder: FileIdentity, at path: FilePath) {
        if let former = folders[path], former != folder { paths[former] = nil }
        if let former = paths[folder], former != path { folders[former] = nil }
        folders[path] = folder
        paths[folder] = path
    }
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
        /// The folder that was seen there, if its parent has been read.
        var identity: FileIdentity?
    }

    /// Folders and files that exist but could not be read; what the library knows of them stays.
    private(set) var failures: [(path: FilePath, error: Errno)] = []
    /// The folders that could not be read, at least not completely; without those on a disk that
    /// does not answer.
    private(set) var unread: Set<FilePath> = []
    /// The number of folders whose names were read.
    private(set) var readCount = 0
    /// Why a folder is not watched.
    private(set) var watchError: Errno?
    /// Where the folders visited so far are, and those of earlier walks.
    private(set) var places: FolderPlaces
    /// Folders that were found, but not visited because they are settled.
    private(set) var settled: Set<FilePath> = []
    private var waiting: [Visit]
    private var visited: Set<FileIdentity> = []
    private let bounds: LibraryBounds
    private let calls: DiskCalls
    private let watch: FolderWatch?

    /// Prepares to visit all roots.
    ///
    /// - Parameters:
    ///   - silent: Roots on a disk that does not answer; they count as folders that could not be
    ///     read.
    ///   - calls: Makes the calls to the disks.
    ///   - watch: Watches each folder from before it is read.
    init(
        _ roots: LibraryRoots, leavingOut silent: Set<FilePath>, in bounds: LibraryBounds,
        _ calls: DiskCalls, _ watch: FolderWatch?
    ) {
        let roots = roots.without(silent)
        // Folders are taken from the end, so picture roots come first and decide the kind of an
        // overlap.
        waiting =
            roots.others.reversed().map { Visit(path: $0, kind: .other, depth: 0) }
            + roots.pictures.reversed().map { Visit(path: $0, kind: .pictures, depth: 0) }
        places = FolderPlaces()
        self.bounds = bounds
        self.calls = calls
        self.watch = watch
        failures = silent.map { (path: $0, error: .timedOut) }
        unread = silent
    }

    /// Prepares to visit one folder and the folders below it.
    ///
    /// - Parameter places: Folders that were visited before. A folder that is still there under
    ///   another path is not visited under this one.
    init(
        _ folder: FilePath, kind: FolderKind, in bounds: LibraryBounds,
        places: FolderPlaces, _ calls: DiskCalls, _ watch: FolderWatch?
    ) {
        waiting = [Visit(path: folder, kind: kind, depth: bounds.depth(of: folder))]
        self.places = places
        self.bounds = bounds
        self.calls = calls
        self.watch = watch
    }

    /// The next folder; nil when all were visited.
    ///
    /// - Parameter isSettled: Whether a folder need not be visited, if it is still the one that was
    ///   visited under this path before.
    /// - Isolation: any thread; blocks as long as the file system goes on.
    mutating func next(
        skipping isSettled: (FilePath) -> Bool = { _ in false }
    ) -> FolderListing? {
        while let visit = waiting.popLast() {
            guard let content = read(visit), !content.isLeftOut else { continue }
            if visit.depth < LibraryBounds.maximumDepth {
                for (name, identity) in content.folders {
                    let path = visit.path.appending(name)
                    if places[identity] == path, isSettled(path) {
                        settled.insert(path)
                        continue
                    }
                    waiting.append(
                        Visit(
                            path: path, kind: visit.kind, depth: visit.depth + 1,
                            identity: identity))
                }
            }
            return FolderListing(
                path: visit.path, kind: visit.kind, files: content.files,
                unknown: content.unknown.map(\.name) + content.silent)
        }
        return nil
    }

    /// Reads a folder; nil if it was visited before or contains nothing for the library.
    private mutating func read(_ visit: Visit) -> FolderReading.Content? {
        let reading = FolderReading(path: visit.path, bounds: bounds, calls: calls)
        do throws(Errno) {
            guard let opened = try open(visit, reading)?.get() else {
                failures.append((path: visit.path, error: .timedOut))
                return nil
            }
            guard opened.isAdmitted, visited.insert(opened.identity).inserted,
                isFirst(opened.identity, at: visit.path)
            else { return nil }
            places.note(opened.identity, at: visit.path)
            readCount += 1
            guard let content = try reading.list(opened, watch)?.get() else {
                failures.append((path: visit.path, error: .timedOut))
                return nil
            }
            note(content, of: visit.path)
            return content
        } catch {
            if !error.meansNoFolder {
                failures.append((path: visit.path, error: error))
                unread.insert(visit.path)
            }
            return nil
        }
    }

    /// Opens a folder, and lists it at once if it was not visited before.
    private func open(
        _ visit: Visit, _ reading: FolderReading
    ) -> Result<FolderReading.Opened, Errno>? {
        guard let identity = visit.identity, !visited.contains(identity),
            (places[identity] ?? visit.path) == visit.path
        else { return reading.open(device: visit.identity?.device) }
        return reading.open(expecting: identity, watch)
    }

    private mutating func note(_ content: FolderReading.Content, of path: FilePath) {
        failures += content.unknown.map { (path: path.appending($0.name), error: $0.error) }
        failures += content.silent.map { (path: path.appending($0), error: .timedOut) }
        if !content.unknown.isEmpty { unread.insert(path) }
        // A folder that is gone needs no watch; its parent reports that.
        if let error = content.watchError, error != .noSuchFileOrDirectory { watchError = error }
    }

    /// Whether a folder is not known, and still there, under another path.
    private func isFirst(_ folder: FileIdentity, at path: FilePath) -> Bool {
        guard let other = places[folder], other != path else { return true }
        // What does not answer is still there.
        let isElsewhere = calls.run(at: DiskCalls.Place(other, device: nil)) {
            FileIdentity(of: other) != folder
        }
        return isElsewhere ?? false
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

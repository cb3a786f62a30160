// SPDX-License-Identifier: MIT

package import Files
package import SystemPackage

/// Decides which files and folders belong to the library, whatever links their paths contain.
///
/// A link may lead to another place below a root. One that leads out of the roots is not followed:
/// whoever may write to a single folder, such as an app to Downloads, could otherwise add anything to
/// the library. Files are looked up first and judged by the path that the kernel then names, so that
/// nothing can be exchanged between the check and the use.
///
/// The roots are resolved once; make new bounds for each walk.
package struct LibraryBounds: Sendable {
    /// How deep below a root folders are visited; a file system can pretend to have no end.
    static let maximumDepth = 64

    private struct Root: Sendable {
        let path: FilePath
        /// The path with links resolved.
        let place: FilePath
    }

    private let roots: [Root]
    /// Folders that are left out, with links resolved.
    private let excluded: [FilePath]

    /// Resolves the roots.
    ///
    /// - Parameter own: Further folders that are left out.
    /// - Isolation: blocks as long as the file systems of the roots do, and of `own`.
    package init(_ roots: LibraryRoots, without own: [FilePath] = []) {
        // Folders that do not exist have no files to judge.
        self.roots = roots.all.compactMap { path in
            (try? Place(path))?.path.map { Root(path: path, place: $0) }
        }
        excluded =
            ExcludedPlaces.shared.places(of: roots.excluded)
            + own.compactMap { (try? Place($0))?.path }
    }

    /// Opens a file of the library for reading.
    ///
    /// - Throws: `Errno` of open(2), `.permissionDenied` also for anything but a regular file that
    ///   belongs to the library.
    package func open(_ path: FilePath) throws(Errno) -> Descriptor {
        // Not even looked up, because its disk may not answer.
        guard !isExcluded(path) else { throw .permissionDenied }
        let place = try Place(path)
        guard place.information.type == .regular, admitFile(place, named: path) else {
            throw .permissionDenied
        }
        return try place.openForReading()
    }

    /// Opens a file of the library for reading; see ``open(_:)``.
    ///
    /// Looks only at the roots that it needs, because another one may be on a disk that does not answer.
    ///
    /// - Isolation: blocks as long as the file systems do.
    package static func open(
        _ path: FilePath, in roots: LibraryRoots
    ) throws(Errno) -> Descriptor {
        if let adjusted = roots.adjusted, path.removingLastComponent() == adjusted {
            return try openAdjusted(path)
        }
        do {
            return try LibraryBounds(roots.containing(path)).open(path)
        } catch {
            // It may be a link that leads to another root.
            guard error == .permissionDenied else { throw error }
            return try LibraryBounds(roots).open(path)
        }
    }

    /// Opens the adjusted version of a photo, which cannot be a link: the library has made it.
    private static func openAdjusted(_ path: FilePath) throws(Errno) -> Descriptor {
        let place = try Place(path)
        guard place.information.type == .regular, place.path?.lastComponent == path.lastComponent
        else { throw .permissionDenied }
        return try place.openForReading()
    }

    /// Whether a folder may be visited.
    func admitFolder(_ folder: Descriptor) -> Bool {
        guard let place = folder.resolvedPath, !isExcluded(place),
            !folder.isInPseudoFileSystem
        else { return false }
        return roots.contains { root in
            guard let below = place.components(below: root.place) else { return false }
            return below.allSatisfy { !$0.isHidden }
        }
    }

    /// Whether a file may be examined and delivered under a name.
    ///
    /// A visible name may be a link to a hidden file below the same root: that is how programs that
    /// keep versions of files, such as git-annex, arrange them.
    func admitFile(_ place: Place, named path: FilePath) -> Bool {
        guard let place = place.path, !isExcluded(place) else { return false }
        return roots.contains { root in
            guard let below = place.components(below: root.place) else { return false }
            return path.starts(with: root.path) || below.allSatisfy { !$0.isHidden }
        }
    }

    /// How many folders a path is below its nearest root; 0 for a root and for other paths.
    func depth(of path: FilePath) -> Int {
        roots.compactMap { path.components(below: $0.path)?.count }.min() ?? 0
    }

    /// The names in a folder that are those of excluded folders.
    func excludedNames(in folder: Descriptor) -> Set<FilePath.Component> {
        guard let place = folder.resolvedPath else { return [] }
        return Set(
            excluded.filter { $0.removingLastComponent() == place }.compactMap(\.lastComponent))
    }

    private func isExcluded(_ place: FilePath) -> Bool {
        excluded.contains { place.starts(with: $0) }
    }
}

extension FilePath {
    /// The components after a folder's; nil if the path is not in that folder.
    fileprivate func components(below folder: FilePath) -> ComponentView.SubSequence? {
        guard starts(with: folder) else { return nil }
        return components.dropFirst(folder.components.count)
    }
}

extension FilePath.Component {
    /// Whether the name begins with a dot.
    var isHidden: Bool {
        withPlatformString { $0.pointee == CInterop.PlatformChar(UInt8(ascii: ".")) }
    }
}

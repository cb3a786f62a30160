// SPDX-License-Identifier: MIT

internal import Desktop
package import Files
package import Photos
package import SystemPackage

/// The desktop's thumbnail cache on disk.
///
/// - Source: Thumbnail Managing Standard 0.9.0.
package struct ThumbnailCache: Hashable, Sendable {
    /// The folder with the sizes' folders, normally `~/.cache/thumbnails`.
    package let folder: FilePath

    /// The folder's own name, which every path into it has.
    private let name: String

    package init(folder: FilePath = UserFolders.cache.appending("thumbnails")) {
        self.folder = folder
        name = folder.lastComponent?.string ?? ""
    }

    /// Where the thumbnail of a URI is, or would be.
    package func path(of uri: String, _ size: ThumbnailSize) -> FilePath {
        folder.appending(size.folderName).appending(Self.name(of: uri))
    }

    /// Where we note that a URI's file cannot be shown.
    package func failurePath(of uri: String) -> FilePath {
        folder.appending("fail").appending(Self.failureFolder).appending(Self.name(of: uri))
    }

    /// Where a thumbnail may be that came along with the files of a folder, on a disc or a server,
    /// and what it calls the file; read, never written.
    ///
    /// The standard does not say whether the name is escaped, so both forms are looked for.
    package func sharedPaths(
        of file: FilePath, _ uri: String, _ size: ThumbnailSize
    ) -> [(path: FilePath, uri: String)] {
        guard let name = file.lastComponent?.string, let escaped = uri.split(separator: "/").last
        else { return [] }
        let shared = file.removingLastComponent().appending(Self.sharedFolder)
            .appending(size.folderName)
        let names = name == escaped ? [name] : [name, String(escaped)]
        return names.map { (shared.appending(Self.name(of: $0)), $0) }
    }

    /// Whether a file is itself a thumbnail, in this cache or beside its original; thumbnails have
    /// no thumbnails.
    package func contains(_ file: FilePath) -> Bool {
        // A path that has neither name is the usual case, and quickly told.
        let text = file.string
        guard text.contains(name) || text.contains(Self.sharedFolder) else { return false }
        let file = file.lexicallyNormalized()
        return file.starts(with: folder)
            || file.components.contains { $0.string == Self.sharedFolder }
    }

    /// All places of the cache that may hold something of a URI.
    package func paths(of uri: String) -> [FilePath] {
        ThumbnailSize.allCases.map { path(of: uri, $0) } + [failurePath(of: uri)]
    }

    /// The folders with thumbnails, and that with our notes of failures.
    package var folders: [FilePath] {
        ThumbnailSize.allCases.map { folder.appending($0.folderName) } + [
            folder.appending("fail").appending(Self.failureFolder)
        ]
    }

    /// Writes a file of the cache, and makes its folder where it is missing.
    ///
    /// - Throws: `Errno`, for example `.readOnlyFileSystem`; nothing was changed then.
    package func write(_ png: MappedMemory, to path: FilePath) throws(Errno) {
        do {
            try AtomicFile.write(png.bytes, to: path)
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            try Directory.make(path.removingLastComponent())
            try AtomicFile.write(png.bytes, to: path)
        }
    }

    /// The program and version whose failures these are: a later one may read more.
    private static let failureFolder = "photo-portal-1"

    private static let sharedFolder = ".sh_thumbnails"

    private static func name(of uri: String) -> String {
        "\(Digest.md5Hex(uri)).png"
    }
}

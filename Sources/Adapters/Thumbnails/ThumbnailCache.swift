// SPDX-License-Identifier: MIT

internal import Desktop
package import Files
package import Photos
package import SystemPackage

/// The desktop's thumbnail cache on disk.
///
/// - Source: Thumbnail Managing Standard 0.9.0.
package struct ThumbnailCache: Hashable, Sendable {
    /// The folder that contains a folder for each size, normally `~/.cache/thumbnails`.
    package let folder: FilePath

    /// The name of the folder, which is part of every path in the cache.
    private let name: String

    package init(folder: FilePath = UserFolders.cache.appending("thumbnails")) {
        self.folder = folder
        name = folder.lastComponent?.string ?? ""
    }

    /// The path of the thumbnail of a URI, whether it exists or not.
    package func path(of uri: String, _ size: ThumbnailSize) -> FilePath {
        folder.appending(size.folderName).appending(Self.name(of: uri))
    }

    /// The path of our failure entry for a URI.
    package func failurePath(of uri: String) -> FilePath {
        folder.appending("fail").appending(Self.failureFolder).appending(Self.name(of: uri))
    }

    /// Where a shared thumbnail repository, on a disc or a server, may have a thumbnail, and the
    /// name that it uses for the file.
    ///
    /// Read, never written.
    ///
    /// The standard does not say whether the name is escaped, so both forms are tried.
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

    /// Whether a file is itself a thumbnail, in this cache or in a shared repository.
    ///
    /// Thumbnails have no thumbnails.
    package func contains(_ file: FilePath) -> Bool {
        // Most paths contain neither name, and this check is fast.
        let text = file.string
        guard text.contains(name) || text.contains(Self.sharedFolder) else { return false }
        let file = file.lexicallyNormalized()
        return file.starts(with: folder)
            || file.components.contains { $0.string == Self.sharedFolder }
    }

    /// All paths in the cache that may have an entry for a URI.
    package func paths(of uri: String) -> [FilePath] {
        ThumbnailSize.allCases.map { path(of: uri, $0) } + [failurePath(of: uri)]
    }

    /// The folders of the thumbnails and of our failure entries.
    package var folders: [FilePath] {
        ThumbnailSize.allCases.map { folder.appending($0.folderName) } + [
            folder.appending("fail").appending(Self.failureFolder)
        ]
    }

    /// Removes the failures that earlier versions recorded, so that the files are tried again.
    ///
    /// What cannot be removed is never read again. Apps in a sandbox may have access to the cache, and
    /// could put a link to other files there.
    package func forgetOldFailures() {
        for name in Self.oldFailureFolders {
            try? Directory.removeWithFiles(folder.appending("fail").appending(name))
        }
    }

    /// Writes a cache entry, and makes its folder if it is missing.
    ///
    /// - Throws: `Errno`, for example `.readOnlyFileSystem`; then nothing was changed.
    package func write(_ png: MappedMemory, to path: FilePath) throws(Errno) {
        do {
            try AtomicFile.write(png.bytes, to: path)
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            try Directory.make(path.removingLastComponent())
            try AtomicFile.write(png.bytes, to: path)
        }
    }

    /// The program and version that failed.
    ///
    /// A later version may read more, and uses another folder.
    private static let failureFolder = "photo-portal-3"
    /// Where earlier versions put failures, some of which were no fault of the file.
    private static let oldFailureFolders = ["photo-portal-1", "photo-portal-2"]

    private static let sharedFolder = ".sh_thumbnails"

    private static func name(of uri: String) -> String {
        "\(Digest.md5Hex(uri)).png"
    }
}

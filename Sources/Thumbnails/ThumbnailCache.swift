// SPDX-License-Identifier: MIT

internal import Desktop
package import Photos
package import Platform
package import SystemPackage

/// The desktop's thumbnail cache on disk.
///
/// - Source: Thumbnail Managing Standard 0.9.0.
package struct ThumbnailCache: Hashable, Sendable {
    /// The folder with the sizes' folders, normally `~/.cache/thumbnails`.
    package let folder: FilePath

    package init(folder: FilePath = UserFolders.cache.appending("thumbnails")) {
        self.folder = folder
    }

    /// Where the thumbnail of a URI is, or would be.
    package func path(of uri: String, _ size: ThumbnailSize) -> FilePath {
        folder.appending(size.folderName).appending(Self.name(of: uri))
    }

    /// Where we note that a URI's file cannot be shown.
    package func failurePath(of uri: String) -> FilePath {
        folder.appending("fail").appending(Self.failureFolder).appending(Self.name(of: uri))
    }

    /// Whether a file is itself in the cache; thumbnails have no thumbnails.
    package func contains(_ file: FilePath) -> Bool {
        file.starts(with: folder)
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

    private static func name(of uri: String) -> String {
        "\(Digest.md5Hex(uri)).png"
    }
}

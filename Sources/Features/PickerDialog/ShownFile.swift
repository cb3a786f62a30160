// SPDX-License-Identifier: MIT

import Desktop
import Files
import ImageWork
import Photos
import Processes
import SystemPackage
import Thumbnails

/// A file that an app shows, and that the library need not know.
enum ShownFile: Sendable {
    case path(FilePath)
    /// A file that the app has opened.
    case opened(Descriptor)

    /// - Throws: ``ImageWork/DecodeError`` unless it is a picture or a video.
    fileprivate func open(
        _ thumbnails: ThumbnailLoader, _ priority: DecoderPool.Priority
    ) async throws(DecodeError) -> OpenedPhoto {
        switch self {
        case .path(let path): try await OpenedPhoto(path, thumbnails, priority: priority)
        case .opened(let file): try await OpenedPhoto(file, thumbnails, priority: priority)
        }
    }

    /// What the person is told of its place: of a file that an app has opened the name alone, because
    /// the folder may be one that only the app sees.
    fileprivate func place() async -> FilePath {
        switch self {
        case .path(let path): return path
        case .opened(let file):
            let path = await FileCalls.shared.run(
                on: file.resolvedPath ?? "/", within: .seconds(1)
            ) { _ in file.path }
            guard let name = (path ?? nil)?.lastComponent else { return "" }
            return FilePath(root: nil, [name])
        }
    }
}

extension LibrarySource {
    /// The pictures of a request, by the ids that they have in this window; those of the library keep
    /// theirs.
    ///
    /// - Parameter files: The files that the app has opened; closed where that may block.
    /// - Returns: An id for each picture.
    func show(_ images: [PreviewImage], _ files: [Descriptor]) -> [AssetID] {
        for file in files { FileCalls.shared.closeHere(file, of: file.resolvedPath ?? "/") }
        return images.map { image in
            let file: ShownFile
            switch image {
            case .asset(let id): return id
            // A URI that is none of a file leads nowhere, and the page says so.
            case .uri(let uri): file = .path(FileURI.path(uri) ?? "/")
            case .file(let index): file = .opened(files[index])
            }
            let id = AssetID(.random(in: .min ... .max), .random(in: .min ... .max))
            shown[id] = file
            return id
        }
    }

    /// Opens a file that an app shows; nil for a photo of the library.
    ///
    /// - Throws: ``ImageWork/DecodeError`` unless it is a picture or a video.
    func open(
        _ id: AssetID, _ thumbnails: ThumbnailLoader, _ priority: DecoderPool.Priority
    ) async throws(DecodeError) -> OpenedPhoto? {
        guard let file = shown[id] else { return nil }
        let photo = try await file.open(thumbnails, priority)
        others[id] = OtherFile(id, at: await file.place(), photo)
        return photo
    }
}

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

/// A picture of an app's list, in the window that shows it.
struct ShownImage: Sendable {
    let id: AssetID
    /// Where it is on the web; nil for one of this machine.
    var uri: String?
    /// What stands for it until it is there.
    var thumbnail: AssetID?
}

extension AssetID {
    /// The id of something that only one window knows.
    fileprivate static func random() -> AssetID {
        AssetID(.random(in: .min ... .max), .random(in: .min ... .max))
    }
}

extension LibrarySource {
    /// The pictures of a request, by the ids that they have in this window; those of the library keep
    /// theirs.
    ///
    /// - Parameter files: The files that the app has opened; closed where that may block.
    func show(_ images: [PreviewImage], _ files: [Descriptor]) -> [ShownImage] {
        for file in files { FileCalls.shared.closeHere(file, of: file.resolvedPath ?? "/") }
        return images.map { image in
            guard case .web(let uri, let thumbnail) = image else {
                return ShownImage(id: show(image, files))
            }
            return ShownImage(
                id: .random(), uri: uri, thumbnail: thumbnail.map { show($0, files) })
        }
    }

    /// - Returns: The id that a picture of this machine has.
    private func show(_ image: PreviewImage, _ files: [Descriptor]) -> AssetID {
        let id = AssetID.random()
        switch image {
        case .asset(let id): return id
        // A URI that is none of a file leads nowhere, and the page says so.
        case .uri(let uri): shown[id] = .path(FileURI.path(uri) ?? "/")
        case .file(let index): shown[id] = .opened(files[index])
        // Nothing of this machine stands for one of the web here.
        case .web: break
        }
        return id
    }

    /// Notes what a picture of the web is, once it is there.
    ///
    /// - Parameter uri: Its last part is what the person sees as the name.
    func note(_ photo: OpenedPhoto, _ id: AssetID, from uri: String) {
        let path = uri.drop { $0 != ":" }.dropFirst(3).prefix { !"?#".contains($0) }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let name = parts.last.flatMap { FilePath.Component(String($0)) }
        others[id] = OtherFile(id, at: FilePath(root: nil, name.map { [$0] } ?? []), photo)
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

// SPDX-License-Identifier: MIT

import Desktop
import Files
import ImageWork
import PhotoLibrary
import Photos
import SystemPackage
import Thumbnails

/// A file from outside the library that the person brought into a window.
///
/// In the window it is a photo like any other, with an id that the library does not know.
struct OtherFile: Sendable {
    let id: AssetID
    let path: FilePath
    let version: FileVersion
    let facts: ImageFacts
    /// How the person found it.
    let source: PickedItem.Source

    /// Opens a file and finds out what it is.
    ///
    /// - Throws: ``ImageWork/DecodeError`` unless it is a picture or a video.
    init(
        _ path: FilePath, from source: PickedItem.Source, _ thumbnails: ThumbnailLoader
    ) async throws(DecodeError) {
        let opened = try await OpenedPhoto(path, thumbnails, priority: .visible)
        id = AssetID(.random(in: .min ... .max), .random(in: .min ... .max))
        self.path = path
        version = opened.version
        facts = opened.facts
        self.source = source
    }

    /// A file that was opened.
    ///
    /// - Parameter path: Only its name, if the path is none of our business; empty if it has none.
    init(_ id: AssetID, at path: FilePath, _ photo: OpenedPhoto) {
        self.id = id
        self.path = path
        version = photo.version
        facts = photo.facts
        source = .files
    }

    /// The file's name, for people.
    var name: String? { path.lastComponent.map(FileURI.displayName) }

    var asset: Asset {
        Asset(
            id: id, mediaType: facts.mediaType, size: facts.size, date: date,
            hasCaptureDate: facts.taken != nil)
    }

    private var date: Int64 { facts.taken?.secondsSince1970 ?? version.modified / 1_000_000_000 }

    /// What the rules of an app compare.
    var compared: PhotoFacts {
        PhotoFacts(
            size: facts.size, byteCount: version.byteCount, date: date, isFavorite: false,
            milliseconds: facts.milliseconds)
    }

    /// As the library describes its own files.
    var located: LocatedAsset? {
        guard path.isAbsolute, let name = path.lastComponent else { return nil }
        let file = LocatedFile(path: path, name: name, seen: version, examined: version)
        return LocatedAsset(asset: asset, files: [file])
    }

    /// As the library describes its own photos.
    var listed: ListedAsset {
        ListedAsset(
            asset: asset, name: name ?? "", byteCount: version.byteCount,
            modified: version.modified / 1_000_000_000, isAnimated: facts.isAnimated,
            milliseconds: facts.milliseconds, details: facts.details)
    }

    /// As an app that asked for photos receives it.
    func picked(_ item: PickedItem) -> PickedItem? {
        guard let uri = FileURI.make(path) else { return nil }
        var picked = PickedItem(.uri(uri), from: source)
        picked.version = item.version ?? version
        picked.clip = item.clip
        picked.rotation = item.rotation
        picked.isClipTouched = item.isClipTouched
        return picked
    }
}

extension LibrarySource {
    /// Makes a file a photo of this window; one that is there already stays what it is.
    func add(_ file: OtherFile) -> OtherFile {
        let known = others.values.first { $0.path == file.path && $0.version == file.version }
        guard known == nil else { return known ?? file }
        others[file.id] = file
        return file
    }

    /// The chosen items, with files from outside the library as what they are.
    func delivered(_ items: [PickedItem]) -> [PickedItem] {
        items.map { item in
            guard case .asset(let id) = item.reference else { return item }
            return others[id]?.picked(item) ?? item
        }
    }
}

// SPDX-License-Identifier: MIT

import Desktop
import Files
import GtkKit
import ImageWork
import Logging
import PhotoLibrary
import Photos
import PickModel
import SystemPackage
import Thumbnails

/// The library and the thumbnails on behalf of one request.
@UIActor
final class PhotoSource {
    private let environment: PickerEnvironment
    private var reader: LibraryReader?
    private let textures = TextureCache(capacity: 48 << 20)
    private let versions = ShownVersions()
    private let logger = Logger(label: "photo-source")

    init(_ environment: PickerEnvironment) {
        self.environment = environment
    }

    // MARK: - Library

    /// Everything that a window shows of the library.
    ///
    /// - Parameters:
    ///   - chosen: The photos to look for among those that have gone.
    ///   - accepted: A photo of another type counts as gone.
    func contents(
        _ query: PhotoQuery, chosen: [AssetID], accepted: MediaFilter
    ) async throws(LibraryError) -> LibraryContents {
        let reader = try opened()
        let albums = try await reader.albums(query.filter)
        let photos = try await reader.photos(in: query.album, query.filter)
        let status = try await reader.status()
        let existing = try await reader.assets(chosen).filter { accepted.accepts($0.mediaType) }
        return LibraryContents(
            albums: albums, photos: photos, status: status,
            gone: Set(chosen).subtracting(existing.map(\.id)))
    }

    /// The newest photos that match a query.
    func photos(_ query: PhotoQuery, limit: Int) async throws(LibraryError) -> PhotoList {
        try await opened().photos(in: query.album, query.filter, limit: limit)
    }

    func album(ofFolder path: FilePath) async throws(LibraryError) -> AlbumID? {
        try await opened().album(ofFolder: path)
    }

    /// Keeps the versions in which the photos that are chosen now were shown.
    func keepVersions(of ids: [AssetID]) {
        versions.keep(ids)
    }

    /// Adds the versions that were shown to chosen items.
    ///
    /// A photo that was chosen without being on the screen, as part of a range, counts as shown in
    /// the version that the library knows.
    func versioned(_ items: [PickedItem]) async -> [PickedItem] {
        var items = items
        for index in items.indices {
            guard case .asset(let id) = items[index].reference else { continue }
            do throws(LibraryError) {
                if let shown = versions.version(of: id) {
                    items[index].version = shown
                } else {
                    items[index].version = try await opened().version(of: id)
                }
            } catch {
                logger.error("\(error)")
            }
        }
        return items
    }

    /// The URIs of chosen items, in order; photos whose files have gone, or are not in the version
    /// that was shown, are left out.
    func uris(of items: [PickedItem]) async -> [String] {
        var uris: [String] = []
        for item in items {
            switch item.reference {
            case .uri(let uri): uris.append(uri)
            case .asset(let id):
                // A name that leads nowhere is no error: a photo may have several.
                let path = await paths(of: id).first { path in
                    guard let found = try? path.stat(), found.type == .regular else { return false }
                    return item.version == nil || item.version == FileVersion(found)
                }
                if let uri = path.flatMap({ FileURI.make($0) }) { uris.append(uri) }
            }
        }
        return uris
    }

    /// The types of chosen photos of the library.
    func mediaTypes(of items: [PickedItem]) async -> [MediaType] {
        let ids = items.compactMap { item in
            if case .asset(let id) = item.reference { id } else { nil }
        }
        do {
            return try await opened().assets(ids).map(\.mediaType)
        } catch {
            if !Task.isCancelled { logger.error("\(error)") }
            return []
        }
    }

    private func paths(of id: AssetID) async -> [FilePath] {
        do {
            return try await opened().paths(of: id)
        } catch {
            if !Task.isCancelled { logger.error("\(error)") }
            return []
        }
    }

    private func opened() throws(LibraryError) -> LibraryReader {
        if let reader { return reader }
        let opened = try LibraryReader(at: environment.library)
        reader = opened
        return opened
    }

    // MARK: - Thumbnails

    /// A texture that was shown recently.
    func cachedTexture(of id: AssetID) -> Texture? {
        textures.texture(of: id)
    }

    /// Gets a photo's thumbnail; nil if the task was cancelled.
    ///
    /// - Parameter pixels: The longer side that is needed, in device pixels.
    func texture(of id: AssetID, pixels: Int) async -> Result<Texture, PhotoProblem>? {
        guard let path = await paths(of: id).first else {
            return Task.isCancelled ? nil : .failure(PhotoProblem(.unreadable))
        }
        do throws(DecodeError) {
            let (picture, version) = try await environment.thumbnails.versioned(
                path, .covering(pixels), priority: .visible)
            // Only a loader at fault returns memory that is not sealed, or too little of it.
            guard let memory = try? picture.mapped(),
                let texture = Texture(
                    width: picture.size.width, height: picture.size.height,
                    stride: picture.stride, hasAlpha: picture.hasAlpha, bytes: memory.bytes,
                    owner: memory)
            else { return .failure(PhotoProblem(.garbage)) }
            textures.store(texture, of: id, byteCount: memory.bytes.count)
            versions.note(version, of: id)
            return .success(texture)
        } catch {
            return error == .cancelled ? nil : .failure(PhotoProblem(error))
        }
    }
}

/// Why a photo cannot be shown; it can still be chosen.
struct PhotoProblem: Error, Hashable {
    let cause: DecodeError

    init(_ cause: DecodeError) {
        self.cause = cause
    }

    /// What the person is told.
    var text: String {
        switch cause {
        case .damaged, .crashed, .garbage: localized("This photo is damaged")
        case .tooLarge: localized("This photo is too large to show")
        case .unsupported: localized("This kind of picture cannot be shown yet")
        case .unreadable: localized("This photo cannot be opened")
        case .timedOut: localized("This photo takes too long to load")
        case .cancelled, .unavailable: localized("This photo cannot be shown now")
        }
    }
}

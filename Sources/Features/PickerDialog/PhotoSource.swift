// SPDX-License-Identifier: MIT

import Desktop
import Files
import GtkKit
import ImageWork
import PhotoLibrary
import Photos
import SystemPackage
import Thumbnails

/// The library and the thumbnails as one request sees them.
@UIActor
final class PhotoSource {
    private let environment: PickerEnvironment
    /// What is shown.
    var filter: MediaFilter
    private var reader: LibraryReader?
    private let textures = TextureCache(capacity: 48 << 20)

    init(_ environment: PickerEnvironment, filter: MediaFilter) {
        self.environment = environment
        self.filter = filter
    }

    // MARK: - Library

    /// Nil while there is no library yet.
    func albums() async -> [Album]? {
        try? await opened()?.albums(filter)
    }

    func photos(in album: AlbumID, limit: Int? = nil) async -> PhotoList? {
        try? await opened()?.photos(in: album, filter, limit: limit)
    }

    func status() async -> LibraryStatus? {
        try? await opened()?.status()
    }

    /// Which of these photos are still there, and of a type that is shown.
    func existing(_ ids: [AssetID]) async -> Set<AssetID> {
        let assets = try? await opened()?.assets(ids)
        return Set((assets ?? []).filter { filter.accepts($0.mediaType) }.map(\.id))
    }

    func album(ofFolder path: FilePath) async -> AlbumID? {
        try? await opened()?.album(ofFolder: path)
    }

    /// Where these photos are, in their order; those whose files are gone are left out.
    func uris(of ids: [AssetID]) async -> [String] {
        var uris: [String] = []
        for id in ids {
            let paths = (try? await opened()?.paths(of: id)) ?? []
            let path = paths.first { (try? $0.stat())?.type == .regular }
            if let uri = path.flatMap({ FileURI.make($0) }) { uris.append(uri) }
        }
        return uris
    }

    private func opened() -> LibraryReader? {
        if reader == nil { reader = try? LibraryReader(at: environment.library) }
        return reader
    }

    // MARK: - Thumbnails

    /// A texture that was shown not long ago.
    func cachedTexture(of id: AssetID) -> Texture? {
        textures.texture(of: id)
    }

    /// Gets a photo's thumbnail; nil when nobody wants it any more.
    ///
    /// - Parameter pixels: The longer side that is needed, in device pixels.
    func texture(of id: AssetID, pixels: Int) async -> Result<Texture, PhotoProblem>? {
        guard let path = try? await opened()?.paths(of: id).first else {
            return Task.isCancelled ? nil : .failure(Self.problem(.unreadable))
        }
        do throws(DecodeError) {
            let picture = try await environment.thumbnails.thumbnail(
                of: path, .covering(pixels), priority: .visible)
            guard let memory = try? MappedMemory(sealed: picture.file) else {
                return .failure(Self.problem(.garbage))
            }
            let texture = Texture(
                width: picture.size.width, height: picture.size.height, stride: picture.stride,
                hasAlpha: picture.hasAlpha, bytes: memory.bytes, owner: memory)
            textures.store(texture, of: id, byteCount: memory.bytes.count)
            return .success(texture)
        } catch {
            return error == .cancelled ? nil : .failure(Self.problem(error))
        }
    }

    private static func problem(_ error: DecodeError) -> PhotoProblem {
        let text =
            switch error {
            case .damaged, .crashed, .garbage: localized("This photo is damaged")
            case .tooLarge: localized("This photo is too large to show")
            case .unsupported: localized("This kind of picture cannot be shown yet")
            case .unreadable: localized("This photo cannot be opened")
            case .timedOut: localized("Showing this photo takes too long")
            case .cancelled, .unavailable: localized("This photo cannot be shown now")
            }
        return PhotoProblem(text: text)
    }
}

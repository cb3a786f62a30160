// SPDX-License-Identifier: MIT

import Files
import GtkKit
import ImageWork
import Photos
import PickModel
import Thumbnails

/// The thumbnails of the library on behalf of one request.
@UIActor
final class PhotoSource {
    private let thumbnails: ThumbnailLoader
    private let library: LibrarySource
    private let early: EarlyThumbnails
    private let textures = TextureCache(capacity: 48 << 20)
    private let versions = ShownVersions()
    /// The versions for which ``changedPhotos()`` has named a photo.
    private var reported: [AssetID: FileVersion] = [:]

    /// The thumbnails that are being loaded.
    private var loadingCount = 0
    private var hasLoaded = false
    /// Those who wait until there are none.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ library: LibrarySource, _ thumbnails: ThumbnailLoader, _ early: EarlyThumbnails) {
        self.library = library
        self.thumbnails = thumbnails
        self.early = early
    }

    /// Waits until some thumbnails have been loaded and no others are being loaded, but not longer
    /// than `limit`.
    func rest(within limit: Duration) async {
        guard loadingCount > 0 || !hasLoaded else { return }
        let alarm = Task {
            do { try await Task.sleep(for: limit) } catch { return }
            wake()
        }
        await withCheckedContinuation { waiting.append($0) }
        alarm.cancel()
    }

    private func wake() {
        for continuation in waiting { continuation.resume() }
        waiting = []
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
            if let shown = versions.version(of: id) {
                items[index].version = shown
            } else {
                items[index].version = await library.version(of: id)
            }
        }
        return items
    }

    /// The photos that are shown in another version than the library knows now.
    ///
    /// A photo is named once for each version, so that one whose file the library sees differently is
    /// not loaded again and again.
    func changedPhotos() async -> Set<AssetID> {
        let known = await library.versions(of: versions.ids)
        var changed: Set<AssetID> = []
        for (id, version) in known where versions.isOther(version, of: id) {
            if reported.updateValue(version, forKey: id) != version { changed.insert(id) }
        }
        return changed
    }

    /// Whether a photo was shown in another version than this one.
    func isOther(_ version: FileVersion, of id: AssetID) -> Bool {
        versions.version(of: id).map { $0 != version } ?? false
    }

    /// Notes the version in which a photo is shown outside the grid.
    func note(_ version: FileVersion, of id: AssetID) { versions.note(version, of: id) }

    /// Loads the thumbnails of these photos again, because their files have changed.
    func forget(_ ids: [AssetID]) {
        for id in ids {
            textures.remove(id)
            versions.forget(id)
        }
    }

    /// A texture that needs no waiting: it was shown recently, or loaded while the window was being made.
    ///
    /// - Parameter pixels: The longer side that is needed, in device pixels.
    /// - Returns: Also whether it is smaller than that, because the photo was smaller on the screen.
    func readyTexture(of id: AssetID, pixels: Int) -> (texture: Texture, isSmall: Bool)? {
        let size = ThumbnailSize.covering(pixels)
        if let kept = textures.texture(of: id) {
            return (kept.texture, kept.size.pixels < size.pixels)
        }
        guard let loaded = early.takeLoaded(id, pixels: pixels) else { return nil }
        hasLoaded = true
        return texture(of: id, loaded.picture, size, loaded.version).map { ($0, false) }
    }

    /// Gets a photo's thumbnail; nil if the task was cancelled.
    ///
    /// - Parameter pixels: The longer side that is needed, in device pixels.
    func texture(of id: AssetID, pixels: Int) async -> Result<Texture, PhotoProblem>? {
        loadingCount += 1
        defer {
            loadingCount -= 1
            if loadingCount == 0 {
                hasLoaded = true
                wake()
            }
        }
        do throws(DecodeError) {
            let (picture, version) = try await picture(of: id, pixels)
            guard let texture = texture(of: id, picture, .covering(pixels), version) else {
                return .failure(PhotoProblem(.garbage))
            }
            return .success(texture)
        } catch {
            return error == .cancelled ? nil : .failure(PhotoProblem(error))
        }
    }

    /// Keeps the picture that a photo has in this version; nil if it is not what it claims to be.
    private func texture(
        of id: AssetID, _ picture: RawPicture, _ size: ThumbnailSize, _ version: FileVersion
    ) -> Texture? {
        guard let texture = Texture(picture) else { return nil }
        textures.store(texture, of: id, size, byteCount: picture.stride * picture.size.height)
        versions.note(version, of: id)
        return texture
    }

    /// Gets the thumbnail of an album's cover; nil if there is none.
    ///
    /// A cover is too small to stand for the photo in the grid, and no version that somebody has
    /// looked at before choosing it. There may be thousands of them, which the photos do not wait for.
    func cover(of id: AssetID, pixels: Int) async -> Texture? {
        guard let path = await library.path(of: id) else { return nil }
        do throws(DecodeError) {
            return Texture(
                try await thumbnails.thumbnail(
                    of: path, .covering(pixels), priority: .background))
        } catch {
            // The album keeps its empty frame; the photo itself says why it cannot be shown.
            return nil
        }
    }

    private func picture(of id: AssetID, _ pixels: Int) async throws(DecodeError) -> (
        picture: RawPicture, version: FileVersion
    ) {
        if let loading = early.take(id, pixels: pixels) {
            let result = await withTaskCancellationHandler {
                await loading.value
            } onCancel: {
                loading.cancel()
            }
            let loaded = try result.get()
            return (loaded.picture, loaded.version)
        }
        guard let path = await library.path(of: id) else {
            throw Task.isCancelled ? .cancelled : .unreadable
        }
        return try await thumbnails.versioned(path, .covering(pixels), priority: .visible)
    }
}

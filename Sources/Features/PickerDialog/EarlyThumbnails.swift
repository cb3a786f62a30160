// SPDX-License-Identifier: MIT

import ImageWork
import Photos
import Synchronization
import SystemPackage
import Thumbnails

/// The thumbnails of a window's first photos, which load while its widgets are being made.
final class EarlyThumbnails: Sendable {
    /// A thumbnail, and the version of the file that it shows.
    struct Loaded: Sendable {
        let picture: RawPicture
        let version: FileVersion
    }

    typealias Loading = Task<Result<Loaded, DecodeError>, Never>

    private struct Entry {
        let size: ThumbnailSize
        let loading: Loading
        /// Nil until it has been loaded.
        var loaded: Loaded?
    }

    private struct State {
        var entries: [AssetID: Entry] = [:]
        var isClosed = false
    }

    private let loader: ThumbnailLoader
    private let state = Mutex(State())

    init(_ loader: ThumbnailLoader) {
        self.loader = loader
    }

    /// Begins to load a thumbnail.
    ///
    /// - Parameter pixels: The longer side that will be needed, in device pixels.
    func begin(_ id: AssetID, at path: FilePath, pixels: Int) {
        let size = ThumbnailSize.covering(pixels)
        state.withLock { state in
            guard !state.isClosed, state.entries[id] == nil else { return }
            let loading = Loading { [self, loader] in
                do throws(DecodeError) {
                    let (picture, version) = try await loader.versioned(
                        path, size, priority: .visible)
                    let loaded = Loaded(picture: picture, version: version)
                    self.state.withLock { $0.entries[id]?.loaded = loaded }
                    return .success(loaded)
                } catch {
                    return .failure(error)
                }
            }
            state.entries[id] = Entry(size: size, loading: loading)
        }
    }

    /// Returns a thumbnail that has been loaded, and forgets it.
    ///
    /// - Returns: Nil if it is still loading or was never begun, or if it is smaller than `pixels`.
    func takeLoaded(_ id: AssetID, pixels: Int) -> Loaded? {
        state.withLock { state in
            guard let entry = state.entries[id], let loaded = entry.loaded,
                entry.size.pixels >= ThumbnailSize.covering(pixels).pixels
            else { return nil }
            state.entries[id] = nil
            return loaded
        }
    }

    /// Returns a thumbnail that is loading or has been loaded, and forgets it.
    ///
    /// - Returns: Nil if it was never begun, or if it is smaller than `pixels`.
    func take(_ id: AssetID, pixels: Int) -> Loading? {
        let entry = state.withLock { $0.entries.removeValue(forKey: id) }
        guard let entry, entry.size.pixels >= ThumbnailSize.covering(pixels).pixels else {
            entry?.loading.cancel()
            return nil
        }
        return entry.loading
    }

    /// Drops everything that nobody has taken.
    func close() {
        let entries = state.withLock { state in
            state.isClosed = true
            defer { state.entries = [:] }
            return state.entries
        }
        for entry in entries.values { entry.loading.cancel() }
    }
}

// SPDX-License-Identifier: MIT

import GtkKit
import Photos

/// The most recently shown textures, up to a number of bytes.
@UIActor
final class TextureCache {
    private struct Entry {
        let texture: Texture
        let size: ThumbnailSize
        let byteCount: Int
        var lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [AssetID: Entry] = [:]
    private var byteCount = 0
    private var clock: UInt64 = 0

    /// Creates an empty cache.
    ///
    /// - Parameter capacity: The maximum number of bytes of pixels to keep.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// A photo's texture and the size that it was loaded in; nil if it is not kept.
    func texture(of id: AssetID) -> (texture: Texture, size: ThumbnailSize)? {
        clock += 1
        entries[id]?.lastUse = clock
        return entries[id].map { ($0.texture, $0.size) }
    }

    /// Keeps a texture.
    ///
    /// - Parameters:
    ///   - size: The size in which it was loaded, though the photo may be smaller.
    ///   - count: Its bytes.
    func store(_ texture: Texture, of id: AssetID, _ size: ThumbnailSize, byteCount count: Int) {
        clock += 1
        byteCount += count - (entries[id]?.byteCount ?? 0)
        entries[id] = Entry(texture: texture, size: size, byteCount: count, lastUse: clock)
        if byteCount > capacity { evict() }
    }

    func remove(_ id: AssetID) {
        byteCount -= entries.removeValue(forKey: id)?.byteCount ?? 0
    }

    /// Evicts a quarter of the capacity at a time, least recently used first.
    private func evict() {
        let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }
        for (id, entry) in oldest {
            guard byteCount > capacity * 3 / 4 else { return }
            entries[id] = nil
            byteCount -= entry.byteCount
        }
    }
}

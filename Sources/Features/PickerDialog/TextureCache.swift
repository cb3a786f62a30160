// SPDX-License-Identifier: MIT

import GtkKit
import Photos

/// The most recently shown textures, up to a number of bytes.
@UIActor
final class TextureCache {
    private struct Entry {
        let texture: Texture
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

    func texture(of id: AssetID) -> Texture? {
        clock += 1
        entries[id]?.lastUse = clock
        return entries[id]?.texture
    }

    func store(_ texture: Texture, of id: AssetID, byteCount size: Int) {
        clock += 1
        byteCount += size - (entries[id]?.byteCount ?? 0)
        entries[id] = Entry(texture: texture, byteCount: size, lastUse: clock)
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

// SPDX-License-Identifier: MIT

import Photos

/// Which photos of the grid stand for the pictures of bursts that matter to a pick: those that are chosen, and
/// those in the preview.
///
/// In the same way, a photo of the library stands for the same file that the person brought from elsewhere.
struct KnownFrames: Hashable, Sendable {
    private struct Place: Hashable {
        /// The photo that lists show for the picture.
        let shown: AssetID
        /// The number of the last load that had begun when this became known.
        let load: Int
    }

    private var places: [AssetID: Place] = [:]
    /// The pictures that a photo is shown for, itself left out.
    private var frames: [AssetID: Set<AssetID>] = [:]

    /// The photo that lists show for a picture, which most often is the picture itself.
    func shown(for id: AssetID) -> AssetID { places[id]?.shown ?? id }

    /// The known pictures that a photo is shown for, itself left out; none for most.
    func frames(of id: AssetID) -> Set<AssetID> { frames[id] ?? [] }

    /// Learns the pictures of a burst while a load is in progress, or was the last one.
    mutating func learn(_ burst: Burst, during load: Int) {
        for id in frames(of: burst.shown) { places[id] = nil }
        frames[burst.shown] = nil
        for id in burst.frames.ids where id != burst.shown { set(id, burst.shown, load) }
    }

    /// Takes over what a load has found out, in place of what was known when it began.
    mutating func replace(with found: [AssetID: AssetID], of load: Int) {
        let later = places.filter { $0.value.load >= load }
        self = KnownFrames()
        for (id, place) in later { set(id, place.shown, place.load) }
        for (id, shown) in found { set(id, shown, load) }
    }

    private mutating func set(_ id: AssetID, _ shown: AssetID, _ load: Int) {
        if let former = places[id]?.shown { frames[former]?.remove(id) }
        places[id] = Place(shown: shown, load: load)
        frames[shown, default: []].insert(id)
    }
}

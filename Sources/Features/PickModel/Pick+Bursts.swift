// SPDX-License-Identifier: MIT

package import Photos

// A burst is one photo of the grid, and its pictures are chosen one by one in the preview.

// MARK: - What is shown

extension Pick {
    /// What is chosen of a photo, in the order of choice: the photo, or any pictures of its burst.
    package func chosen(of id: AssetID) -> [AssetID] {
        let frames = knownFrames.frames(of: id)
        // Asked for each photo of a large album.
        if frames.isEmpty { return selection.contains(id) ? [id] : [] }
        return ([id] + frames).compactMap { id in selection.number(of: id).map { ($0, id) } }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The places of these in the order of choice, from 1.
    package func numbers(of id: AssetID) -> [Int] {
        chosen(of: id).compactMap { selection.number(of: $0) }
    }

    /// Whether a photo, or a picture of its burst, is chosen.
    func isChosen(_ id: AssetID) -> Bool { !chosen(of: id).isEmpty }

    /// The place of the picture in view among those of its burst, from 0, and their number; nil if it is of
    /// none.
    package var framePosition: (index: Int, count: Int)? {
        guard let preview, let frames = preview.burst?.frames,
            let index = frames.index(of: preview.shown)
        else { return nil }
        return (index, frames.count)
    }

    /// The width of the picture in view divided by its height; 1 if that is not known.
    package var previewRatio: Double {
        guard let preview else { return 1 }
        for list in [preview.burst?.frames, photos].compactMap(\.self) {
            if let index = list.index(of: preview.shown) { return Double(list.aspectRatios[index]) }
        }
        return photos.index(of: preview.id).map { Double(photos.aspectRatios[$0]) } ?? 1
    }

    /// The pictures of the burst before and after the one in view, the next one first.
    package var frameNeighbours: [AssetID] {
        guard let ids = preview?.burst?.frames.ids, let position = framePosition else { return [] }
        return [position.index + 1, position.index - 1].filter(ids.indices.contains)
            .map { ids[$0] }
    }
}

// MARK: - Events

extension Pick {
    /// Shows the pictures of the burst that the photo in the preview is one of; nil for none.
    mutating func show(_ burst: Burst?, of id: AssetID) -> [PickEffect] {
        guard let preview, preview.id == id else { return [] }
        self.preview?.burst = burst
        if let burst { knownFrames.learn(burst, during: loadCount) }
        guard let frame = preview.frame, burst?.frames.index(of: frame) == nil else { return [] }
        // The same photo as a file that the person brought is of no burst.
        if selection.items.contains(where: {
            $0.reference == .asset(frame) && $0.source != .library
        }) {
            return []
        }
        self.preview?.frame = nil
        self.preview?.isInherited = true
        closeCrop(of: [frame])
        return []
    }

    mutating func moveFrame(_ step: PreviewStep) -> [PickEffect] {
        guard let ids = preview?.burst?.frames.ids, let position = framePosition else { return [] }
        let target = step.target(from: position.index, of: position.count)
        return ids.indices.contains(target) ? showFrame(ids[target]) : []
    }

    mutating func showFrame(_ id: AssetID) -> [PickEffect] {
        guard let preview, preview.burst?.frames.index(of: id) != nil else { return [] }
        self.preview?.frame = id == preview.id ? nil : id
        self.preview?.isInherited = false
        return []
    }

    /// Shows what is chosen of a burst, if that is another picture than the one in the grid.
    mutating func showChosenFrame() {
        guard let id = preview?.id, !selection.contains(id) else { return }
        let first = chosen(of: id).first
        preview?.frame = first
    }
}

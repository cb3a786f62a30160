// SPDX-License-Identifier: MIT

package import Photos

// MARK: - What is shown

extension Pick {
    /// The place of the previewed photo among those to go through, from 0, and their number; nil
    /// without a preview.
    package var previewPosition: (index: Int, count: Int)? {
        guard let preview, let index = previewIndex(of: preview.id) else { return nil }
        return (index, preview.chosen?.count ?? photos.count)
    }

    /// The photos before and after the previewed one, the next one first.
    package var previewNeighbours: [AssetID] {
        guard let position = previewPosition else { return [] }
        let ids = previewIDs
        return [position.index + 1, position.index - 1].filter(ids.indices.contains)
            .map { ids[$0] }
    }

    /// Why the picture in the preview cannot be chosen; nil if it can, or has been already.
    package var previewRefusal: Refusal? { preview.flatMap { refusal(of: $0.shown) } }

    /// Whether Select delivers the photo in the preview, whatever was chosen before.
    var acceptsPreview: Bool { preview != nil && selection.limits.maximum == 1 }

    /// The photos to look up, because the person would be misled if one of them were gone.
    package var idsInView: [AssetID] {
        let others =
            (preview?.chosen ?? [])
            + Set([preview?.id, preview?.frame, crop?.id].compactMap(\.self))
        return selection.assetIDs + others.filter { !selection.contains($0) }
    }

    private var previewIDs: [AssetID] { preview?.chosen ?? photos.ids }

    private func previewIndex(of id: AssetID) -> Int? {
        preview?.chosen.map { $0.firstIndex(of: id) } ?? photos.index(of: id)
    }
}

// MARK: - Events

extension Pick {
    mutating func preview(_ id: AssetID) -> [PickEffect] {
        guard photos.index(of: id) != nil else { return [] }
        focus = id
        preview = Preview(id)
        showChosenFrame()
        return []
    }

    mutating func movePreview(_ step: PreviewStep) -> [PickEffect] {
        guard let position = previewPosition else { return [] }
        let target = step.target(from: position.index, of: position.count)
        let ids = previewIDs
        guard ids.indices.contains(target) else { return [] }
        preview?.id = ids[target]
        preview?.isInherited = false
        if target != position.index, preview?.chosen == nil { showChosenFrame() }
        return []
    }

    /// Goes through the chosen photos only, or through all of them again.
    mutating func limitPreview(toChosen isLimited: Bool) -> [PickEffect] {
        guard let preview, isLimited != (preview.chosen != nil) else { return [] }
        if isLimited {
            let chosen = selection.assetIDs
            guard let first = chosen.first else { return [] }
            self.preview?.chosen = chosen
            self.preview?.id = [preview.shown, preview.id].first(where: chosen.contains) ?? first
            self.preview?.frame = nil
        } else {
            self.preview?.chosen = nil
            // It may be a picture of a burst for which the album has another one.
            let id = knownFrames.shown(for: preview.id)
            if photos.index(of: id) != nil {
                let frame = preview.shown
                self.preview?.id = id
                self.preview?.frame = frame == id ? nil : frame
            } else {
                // A chosen photo may be in another album.
                guard let first = photos.ids.first else { return closePreview() }
                self.preview?.id = focus ?? first
            }
        }
        return []
    }

    /// Returns to the photos, to the one that was shown last.
    mutating func closePreview() -> [PickEffect] {
        guard let shown = preview?.id else { return [] }
        preview = nil
        // Where one photo is wanted, nothing else would show a choice from another source.
        if selection.limits.maximum == 1, !isPreparing,
            selection.items.contains(where: { $0.source != .library })
        {
            selection.removeAll()
        }
        return focus(on: knownFrames.shown(for: shown))
    }

    /// What keys mean in the preview.
    mutating func pressInPreview(_ key: PickKey) -> [PickEffect] {
        switch key {
        case .toggle: selection.limits.maximum == 1 ? [] : choosePreviewed()
        case .open: selection.limits.maximum == 1 ? acceptPreviewed() : closePreview()
        case .move, .extend, .selectAll, .deselectAll: []
        }
    }

    /// Chooses the picture in the preview, even if another was chosen before, and finishes.
    mutating func acceptPreviewed() -> [PickEffect] {
        guard let id = preview?.shown else { return [] }
        if let refusal = confirmPreviewed() { return refusal }
        if let refusal = refusal(of: id) { return [.announce(refusal)] }
        _ = selection.select(PickedItem(id))
        return accept()
    }

    private mutating func choosePreviewed() -> [PickEffect] {
        guard let id = preview?.shown else { return [] }
        let finishes = isImmediate
        if finishes, let refusal = confirmPreviewed() { return refusal }
        preview?.isInherited = false
        if let refusal = refusal(of: id) { return [.announce(refusal)] }
        endRange()
        let item = PickedItem(id)
        let change = finishes ? selection.select(item) : selection.toggle(item)
        if case .refused(let limit) = change { return [.announce(.tooMany(maximum: limit))] }
        return finishes && obstacle == nil ? accept() : []
    }

    /// The person may have meant the photo that has gone; the next key is for the one shown now.
    private mutating func confirmPreviewed() -> [PickEffect]? {
        guard preview?.isInherited == true else { return nil }
        preview?.isInherited = false
        return [.announce(.listChanged)]
    }
}

// MARK: - Changes of the library

extension Pick {
    /// Shows a neighbour in place of a photo that another list no longer has.
    ///
    /// Call this before the other list takes the place of ``photos``.
    mutating func movePreview(to other: PhotoList) {
        guard let preview, preview.chosen == nil, other.index(of: preview.id) == nil else { return }
        // Another picture of its burst is shown for it now.
        let shown = knownFrames.shown(for: preview.id)
        if shown != preview.id, other.index(of: shown) != nil {
            self.preview?.id = shown
            self.preview?.frame = preview.shown
            return
        }
        closeCrop(of: [preview.id, preview.shown])
        guard let next = neighbour(of: preview.id, in: other) else { return self.preview = nil }
        self.preview?.id = next
        self.preview?.isInherited = true
    }

    /// Leaves out chosen photos that have gone.
    mutating func dropFromPreview(_ gone: Set<AssetID>) {
        guard let preview else { return }
        if let frame = preview.frame, gone.contains(frame) {
            self.preview?.frame = nil
            self.preview?.isInherited = true
        }
        guard let chosen = preview.chosen else { return }
        let kept = chosen.filter { !gone.contains($0) }
        self.preview?.chosen = kept
        guard gone.contains(preview.id) else { return }
        let index = chosen.firstIndex(of: preview.id) ?? 0
        let next = chosen[index...].first { !gone.contains($0) } ?? kept.last
        guard let next else { return self.preview = nil }
        self.preview?.id = next
        self.preview?.isInherited = true
    }
}

// SPDX-License-Identifier: MIT

import Photos

// MARK: - Mouse and assistive technology

extension Pick {
    mutating func click(
        _ id: AssetID, presses: Int, isExtending: Bool, isSettled: Bool
    ) -> [PickEffect] {
        guard photos.index(of: id) != nil else { return [] }
        let finishes = presses > 1 ? selection.limits.maximum == 1 : isImmediate
        // What finishes cannot be taken back.
        if finishes, !isSettled { return move(to: id) + [.announce(.listChanged)] }
        if presses > 1 {
            focus = id
            return finishes ? chooseAndFinish(id) : previewAfterClick(id, presses)
        }
        beforeClick = (id, selection)
        if isExtending, selection.limits.maximum != 1 {
            // The person pointed at no other photo that is still there.
            return extend(to: id, from: isFocusInherited ? nil : focus)
        }
        return choose(id)
    }

    /// Opens the preview for the second press of a double click, and takes back what the first one did.
    ///
    /// Whoever wants to look at a photo has not decided about it yet.
    private mutating func previewAfterClick(_ id: AssetID, _ presses: Int) -> [PickEffect] {
        defer { beforeClick = nil }
        guard presses == 2, preview == nil, !isImmediate else { return [] }
        if let before = beforeClick, before.id == id {
            endRange()
            selection = before.selection
        }
        return preview(id)
    }

    /// Chooses a photo or removes it; with `immediate`, chooses it and finishes.
    ///
    /// Of a burst with several chosen pictures, it opens the preview: the grid does not show which ones
    /// would be lost.
    mutating func choose(_ id: AssetID) -> [PickEffect] {
        guard let index = photos.index(of: id) else { return [] }
        focus = id
        startRange(at: id)
        if let refusal = refusal(at: index) { return [.announce(refusal)] }
        let finishes = isImmediate || cropsAtOnce
        let item = PickedItem(id)
        let former = chosen(of: id)
        if !finishes, !former.isEmpty {
            guard former.count == 1 else { return preview(id) }
            selection.remove(Set(former.map { .asset($0) }))
            return []
        }
        // A picture of a burst that was chosen in the preview stays the chosen one.
        if former.isEmpty, case .refused(let limit) = selection.select(item) {
            return [.announce(.tooMany(maximum: limit))]
        }
        return finishes && obstacle == nil ? accept() : []
    }

    /// Chooses all photos of a group, or none of them if all were chosen.
    mutating func toggle(_ ids: [AssetID]) -> [PickEffect] {
        guard selection.limits.maximum != 1 else { return [] }
        let wanted = Set(ids)
        let ids = photos.fitting(0..<photos.count).filter { wanted.contains($0) }
        endRange()
        if ids.isEmpty {
            return wanted.first.flatMap { refusal(of: $0) }.map { [.announce($0)] } ?? []
        }
        let rest = ids.filter { !isChosen($0) }
        guard !rest.isEmpty else {
            selection.remove(Set(ids.flatMap { chosen(of: $0) }.map { .asset($0) }))
            return []
        }
        let refused = selection.selectAll(rest.lazy.map { PickedItem($0) })
        return announceRefused(refused)
    }

    /// Chooses a photo, even if others were chosen before, and finishes.
    private mutating func chooseAndFinish(_ id: AssetID) -> [PickEffect] {
        if let refusal = refusal(of: id) { return [.announce(refusal)] }
        if !isChosen(id) { _ = selection.select(PickedItem(id)) }
        return accept()
    }
}

// MARK: - Other sources

extension Pick {
    /// Chooses items that are not from the library.
    ///
    /// Where one is wanted it takes the place of the one before, and the preview shows it, because no
    /// other page does.
    mutating func add(_ items: [PickedItem]) -> [PickEffect] {
        beforeClick = nil
        guard selection.limits.maximum == 1, let item = items.first else {
            // In a sheet, one photo that the person has decided for is enough.
            let finishes = isImmediate && !hasTurned && items.first?.source == .camera
            let refused = selection.selectAll(items)
            return announceRefused(refused) + (finishes && obstacle == nil ? accept() : [])
        }
        endRange()
        // Files take a while to arrive; the person may have turned to a photo meanwhile.
        let isAlone = items.count == 1 && preview == nil && crop == nil
        crop = nil
        // What a click does is said of the page where they brought it, and they have left that. At a photo from
        // the camera they have looked already, and decided to use it.
        let finishes = (isImmediate || item.source == .camera) && !hasTurned || cropsAtOnce
        _ = selection.select(item)
        if case .asset(let id) = item.reference {
            preview = Preview(id)
            preview?.chosen = [id]
            preview?.isInherited = !isAlone
        }
        if isAlone, finishes {
            return obstacle == nil ? accept() : []
        }
        return items.count > 1 ? [.announce(.tooMany(maximum: 1))] : []
    }
}

// MARK: - The app

extension Pick {
    /// Removes photos that the app no longer wants, and tells the person.
    mutating func deselect(_ ids: Set<AssetID>) -> [PickEffect] {
        let chosen = ids.filter { selection.contains($0) }
        guard !chosen.isEmpty else { return [] }
        closeCrop(of: chosen)
        beforeClick = nil
        range.subtract(chosen)
        selection.remove(Set(chosen.map { .asset($0) }))
        return [.announce(.deselected(chosen.count))]
    }

    /// Takes other limits of the app, and removes what is beyond them.
    mutating func limit(to limits: CountLimits) -> [PickEffect] {
        let before = selection.assetIDs
        let count = selection.setLimits(limits)
        let dropped = Set(before.filter { !selection.contains($0) })
        closeCrop(of: dropped)
        beforeClick = nil
        range.subtract(dropped)
        return announceRefused(count)
    }
}

// MARK: - Keys

extension Pick {
    mutating func press(_ key: PickKey) -> [PickEffect] {
        switch key {
        case .toggle, .open:
            guard let focus else { return [] }
            let opens = key == .open && selection.limits.maximum == 1
            if isFocusInherited, opens || isImmediate {
                // The person may have meant the photo that has gone; the next key is for this one.
                isFocusInherited = false
                return [.announce(.listChanged)]
            }
            if opens { return chooseAndFinish(focus) }
            return key == .open ? preview(focus) : choose(focus)
        case .move(let target): return move(to: target)
        case .extend(let target):
            guard selection.limits.maximum != 1 else { return move(to: target) }
            return extend(to: target, from: focus)
        case .selectAll: return selectAll()
        case .deselectAll:
            selection.removeAll()
            range = []
            return []
        }
    }

    /// Follows the focus to the photo that a widget reports.
    mutating func focus(on id: AssetID) -> [PickEffect] {
        // Our own moves arrive as this event as well, and must not end the range.
        id == focus ? [] : move(to: id)
    }

    private mutating func move(to id: AssetID) -> [PickEffect] {
        // The tray has pictures of bursts that the grid shows as one.
        let id = knownFrames.shown(for: id)
        guard photos.index(of: id) != nil else { return [] }
        focus = id
        startRange(at: id)
        return []
    }

    mutating func selectAll() -> [PickEffect] {
        guard selection.limits.maximum != 1 else { return [] }
        // Those in view may be the photos of the album that the person has left.
        guard isComplete else {
            choosesAllWhenLoaded = true
            return []
        }
        choosesAllWhenLoaded = false
        range = []
        let fitting = photos.fitting(0..<photos.count)
        if fitting.isEmpty, !photos.isEmpty {
            return refusal(at: 0).map { [.announce($0)] } ?? []
        }
        let rest = fitting.filter { !isChosen($0) }
        let refused = selection.selectAll(rest.lazy.map { PickedItem($0) })
        return announceRefused(refused)
    }

    /// Why a photo cannot be chosen; nil if it can, or has been already.
    func refusal(of id: AssetID) -> Refusal? {
        // A picture of a burst has a size and a date of its own.
        if let frames = preview?.burst?.frames, let index = frames.index(of: id) {
            return refusal(at: index, in: frames)
        }
        return photos.index(of: id).flatMap { refusal(at: $0) }
    }

    /// Why a listed photo cannot be chosen; nil if it can, or has been already.
    private func refusal(at index: Int) -> Refusal? {
        isChosen(photos.ids[index]) ? nil : refusal(at: index, in: photos)
    }

    private func refusal(at index: Int, in list: PhotoList) -> Refusal? {
        guard let rule = list.brokenRule(at: index), !selection.contains(list.ids[index]) else {
            return nil
        }
        return .unfit(rule, of: query.wanted)
    }
}

// MARK: - Ranges

extension Pick {
    private mutating func startRange(at id: AssetID) {
        anchor = id
        range = []
    }

    mutating func endRange() {
        anchor = nil
        range = []
    }

    /// Chooses all photos from the anchor to a photo, including both.
    ///
    /// Removes photos that the same range added earlier and that are now outside it. Photos that
    /// were chosen before the range began are kept.
    ///
    /// - Parameter origin: Where the range begins if there is no anchor; nil for the target.
    private mutating func extend(to target: AssetID, from origin: AssetID?) -> [PickEffect] {
        guard let end = photos.index(of: target) else { return [] }
        let begin = (anchor ?? origin).flatMap { photos.index(of: $0) } ?? end
        anchor = photos.ids[begin]
        focus = target
        let between = photos.fitting(min(begin, end)..<max(begin, end) + 1)
        let inside = Set(between)
        selection.remove(Set(range.subtracting(inside).map { .asset($0) }))
        range.formIntersection(inside)
        let added = (begin <= end ? between : between.reversed())
            .filter { !isChosen($0) }
        let refused = selection.selectAll(added.lazy.map { PickedItem($0) })
        range.formUnion(added.filter { selection.contains($0) })
        return announceRefused(refused)
    }

    func announceRefused(_ count: Int) -> [PickEffect] {
        count > 0 ? [.announce(.tooMany(maximum: selection.limits.capacity))] : []
    }
}

// SPDX-License-Identifier: MIT

import Photos

extension Pick {
    /// Changes the state by an event.
    ///
    /// Events about photos that are not listed, and results of outdated loads, change nothing. While
    /// the files for an app are being made ready, a person can look around and cancel; what they saw
    /// when they accepted is what the app gets.
    ///
    /// - Returns: The work to do now, in order.
    package mutating func handle(_ event: PickEvent) -> [PickEffect] {
        guard !isFinished else { return [] }
        guard !isAbandoned else {
            return event == .cancelled || event == .closed ? end(.ended) : []
        }
        guard !isPreparing || !event.changesAnswer else { return [] }
        // The person decided about files from elsewhere before these arrived.
        let isArrival = if case .added = event { true } else { false }
        let isDecision = event.changesAnswer && !isArrival
        if isDecision, event != .accepted, event != .confirmed { lost = [] }
        if isDecision || event.changesQuery { choosesAllWhenLoaded = false }
        let effects = apply(event)
        // A photo that has gone meanwhile: the person decides about the rest.
        if let preparing, preparing != selection.items {
            self.preparing = nil
            lost = []
        }
        return effects
    }

    private mutating func apply(_ event: PickEvent) -> [PickEffect] {
        switch event {
        case .opened(let album): return open(on: album)
        case .albumChosen(let album): return show(album)
        case .filterChosen(let index): return filter(by: index)
        case .searched(let text): return search(for: text)
        case .suggested(let query, let suggestions):
            if query == self.query { self.suggestions = suggestions }
        case .gridOpened: return openGrid()
        case .sheetReturned: return returnToSheet()
        case .libraryChanged: return reload()
        case .began(let load, let photos): return begin(load, photos)
        case .loaded(let load, let contents): return use(contents, of: load)
        case .failed(let load): return fail(load)
        case .outdated(let ids): return giveUp(ids)
        case .lossRead: lost = []
        case .clicked(let id, let presses, let isExtending, let isSettled):
            return click(id, presses: presses, isExtending: isExtending, isSettled: isSettled)
        case .activated(let id): return choose(id)
        case .newestChosen(let isSettled): return chooseNewest(isSettled: isSettled)
        case .groupToggled(let ids): return toggle(ids)
        case .focused(let id): return focus(on: id)
        case .key where crop != nil || isCameraOpen: return []
        case .key(let key): return preview == nil ? press(key) : pressInPreview(key)
        case .previewed(let id): return preview(id)
        case .previewMoved(let step): return movePreview(step)
        case .burstFound(let id, let burst): return show(burst, of: id)
        case .frameMoved(let step): return moveFrame(step)
        case .frameShown(let id): return showFrame(id)
        case .previewLimited(let isLimited): return limitPreview(toChosen: isLimited)
        case .previewClosed: return closePreview()
        case .added(let items): return add(items)
        case .examining(let count):
            examinedCount = count
            if count > 0 { hasTurned = false }
        case .removed(let reference): selection.remove([reference])
        case .moved(let reference, let index): selection.move(reference, to: index)
        case .measured(let sizes): facts.note(sizes)
        case .clipped(let reference, let clip, let isTouched):
            selection.clip(reference, to: clip, .none, isTouched: isTouched)
        case .limited(let limits): return limit(to: limits)
        case .deselected(let ids): return deselect(ids)
        case .granted(let grant, let isGranted): set(grant, isGranted)
        case .answered(let question, let answer): file?.answer(question, with: answer)
        case .located(let id, let hasLocation):
            if hasLocation { file?.withLocation.insert(id) }
        case .locationRemoval(let removes): file?.removeLocation(removes)
        case .preparing(let count): if isPreparing { file?.readyCount = count }
        case .prepared(let uris): return finish(with: uris)
        case .notPrepared(let reason): return keepOpen(reason)
        case .cropOpened: return cropPreviewed()
        case .cropSized(let id, let size): return sizeCrop(id, size)
        case .cropChanged(let change): return self.change(crop: change)
        case .cropClosed: return closeCrop()
        case .cameraFound(let isFound): hasCamera = isFound
        case .cameraForbidden(let isForbidden): isCameraForbidden = isForbidden
        case .cameraOpened: return openCamera()
        case .cameraClosed: return closeCamera()
        case .accepted where crop != nil, .cropDone: return finishCrop()
        case .accepted:
            return confirmLoss() ?? (acceptsPreview ? acceptPreviewed() : accept())
        case .confirmed: return confirm()
        case .cancelled: return end(.cancelled)
        case .browsed: return browse()
        case .closed: return end(.ended)
        case .abandoned:
            isAbandoned = true
            isCameraOpen = false
            preparing = nil
            return [.reportAbandonment]
        }
        return []
    }

    // MARK: - Grants

    /// Grants or withholds something, if the app asked for it.
    private mutating func set(_ grant: Grants, _ isGranted: Bool) {
        let wished = grant.intersection(request.options.wishes)
        if isGranted { grants.formUnion(wished) } else { grants.subtract(wished) }
    }

    // MARK: - End

    /// Finishes with the chosen items, unless the app wants more of them.
    ///
    /// - Parameter isConfirmed: Whether the person was asked about their number.
    mutating func accept(isConfirmed: Bool = false) -> [PickEffect] {
        if let obstacle { return [.announce(obstacle)] }
        guard preparing == nil, !cropNext() else { return [] }
        if selection.count > Self.mostUnconfirmed, !isConfirmed {
            confirming = selection.items
            return [.confirm(receipt)]
        }
        if let file, !selection.isEmpty {
            preparing = selection.items
            self.file?.readyCount = nil
            return [.prepare(selection.items, removingLocation: file.removesLocation)]
        }
        return end(.picked(selection.items, granting: grants))
    }

    /// Finishes with what the person was asked about, and asks again if that has changed.
    private mutating func confirm() -> [PickEffect] {
        guard let confirmed = confirming else { return [] }
        confirming = nil
        return confirmLoss() ?? accept(isConfirmed: confirmed == selection.items)
    }

    /// Tells the person once more that chosen photos have gone; nil if none have.
    ///
    /// They may have gone just before the button was pressed, which was meant for all of them. So may
    /// have been the second press of a double click.
    private mutating func confirmLoss() -> [PickEffect]? {
        guard obstacle == nil, !lost.isEmpty else { return nil }
        // The time to read it does not begin again.
        guard !isLossRepeated else { return [] }
        isLossRepeated = true
        return [.announce(.notReady(.changed(lost, name: nil)))]
    }

    private mutating func finish(with uris: [String]) -> [PickEffect] {
        guard let items = preparing else { return [] }
        preparing = nil
        file?.prepared = uris
        return end(.picked(items, granting: grants))
    }

    /// Lets the person decide what to do without the files that are not ready.
    private mutating func keepOpen(_ reason: Unready) -> [PickEffect] {
        guard preparing != nil else { return [] }
        preparing = nil
        guard case .changed(let changed, _) = reason else { return [.announce(.notReady(reason))] }
        // The person has to look at them again.
        selection.remove(Set(changed))
        return [.reload(changed), .announce(.notReady(reason))]
    }

    mutating func end(_ outcome: PickOutcome) -> [PickEffect] {
        isFinished = true
        return [.finish(outcome)]
    }

    private mutating func browse() -> [PickEffect] {
        guard file?.request.canBrowse == true else { return [] }
        isFinished = true
        return [.browse]
    }
}

// SPDX-License-Identifier: MIT

package import Photos

/// What differs where a request has a sheet.
extension Pick {
    /// Whether the first click on a photo finishes.
    ///
    /// In a sheet it does unless the app says otherwise, wants several, or something is chosen already: the
    /// sheet does not show all that is, and a click may be meant to take it back. In the grid that a row of
    /// the sheet opens, the person may want to look around.
    package var isImmediate: Bool {
        request.options.isImmediate
            ?? (layout == .sheet && selection.isEmpty && selection.limits.minimum < 2)
    }

    /// Whether the person can return from the photos in view to the sheet.
    package var hasSheetBehind: Bool { request.options.layout == .sheet && layout == .grid }

    /// Whether activating a row does anything now.
    package func offers(_ action: SheetAction.Kind) -> Bool {
        if action == .close { return true }
        guard !isPreparing, !isAbandoned else { return false }
        return switch action {
        case .library: takes(.library)
        // One is not enough for some.
        case .recent: newest != nil && isComplete && selection.limits.minimum < 2
        case .files: offersFiles
        case .camera: offersCamera
        case .close: true
        }
    }

    /// Whether the sheet has a row that finishes with what is chosen.
    ///
    /// Where the first click finishes, there is nothing for it to do until a photo is chosen by other means.
    package var hasAcceptRow: Bool {
        !isImmediate || !selection.isEmpty || selection.limits.minimum != 1
    }

    // MARK: - Events

    /// Shows the grid in place of the sheet.
    mutating func openGrid() -> [PickEffect] {
        guard layout == .sheet, offers(.library) else { return [] }
        layout = .grid
        hasTurned = true
        sheetQuery = query
        return []
    }

    /// Shows the sheet again, with its own photos; what is chosen stays so.
    mutating func returnToSheet() -> [PickEffect] {
        guard hasSheetBehind else { return [] }
        layout = .sheet
        hasTurned = true
        preview = nil
        crop = nil
        // The photo that keys acted on in the grid may not be in the strip.
        focus = nil
        guard let former = sheetQuery, former != query else { return [] }
        query = former
        // What it says of another album, or of a search, is not meant for these photos.
        page = .photos
        suggestions = []
        return startLoad(showsBeginning: true)
    }

    /// Chooses the newest photo alone, whatever was chosen before, and finishes.
    ///
    /// - Parameter isSettled: Whether the person can have seen which one it is.
    mutating func chooseNewest(isSettled: Bool) -> [PickEffect] {
        guard layout == .sheet, offers(.recent), let newest else { return [] }
        guard isSettled else { return focus(on: newest) + [.announce(.listChanged)] }
        endRange()
        selection.removeAll()
        _ = selection.select(PickedItem(newest))
        return accept()
    }

    /// Finds the newest of the photos in view that the app may get: people order albums as they like.
    mutating func findNewest() {
        guard request.options.layout == .sheet else { return }
        var best: Int?
        for index in photos.ids.indices where photos.brokenRule(at: index) == nil {
            if let known = best, photos.taken[known] >= photos.taken[index] { continue }
            best = index
        }
        newest = best.map { photos.ids[$0] }
    }
}

// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

extension PickerWindow {
    func connect() {
        views.window.onClose { [weak self] in self?.send(.cancelled) }
        views.cancel.onClick { [weak self] in self?.goBack() }
        views.accept.onClick { [weak self] in self?.send(.accepted) }
        views.browse.onClick { [weak self] in self?.send(.browsed) }
        views.window.onRelease { [weak self] in self?.lists.forEach { $0.stock.endPress() } }
        views.window.onFocusChange { [weak self] in self?.grid.followFocus() }
        views.window.onKey { [weak self] key, modifiers, isRepeated in
            guard let self else { return false }
            // To hold a key moves on, but chooses, opens and ends nothing twice.
            let isGridInFront =
                pick.preview == nil && pick.crop == nil && !pick.isCameraOpen
                && pick.layout == .grid
            let movesOn = key.moves || pick.preview != nil && key.skips
            return isGridInFront && handleZoom(key, modifiers) || isRepeated && !movesOn
                || handle(key, modifiers)
        }
        views.connectSidebar()
        connectWidth()
        connectZoom()
        views.onFocusLost = { [weak self] in _ = self?.grid.takeFocus() }
        views.search.onEvent = { [weak self] event in
            // A suggestion may be an album, whose photos the albums would hide.
            if case .albumChosen = event { _ = self?.views.showPhotos() }
            self?.send(event)
        }
        views.search.onLeave = { [weak self] in
            // A page that says that nothing was found may still be in front of the photos.
            if self?.grid.takeFocus() == false { self?.views.oweFocus() }
        }
        views.search.onEnter = { [weak self] in
            guard let self else { return }
            _ = focusPhotos(in: grid)
        }
        if pick.takes(.library) {
            views.search.connect(
                views.window, clear: views.clearSearch, all: views.searchAll)
        }
        connectTray()
        connectSources()
        fileBar?.onEvent = { [weak self] event in self?.send(event) }
        locations.onFound = { [weak self] id, has in self?.send(.located(id, has)) }
        connectPreview()
        connectCrop()
        connectCamera()
        for bar in grantBars { bar.onEvent = { [weak self] event in self?.send(event) } }
        sidebar.onChoose = { [weak self] album in
            guard let self else { return }
            if views.showPhotos() { ignoreDoubleClick() }
            send(.albumChosen(album))
            // Keys are for its photos now. Tab would first lead through all other albums.
            grid.takeFocus()
        }
        sidebar.loadCover = { [source] id, pixels in await source.cover(of: id, pixels: pixels) }
        grid.onShift = { [weak self] in self?.pauseAfterShift() }
        for list in lists { connect(list.stock) }
        connectSheet()
    }

    private func connect(_ stock: TileStock) {
        stock.onEvent = { [weak self] event in self?.send(event) }
        stock.isSettled = { [weak self] in self?.shiftPause.isActive != true }
        stock.numbers = { [weak self] id in self?.pick.numbers(of: id) ?? [] }
        stock.reason = { [offer = pick.offer, filter = pick.request.options.filter] rule in
            offer.text(rule, of: filter)
        }
        stock.showsNumbers = pick.request.options.isOrdered
        stock.load = { [source] id, pixels in await source.texture(of: id, pixels: pixels) }
        stock.caption = { [library] id in await library.caption(of: id) }
        stock.ready = { [source] id, pixels in source.readyTexture(of: id, pixels: pixels) }
    }

    private func handle(_ key: Key, _ modifiers: Modifiers) -> Bool {
        // The menu has its own keys, and Escape closes it.
        if views.viewMenu.isOpen { return false }
        views.keepFocus()
        sheet?.keepFocus()
        if key == .tab { views.viewMenu.noteTab() }
        if pick.isCameraOpen { return camera.handle(key, modifiers) }
        if pick.crop != nil { return handleInCrop(key, modifiers) }
        if pick.preview != nil { return handleInPreview(key, modifiers) }
        if pick.layout == .sheet { return handleInSheet(key, modifiers) }
        // The field has keys of its own: to edit the text, and to leave the search.
        if views.search.isFocused, key == .escape || key == .character("a") { return false }
        switch key {
        case .escape:
            if !views.goBack(), !views.search.close() { goBack() }
        case .character("f") where modifiers == .control && pick.takes(.library):
            views.search.open()
        case .character("o") where modifiers == .control: openFiles()
        // In the field, the text of the clipboard is meant.
        case .character("v") where modifiers == .control && !views.search.isFocused: paste()
        case .down where views.search.isFocused: return focusPhotos(in: grid)
        case .enter where modifiers.contains(.control): send(.accepted)
        case .character("a") where modifiers.contains(.control):
            send(.key(modifiers.contains(.shift) ? .deselectAll : .selectAll))
        case .function(9):
            let hadFocus = sidebar.containsFocus
            views.toggleSidebar()
            // GTK would give the focus to a button, and the next key would press it.
            if hadFocus { grid.takeFocus() }
        // GTK would stop at every album after this one, and come back to the last one. From the
        // first or the last one it leaves the list.
        case .tab where modifiers.isEmpty && sidebar.containsFocus:
            if views.focusSources() || focusPhotos(in: grid) { return true }
            sidebar.focusLast()
            return false
        case .tab where modifiers == .shift && views.isGridFocused: return sidebar.takeFocus()
        case .tab where modifiers == .shift && sidebar.containsFocus:
            sidebar.focusFirst()
            return false
        // In a new window the photos have the focus, and nothing shows it.
        case .tab where modifiers.isEmpty && views.isGridFocused && pick.focus == nil:
            return focusPhotos(in: grid)
        default:
            return views.isGridFocused && handleInGrid(key, modifiers)
                || tray.containsFocus && tray.handle(key, modifiers)
        }
        return true
    }

    /// Gives the focus to the photos, and shows which one has it.
    ///
    /// - Returns: Whether there are any.
    func focusPhotos(in list: any PhotoListView) -> Bool {
        guard list.takeFocus() else { return false }
        if pick.focus == nil, let first = list.target(of: .right) {
            send(.key(.move(to: first)))
        }
        list.isFocusShown = pick.focus != nil
        return list.isFocusShown
    }

    /// Keys in the grid, unless another widget has the focus.
    private func handleInGrid(_ key: Key, _ modifiers: Modifiers) -> Bool {
        switch key {
        case .pageUp where modifiers == .control, .pageDown where modifiers == .control:
            defer { grid.isFocusShown = pick.focus != nil }
            guard let target = grid.targetSection(of: key) else { return true }
            send(.key(.move(to: target)))
            return true
        default: return handle(key, modifiers, on: grid)
        }
    }

    /// Keys that act on photos, in the grid and in the sheet.
    func handle(_ key: Key, _ modifiers: Modifiers, on list: any PhotoListView) -> Bool {
        defer { list.isFocusShown = pick.focus != nil }
        switch key {
        case .space:
            // In a new window Space acts on the photo that Tab would reach.
            if pick.focus == nil, let first = list.target(of: .right) {
                send(.key(.move(to: first)))
                // The first click of the person would finish: let them see which photo it is.
                if pick.isImmediate { return true }
            }
            guard pick.focus != nil else { return false }
            send(.key(.toggle))
        case .enter where pick.focus != nil: send(.key(.open))
        default:
            guard !modifiers.contains(.control), !modifiers.contains(.alt),
                let target = list.target(of: key)
            else { return false }
            send(.key(modifiers.contains(.shift) ? .extend(to: target) : .move(to: target)))
        }
        return true
    }
}

extension Key {
    /// Whether the key moves the focus, or zooms.
    fileprivate var moves: Bool {
        switch self {
        case .left, .right, .up, .down, .home, .end, .pageUp, .pageDown, .tab: true
        // Those that zoom.
        case .character("+"), .character("="), .character("-"): true
        case .space, .enter, .escape, .delete, .character, .function: false
        }
    }

    /// Whether the key goes forward or back in a video.
    fileprivate var skips: Bool { self == .character("j") || self == .character("l") }
}

// SPDX-License-Identifier: MIT

import Desktop
package import GtkKit
import PhotoLibrary
package import Photos
import SystemPackage

/// The window of one request.
@UIActor
package final class PickerWindow {
    private let request: PickRequest
    /// What a file dialog would show; nil when the app has asked for photos.
    private let file: FileRequest?
    private let environment: PickerEnvironment
    private let source: PhotoSource
    private let views: PickerViews
    private let grid: PhotoGrid
    private let sidebar: AlbumSidebar
    private let fileBar: FileBar?
    private let grantBar: GrantBar
    private var wantsFiles = false
    private var selection: Selection
    private var album: AlbumID
    private var albums: [Album] = []
    /// Where a range that Shift extends begins.
    private var rangeStart: Int?
    private var tasks: [Task<Void, Never>] = []
    private var loadingAlbum: Task<Void, Never>?
    private var continuation: CheckedContinuation<PickOutcome, Never>?

    /// Shows a window and waits until the person has decided.
    ///
    /// Cancelling the task closes the window; the outcome is then `.ended`.
    package static func run(
        _ request: PickRequest, _ environment: PickerEnvironment
    ) async -> PickOutcome {
        await PickerWindow(request, environment).outcome()
    }

    /// Shows a window in the place of a file dialog.
    ///
    /// Cancelling the task closes the window; the outcome is then `.ended`.
    package static func run(
        _ file: FileRequest, _ environment: PickerEnvironment
    ) async -> FileOutcome {
        let window = PickerWindow(file.pick, environment, file)
        switch await window.outcome() {
        case .picked: return await window.answer()
        case .cancelled: return window.wantsFiles ? .browse : .cancelled
        case .ended: return .ended
        }
    }

    private func outcome() async -> PickOutcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { start($0) }
        } onCancel: {
            Task { @UIActor in self.finish(.ended) }
        }
    }

    private init(
        _ request: PickRequest, _ environment: PickerEnvironment, _ file: FileRequest? = nil
    ) {
        self.request = request
        self.file = file
        self.environment = environment
        source = PhotoSource(environment, filter: request.options.mediaTypes)
        let views = PickerViews()
        self.views = views
        grid = PhotoGrid(in: views.grid)
        sidebar = AlbumSidebar(views.albums)
        fileBar = file.map { FileBar(views.fileParts, $0) }
        grantBar = GrantBar(views.fileParts, request)
        views.browse.isVisible = file != nil
        views.bottomBar.isVisible = file != nil || !request.options.wishes.isEmpty
        selection = Selection(
            limits: request.options.count, preselected: request.options.preselected)
        album = request.options.album ?? .all
    }

    // MARK: - Life

    private func start(_ continuation: CheckedContinuation<PickOutcome, Never>) {
        self.continuation = continuation
        if Task.isCancelled { return finish(.ended) }
        views.describe(request)
        connect()
        showSelection()
        views.window.isModal = request.options.isModal
        views.window.setParent(request.parentWindow)
        views.window.present()
        views.grid.grabFocus()
        tasks.append(Task { await self.follow() })
    }

    private func finish(_ outcome: PickOutcome) {
        guard let waiting = continuation else { return }
        continuation = nil
        for task in tasks { task.cancel() }
        loadingAlbum?.cancel()
        views.window.destroy()
        waiting.resume(returning: outcome)
    }

    private func accept() {
        guard selection.isComplete else { return }
        finish(
            .picked(
                selection.ids.map { PickedItem(.asset($0), from: .library) },
                granting: grantBar.granted))
    }

    private func cancel() {
        finish(.cancelled)
    }

    private func browse() {
        wantsFiles = true
        finish(.cancelled)
    }

    /// What an app gets that has asked for files.
    private func answer() async -> FileOutcome {
        let uris = await source.uris(of: selection.ids)
        guard !uris.isEmpty else { return .ended }
        return .chosen(
            FileAnswer(uris: uris, filter: fileBar?.filter, answers: fileBar?.answers ?? []))
    }

    // MARK: - Content

    /// Shows the library, and again whenever it changes.
    private func follow() async {
        // Watched from before the first look, so that no change falls between the two.
        var changes = LibraryChanges(of: environment.library).makeAsyncIterator()
        await refresh(isFirst: true)
        while await changes.next() != nil {
            await refresh(isFirst: false)
            // While the library is read for the first time it changes all the time.
            try? await Task.sleep(for: .milliseconds(400))
            if Task.isCancelled { return }
        }
    }

    private func refresh(isFirst: Bool) async {
        if isFirst {
            if let folder = file?.folder {
                let path = FilePath(platformString: folder.map { CChar(bitPattern: $0) } + [0])
                album = await source.album(ofFolder: path) ?? album
            }
            // The newest photos at once; the whole album may have a million.
            if let first = await source.photos(in: album, limit: Self.firstPhotos) {
                grid.show(first)
            }
        }
        let albums = await source.albums() ?? []
        guard !Task.isCancelled else { return }
        self.albums = albums
        // An album that does not exist is ignored, and so is the wish to show nothing else.
        let opened = albums.opened(for: album)
        let isKnown = opened == album
        album = opened
        views.isLimitedToAlbum = isKnown && request.options.isOnlyAlbum
        sidebar.show(albums, selected: album)
        let photos = await source.photos(in: album) ?? PhotoList()
        let status = await source.status()
        let chosen = selection.ids
        // What is chosen while we look is not among those that are gone.
        let gone = Set(chosen).subtracting(await source.existing(chosen))
        guard !Task.isCancelled else { return }
        grid.update(photos)
        selection.keep { !gone.contains($0) }
        showSelection()
        views.show(status, isEmpty: photos.isEmpty, isWholeLibrary: album == .all)
    }

    /// Shows what the filter lets through that the person has chosen.
    private func showFilter() {
        guard let fileBar else { return }
        source.filter = fileBar.mediaTypes
        tasks.append(Task { await refresh(isFirst: false) })
    }

    private static let firstPhotos = 200

    private func open(_ album: AlbumID) {
        if views.split.isNarrow { views.split.showSidebar(false) }
        guard album != self.album else { return }
        self.album = album
        rangeStart = nil
        loadingAlbum?.cancel()
        loadingAlbum = Task {
            guard let photos = await source.photos(in: album), !Task.isCancelled else { return }
            let status = await source.status()
            grid.show(photos)
            grid.mark(selection, showsNumbers: request.options.isOrdered)
            views.show(status, isEmpty: photos.isEmpty, isWholeLibrary: album == .all)
        }
    }

    // MARK: - Choosing

    private func act(on index: Int, _ action: PhotoGrid.Action) {
        switch action {
        case .click(let presses, let modifiers):
            if presses > 1 {
                // The first press has chosen it, or has taken the choice back.
                if request.options.count.maximum == 1 { finishWith(index) }
            } else if modifiers.contains(.shift), request.options.count.maximum != 1 {
                extendRange(to: index)
            } else {
                toggle(index)
            }
        case .activate: toggle(index)
        }
    }

    private func toggle(_ index: Int) {
        let id = grid.photos.ids[index]
        rangeStart = index
        if request.options.isImmediate, !selection.contains(id) {
            if case .refused(let limit) = selection.select(id) { return refuse(limit) }
            showSelection()
            return accept()
        }
        if case .refused(let limit) = selection.toggle(id) { refuse(limit) }
        showSelection()
    }

    /// Chooses a photo whatever was chosen before, and finishes.
    private func finishWith(_ index: Int) {
        _ = selection.select(grid.photos.ids[index])
        showSelection()
        accept()
    }

    private func extendRange(to index: Int) {
        let start = rangeStart ?? index
        let range = start <= index ? Array(start...index) : (index...start).reversed()
        let refused = selection.selectAll(range.map { grid.photos.ids[$0] })
        if refused > 0, let limit = selection.limits.maximum { refuse(limit) }
        showSelection()
    }

    private func selectAll() {
        guard selection.limits.maximum != 1 else { return }
        let refused = selection.selectAll(grid.photos.ids)
        if refused > 0, let limit = selection.limits.maximum { refuse(limit) }
        showSelection()
    }

    private func refuse(_ limit: Int) {
        views.toasts.show(
            localizedCount(
                one: "You can choose only %@ photo", many: "You can choose up to %@ photos",
                count: limit, LocalTime.number(limit)))
    }

    private func showSelection() {
        grid.mark(selection, showsNumbers: request.options.isOrdered)
        views.show(selection)
    }

    // MARK: - Input

    private func connect() {
        views.window.onClose { [weak self] in self?.cancel() }
        views.cancel.onClick { [weak self] in self?.cancel() }
        views.accept.onClick { [weak self] in self?.accept() }
        views.window.onKey { [weak self] key, modifiers in
            self?.handle(key, modifiers) ?? false
        }
        views.browse.onClick { [weak self] in self?.browse() }
        fileBar?.onFilter = { [weak self] in self?.showFilter() }
        views.connectSidebar()
        sidebar.onChoose = { [weak self] album in self?.open(album) }
        sidebar.loadCover = { [source] id, pixels in
            await source.texture(of: id, pixels: pixels)
        }
        grid.onAction = { [weak self] index, action in self?.act(on: index, action) }
        grid.load = { [source] id, pixels in await source.texture(of: id, pixels: pixels) }
        grid.cached = { [source] id in source.cachedTexture(of: id) }
    }

    private func handle(_ key: Key, _ modifiers: Modifiers) -> Bool {
        switch key {
        case .escape:
            cancel()
            return true
        case .enter where modifiers.contains(.control):
            accept()
            return true
        case .character("a") where modifiers.contains(.control):
            selectAll()
            return true
        case .function(9):
            views.toggleSidebar()
            return true
        default:
            return views.isGridFocused && handleInGrid(key, modifiers)
        }
    }

    /// Keys that act on photos, while no other widget has the focus.
    private func handleInGrid(_ key: Key, _ modifiers: Modifiers) -> Bool {
        switch key {
        case .space:
            guard let index = grid.focusedIndex else { return false }
            toggle(index)
        case .enter:
            guard let index = grid.focusedIndex else { return false }
            if selection.limits.maximum == 1 {
                finishWith(index)
            } else if selection.isComplete && !selection.isEmpty {
                accept()
            } else {
                toggle(index)
            }
        default:
            guard !modifiers.contains(.control), !modifiers.contains(.alt) else { return false }
            guard grid.moveFocus(key) else { return false }
            if modifiers.contains(.shift), let index = grid.focusedIndex { extendRange(to: index) }
        }
        return true
    }
}

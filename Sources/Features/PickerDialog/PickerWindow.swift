// SPDX-License-Identifier: MIT

import Desktop
package import GtkKit
import Logging
import PhotoLibrary
package import Photos
import PickModel
import SystemPackage

/// The window of one request: it draws the state of a pick and sends it events.
@UIActor
package final class PickerWindow {
    /// How the window closed.
    private enum Ending {
        case outcome(PickOutcome)
        /// The person prefers the file dialog.
        case browse
    }

    private var pick: Pick
    private let library: LibrarySource
    private let early: EarlyThumbnails
    private let source: PhotoSource
    private let views: PickerViews
    private let grid: PhotoGrid
    private let sidebar: AlbumSidebar
    private let fileBar: FileBar?
    private let grantBar: GrantBar
    private var inputDelay: InputDelay?
    private let locations: LocationFinder
    private let environment: PickerEnvironment
    private var preparing: Task<Void, Never>?
    /// What is delivered to an app that asked for files.
    private var files: PreparedFiles?
    /// What the person is told once nothing can be delivered any more.
    private var message: MessageDialog?
    /// The list that the grid shows.
    private var drawn: PhotoQuery?
    private var following: Task<Void, Never>?
    private var loading: Task<Void, Never>?
    private var continuation: CheckedContinuation<Ending, Never>?
    private let logger = Logger(label: "picker-window")

    /// Shows a window and waits until the person has decided.
    ///
    /// Cancelling the task closes the window; the outcome is then `.ended`.
    ///
    /// - Parameters:
    ///   - app: Finds out who asks, which the request does not say yet.
    ///   - departure: Has an element when the service has ended without closing the request; the
    ///     window then says so and stays until the person closes it.
    package static func run(
        _ request: PickRequest, of app: Task<RequestingApp, Never>,
        _ environment: PickerEnvironment, _ departure: AsyncStream<Void>
    ) async -> PickOutcome {
        let parts = WindowParts(Pick(request).query, environment)
        var request = request
        request.app = await app.value
        let window = PickerWindow(Pick(request), parts, environment)
        switch await window.ending(departure) {
        case .outcome(.picked(let items, let grants)):
            return .picked(await window.source.versioned(items), granting: grants)
        case .outcome(let outcome): return outcome
        case .browse: return .ended
        }
    }

    /// Shows a window in place of a file dialog; otherwise like the other method.
    ///
    /// - Parameter completed: The request with what is known of the app; of the same photos.
    package static func run(
        _ file: FileRequest, completed: Task<FileRequest, Never>,
        _ environment: PickerEnvironment, _ departure: AsyncStream<Void>
    ) async -> FileOutcome {
        let parts = WindowParts(Pick(file.pick, file: file).query, environment)
        let file = await completed.value
        let window = PickerWindow(Pick(file.pick, file: file), parts, environment)
        switch await window.ending(departure) {
        case .outcome(.picked(let items, _)): return await window.answer(items)
        case .outcome(.cancelled): return .cancelled
        case .outcome(.ended): return .ended
        case .browse: return .browse
        }
    }

    private init(_ pick: Pick, _ parts: WindowParts, _ environment: PickerEnvironment) {
        self.pick = pick
        library = parts.library
        early = parts.early
        source = parts.source
        views = parts.views
        grid = parts.grid
        sidebar = parts.sidebar
        fileBar = pick.file.map { FileBar(parts.views.fileParts, $0) }
        self.environment = environment
        locations = LocationFinder(parts.library, environment.copies)
        grantBar = GrantBar(parts.views.fileParts, pick.request)
    }

    // MARK: - Life

    private func ending(_ departure: AsyncStream<Void>) async -> Ending {
        let leaving = Task { [weak self] in
            for await _ in departure { self?.send(.abandoned) }
        }
        defer { leaving.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { start($0) }
        } onCancel: {
            Task { @UIActor in self.send(.closed) }
        }
    }

    private func start(_ continuation: CheckedContinuation<Ending, Never>) {
        self.continuation = continuation
        if Task.isCancelled { return send(.closed) }
        views.describe(pick, environment.thumbnails)
        connect()
        inputDelay = InputDelay(of: views.window)
        draw()
        views.window.isModal = pick.request.options.isModal
        views.window.setParent(pick.request.parentWindow)
        views.window.present()
        views.grid.grabFocus()
        following = Task { await self.follow() }
    }

    private func end(_ ending: Ending) {
        guard let waiting = continuation else { return }
        continuation = nil
        following?.cancel()
        loading?.cancel()
        early.close()
        preparing?.cancel()
        locations.stop()
        message?.close()
        message = nil
        views.window.destroy()
        waiting.resume(returning: ending)
    }

    /// The reply to an app that asked for files.
    private func answer(_ items: [PickedItem]) async -> FileOutcome {
        guard let file = pick.file, let files else { return .ended }
        var answer = file.answer(
            file.prepared ?? files.uris, of: await library.mediaTypes(of: items))
        answer.folder = files.folder
        return .chosen(answer)
    }

    // MARK: - Events

    private func send(_ event: PickEvent) {
        let effects = pick.handle(event)
        source.keepVersions(of: pick.selection.assetIDs)
        guard continuation != nil else { return }
        draw()
        if fileBar != nil, pick.selection.count <= Pick.photosToExamine {
            locations.examine(pick.selection.assetIDs)
        }
        for effect in effects { perform(effect) }
    }

    private func draw() {
        views.show(pick)
        fileBar?.show(pick)
        sidebar.show(pick.albums, selected: pick.query.album, pick.shownOffer)
        if pick.shown == drawn {
            grid.update(pick.photos)
        } else {
            drawn = pick.shown
            grid.show(pick.photos)
        }
        grid.focus(pick.focus)
        grid.mark(count: pick.selection.count)
    }

    private func perform(_ effect: PickEffect) {
        switch effect {
        case .load(let load):
            loading?.cancel()
            loading = Task { await read(load) }
        case .announce(let refusal): views.toasts.show(pick.offer.text(refusal))
        case .prepare(let items, let removesLocation): prepare(items, removesLocation)
        case .reload(let items): reload(items)
        case .reportAbandonment: reportAbandonment()
        case .finish(let outcome): end(.outcome(outcome))
        case .browse: end(.browse)
        }
    }

    private func reportAbandonment() {
        preparing?.cancel()
        let message = MessageDialog.interruption(
            Asker(pick.request).name.map { localized("Nothing was sent to %@.", $0) }
                ?? localized("Nothing was sent to the app."))
        message.onAnswer { [weak self] _ in
            self?.message = nil
            self?.send(.cancelled)
        }
        self.message = message
        message.present(over: views.window)
    }

    private func prepare(_ items: [PickedItem], _ removesLocation: Bool) {
        let copying =
            removesLocation
            ? LibrarySource.Copying(
                copies: environment.copies, owner: pick.file?.request.copyOwner ?? "")
            : nil
        preparing = Task { [library, source] in
            let found = await library.files(of: source.versioned(items), copying: copying)
            guard !Task.isCancelled else { return }
            switch found {
            case .success(let found):
                files = found
                send(.prepared(found.uris))
            case .failure(let reason): send(.notPrepared(reason))
            case nil: break
            }
        }
    }

    private func reload(_ items: [PickedItem.Reference]) {
        let ids = items.compactMap { if case .asset(let id) = $0 { id } else { nil } }
        source.forget(ids)
        grid.reload(Set(ids))
    }

    // MARK: - Library

    /// Loads the library, and again whenever it changes.
    private func follow() async {
        // Watching begins before the first load, so that no change falls between the two.
        let changes = await library.changes()
        send(.opened(on: await requestedFolder()))
        for await _ in changes {
            send(.libraryChanged)
            // While the library is indexed for the first time, it changes all the time.
            let pause = pick.photos.isEmpty ? Self.pauseWithoutPhotos : Self.pause
            do { try await Task.sleep(for: pause) } catch { return }
        }
    }

    /// The album with the photos of the folder that a file request names.
    private func requestedFolder() async -> AlbumID? {
        guard let folder = pick.file?.request.folder else { return nil }
        let path = FilePath(platformString: folder.map { CChar(bitPattern: $0) } + [0])
        // Without it the window opens on all photos, and the load that follows reports the error.
        return try? await library.album(ofFolder: path)
    }

    private func read(_ load: PhotoLoad) async {
        do throws(LibraryError) {
            if load.showsBeginning {
                // The whole album may have a million photos.
                let photos = try await library.photos(load.query, limit: WindowParts.firstPhotos)
                send(.began(load, photos))
                // The first screen before everything else, unless the albums have to go from it.
                if !photos.isEmpty, !pick.request.options.isOnlyAlbum {
                    await source.rest(within: Self.firstScreenTime)
                }
            }
            // What is chosen while this runs is not looked up, so it cannot be among the gone.
            let contents = try await library.contents(
                load.query, chosen: pick.selection.assetIDs, accepted: pick.accepted)
            send(.loaded(load, contents))
        } catch {
            guard !Task.isCancelled else { return }
            // Until the service has run for the first time there is no library.
            if error.code == .missing { return send(.loaded(load, LibraryContents())) }
            logger.error("\(error)")
            send(.failed(load))
        }
    }

    /// How long the rest of an album waits for the thumbnails of its beginning.
    private static let firstScreenTime = Duration.milliseconds(300)
    /// The shortest time between two loads of a library that changes all the time.
    private static let pause = Duration.seconds(2)
    private static let pauseWithoutPhotos = Duration.milliseconds(400)

    // MARK: - Input

    private func connect() {
        views.window.onClose { [weak self] in self?.send(.cancelled) }
        views.cancel.onClick { [weak self] in self?.send(.cancelled) }
        views.accept.onClick { [weak self] in self?.send(.accepted) }
        views.browse.onClick { [weak self] in self?.send(.browsed) }
        views.window.onRelease { [weak self] in self?.grid.endPress() }
        views.window.onKey { [weak self] key, modifiers in
            self?.handle(key, modifiers) ?? false
        }
        views.connectSidebar { [weak self] in
            guard let self else { return }
            views.show(pick)
        }
        fileBar?.onEvent = { [weak self] event in self?.send(event) }
        locations.onFound = { [weak self] id, has in self?.send(.located(id, has)) }
        grantBar.onEvent = { [weak self] event in self?.send(event) }
        sidebar.onChoose = { [weak self] album in
            guard let self else { return }
            views.showPhotos()
            send(.albumChosen(album))
        }
        sidebar.loadCover = { [source] id, pixels in await source.texture(of: id, pixels: pixels) }
        grid.onEvent = { [weak self] event in self?.send(event) }
        grid.number = { [weak self] id in self?.pick.selection.number(of: id) }
        grid.showsNumbers = pick.request.options.isOrdered
        grid.load = { [source] id, pixels in await source.texture(of: id, pixels: pixels) }
        grid.ready = { [source] id, pixels in source.readyTexture(of: id, pixels: pixels) }
    }

    private func handle(_ key: Key, _ modifiers: Modifiers) -> Bool {
        views.keepFocus()
        switch key {
        case .escape:
            if !views.goBack() { send(.cancelled) }
        case .enter where modifiers.contains(.control): send(.accepted)
        case .character("a") where modifiers.contains(.control):
            send(.key(modifiers.contains(.shift) ? .deselectAll : .selectAll))
        case .function(9): views.toggleSidebar()
        default: return views.isGridFocused && handleInGrid(key, modifiers)
        }
        return true
    }

    /// Keys that act on photos, unless another widget has the focus.
    private func handleInGrid(_ key: Key, _ modifiers: Modifiers) -> Bool {
        defer { grid.isFocusShown = pick.focus != nil }
        switch key {
        case .space where pick.focus != nil: send(.key(.toggle))
        case .enter where pick.focus != nil: send(.key(.open))
        default:
            guard !modifiers.contains(.control), !modifiers.contains(.alt),
                let target = grid.target(of: key)
            else { return false }
            send(.key(modifiers.contains(.shift) ? .extend(to: target) : .move(to: target)))
        }
        return true
    }
}

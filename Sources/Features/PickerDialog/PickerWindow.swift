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

    var pick: Pick
    let library: LibrarySource
    private let early: EarlyThumbnails
    let source: PhotoSource
    let views: PickerViews
    let grid: PhotoGrid
    /// What opens first, if the app asked for a sheet.
    let sheet: SheetPage?
    /// The size of the sheet that the window was given last, in layout pixels.
    var sheetSize = (width: SheetPage.usualWidth, height: 0)
    /// The size of the window for all other pages, which the person may have changed.
    var largeSize = (width: 960, height: 640)
    /// Whether the window has the size of the sheet.
    var isAsSmallAsSheet = false
    /// The last change of the window's size that is ours; nil once it was drawn.
    var resizing: Resizing?
    let sidebar: AlbumSidebar
    let preview: PreviewPage
    let crop: CropPage
    let camera: CameraPage
    var watchingCameras: CameraDevices.Watch?
    /// Whether the window cannot be seen, as far as the desktop tells.
    var isConcealed = false
    let pages: WindowPages
    let fileBar: FileBar?
    let grantBars: [GrantBar]
    let tray: Tray
    let chosen: ChosenPhotos
    private var inputDelay: InputDelay?
    let shiftPause: InputPause
    /// Lasts until the person can have seen that rows of the sheet have moved.
    let rowPause: InputPause
    /// Lasts until the person can have read that chosen photos have gone.
    private lazy var lossPause = InputPause(of: views.window, .seconds(1)) { [weak self] in
        self?.send(.lossRead)
    }
    let locations: LocationFinder
    let environment: PickerEnvironment
    private var preparing: Task<Void, Never>?
    /// How many files for the app are ready.
    private var readyCount = 0
    /// What is delivered to an app that asked for files.
    private var files: PreparedFiles?
    /// What the person is told once nothing can be delivered any more.
    private var message: MessageDialog?
    /// Asks whether so many photos are meant.
    var confirmation: MessageDialog?
    /// The file dialog, while it is open.
    var fileDialog: FileDialog?
    /// Finds out what the files are that the person brought.
    var bringing: Task<Void, Never>?
    /// How often the person has brought files.
    var bringCount = 0
    /// Keeps the size of the photos for later windows.
    var keeping: Task<Void, Never>?
    /// The photo that a row of the sheet delivers.
    private var newest: AssetID?
    private var following: Task<Void, Never>?
    private var loading: Task<Void, Never>?
    private var suggesting: Task<Void, Never>?
    private var finding: Task<Void, Never>?
    /// What an app that follows the choice was told.
    private var reported: [PickedItem.Reference] = []
    /// The photos that are shown in a version that the library no longer knows.
    private var outdated: Set<AssetID> = []
    private var continuation: CheckedContinuation<Ending, Never>?
    /// With the app, if it follows the choice.
    private var conversation: PickConversation?
    let logger = Logger(label: "picker-window")

    /// Shows a window and waits until the person has decided.
    ///
    /// Cancelling the task closes the window; the outcome is then `.ended`.
    ///
    /// - Parameters:
    ///   - app: Finds out who asks, which the request does not say yet.
    ///   - conversation: Says when the service has ended without closing the request; the window then
    ///     says so and stays until the person closes it.
    package static func run(
        _ request: PickRequest, of app: Task<RequestingApp, Never>,
        _ environment: PickerEnvironment, _ conversation: PickConversation
    ) async -> PickOutcome {
        let parts = WindowParts(Pick(request), environment)
        var request = request
        request.app = await app.value
        let window = PickerWindow(Pick(request), parts, environment)
        switch await window.ending(conversation) {
        case .outcome(.picked(let items, let grants)):
            let delivered = await window.library.delivered(await window.source.versioned(items))
            return .picked(delivered, granting: grants)
        case .outcome(let outcome): return outcome
        case .browse: return .ended
        }
    }

    /// Shows a window in place of a file dialog; otherwise like the other method.
    ///
    /// - Parameters:
    ///   - completed: The request with what is known of the app; of the same photos.
    ///   - departure: Has an element when the caller has ended without closing the request.
    package static func run(
        _ file: FileRequest, completed: Task<FileRequest, Never>,
        _ environment: PickerEnvironment, _ departure: AsyncStream<Void>
    ) async -> FileOutcome {
        let parts = WindowParts(Pick(file.pick, file: file), environment)
        let file = await completed.value
        let window = PickerWindow(Pick(file.pick, file: file), parts, environment)
        let (news, speaker) = AsyncStream<PickNews>.makeStream()
        let leaving = Task { for await _ in departure { speaker.yield(.left) } }
        defer { leaving.cancel() }
        switch await window.ending(PickConversation(news: news)) {
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
        preview = PreviewPage(
            PreviewSource(parts.library, environment.thumbnails), parts.source,
            parts.library)
        crop = CropPage(PreviewSource(parts.library, environment.thumbnails))
        camera = CameraPage(environment.cameras.program)
        sheet = pick.layout == .sheet ? SheetPage(pick.request) : nil
        pages = WindowPages(
            in: parts.views.window,
            [parts.views.main, preview.box, crop.box, camera.box] + (sheet.map { [$0.box] } ?? []))
        fileBar = pick.file.map { FileBar(parts.views.fileParts, $0) }
        self.environment = environment
        locations = LocationFinder(parts.library, environment.copies)
        grantBars = [parts.views.fileParts, sheet?.parts].compactMap { $0 }
            .map { GrantBar($0, pick.request) }
        tray = Tray(parts.views.tray, in: parts.views.window)
        chosen = ChosenPhotos(parts.library)
        let window = parts.views.window
        shiftPause = InputPause(of: window) { [weak window] in window?.inputDelay?.tellBusy() }
        rowPause = InputPause(of: window) { [weak window] in window?.inputDelay?.tellBusy() }
    }

    // MARK: - Life

    private func ending(_ conversation: PickConversation) async -> Ending {
        if pick.request.options.isContinuous { self.conversation = conversation }
        let hearing = Task { [weak self] in
            await conversation.hear { news in
                self?.take(news) ?? false
            }
        }
        defer { hearing.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { start($0) }
        } onCancel: {
            Task { @UIActor in self.send(.closed) }
        }
    }

    /// Takes what the caller does; false if the person has decided.
    private func take(_ news: PickNews) -> Bool {
        guard continuation != nil else { return false }
        switch news {
        case .left: send(.abandoned)
        case .deselected(let ids): send(.deselected(ids))
        case .limited(let limits): send(.limited(limits))
        }
        return true
    }

    private func start(_ continuation: CheckedContinuation<Ending, Never>) {
        self.continuation = continuation
        if Task.isCancelled { return send(.closed) }
        views.describe(pick, environment.thumbnails)
        sheet?.describe(RequestTexts(pick)) {
            Asker(pick.request).show(on: $0, environment.thumbnails)
        }
        connect()
        inputDelay = InputDelay(of: views.window)
        inputDelay?.refusesClicks = { [weak self] in
            guard let self, isSheetInFront else { return false }
            return shiftPause.isActive || rowPause.isActive
        }
        draw()
        views.window.separateInput()
        views.window.isModal = pick.request.options.isModal
        views.window.setParent(pick.request.parentWindow)
        // Only now it is known how wide the parent is.
        fitWindow(isOther: true)
        views.window.present()
        if let sheet { sheet.takeFocus() } else { views.grid.grabFocus() }
        if pick.isCameraOnly { send(.cameraOpened) }
        reportChoice()
        following = Task { await self.follow() }
    }

    /// Tells an app that follows the choice what is chosen, if that has changed.
    private func reportChoice() {
        guard let conversation else { return }
        let items = pick.selection.items
        guard !items.lazy.map(\.reference).elementsEqual(reported) else { return }
        reported = items.map(\.reference)
        conversation.report(items)
    }

    /// After a click that showed another page.
    func ignoreDoubleClick() { inputDelay?.ignoreDoubleClick() }

    /// Lets no click finish that may be meant for what was in its place before.
    func pauseAfterShift() {
        shiftPause.begin()
        tellBusy()
    }

    func tellBusy() { inputDelay?.tellBusy() }

    private func end(_ ending: Ending) {
        guard let waiting = continuation else { return }
        continuation = nil
        following?.cancel()
        loading?.cancel()
        finding?.cancel()
        suggesting?.cancel()
        early.close()
        preview.close()
        crop.close()
        if camera.isOpen { environment.cameras.endUse() }
        camera.close()
        watchingCameras = nil
        preparing?.cancel()
        locations.stop()
        chosen.stop()
        bringing?.cancel()
        fileDialog?.close()
        fileDialog = nil
        message?.close()
        message = nil
        closeConfirmation()
        views.window.destroy()
        waiting.resume(returning: ending)
    }

    /// The reply to an app that asked for files.
    private func answer(_ items: [PickedItem]) async -> FileOutcome {
        guard let file = pick.file, let files else { return .ended }
        var answer = file.answer(
            file.prepared ?? files.uris,
            of: await library.mediaTypes(of: items, acceptedBy: file.delivered))
        answer.folder = files.folder
        return .chosen(answer)
    }

    // MARK: - Events

    func send(_ event: PickEvent) {
        let effects = pick.handle(event)
        source.keepVersions(of: pick.selection.assetIDs)
        guard continuation != nil else { return }
        draw()
        reportChoice()
        reloadOutdated()
        if fileBar != nil, pick.selection.count <= Pick.photosToExamine {
            locations.examine(
                pick.selection.assetIDs, acceptedBy: pick.file?.delivered ?? [])
        }
        chosen.examine(pick)
        for effect in effects { perform(effect) }
    }

    private func draw() {
        views.show(pick)
        fileBar?.show(pick)
        tray.show(pick)
        sidebar.show(pick.albums, selected: pick.query.album, pick.shownOffer)
        views.search.show(pick) { sidebar.title(of: $0) }
        for bar in grantBars { bar.show(pick.grants) }
        // The app may have changed the limit.
        for list in lists { list.stock.choosesSeveral = pick.selection.limits.maximum != 1 }
        drawPhotos()
        sheet?.show(
            pick, acceptLabel: pick.request.options.acceptLabel.map { _ in views.acceptLabel })
        drawPages()
    }

    /// Shows the photos in the list that the person sees; the other one catches up once it is in front.
    private func drawPhotos() {
        let list = listInFront
        let isFirst = list.query == nil
        if pick.shown == list.query {
            list.update(pick.photos, focus: pick.focus)
        } else if pick.query != list.query {
            // What was under the pointer has been replaced.
            if !isFirst { pauseAfterShift() }
            list.query = pick.shown
            list.show(pick.photos)
        }
        // A row delivers it, whether or not the person sees it.
        if pick.newest != newest, !isFirst { pauseAfterShift() }
        newest = pick.newest
        list.focus(pick.focus)
        list.mark(count: pick.selection.count)
    }

    /// All widgets that show the photos of the query.
    var lists: [any PhotoListView] { sheet.map { [grid, $0.strip] } ?? [grid] }

    /// The one that the person sees, or that is behind the preview.
    var listInFront: any PhotoListView {
        if pick.layout == .sheet, let sheet { sheet.strip } else { grid }
    }

    private func perform(_ effect: PickEffect) {
        switch effect {
        case .load(let load):
            loading?.cancel()
            loading = Task { await read(load) }
        case .suggest(let query):
            suggesting?.cancel()
            suggesting = Task { await suggest(query) }
        case .announce(let refusal):
            tell(pick.offer.text(refusal))
            if case .notReady(.changed) = refusal { lossPause.begin() }
        case .confirm(let receipt): confirm(receipt)
        case .prepare(let items, let removesLocation): prepare(items, removesLocation)
        case .reload(let items): reload(items)
        case .reportAbandonment: reportAbandonment()
        case .finish(let outcome): end(.outcome(outcome))
        case .browse: end(.browse)
        }
    }

    private func reportAbandonment() {
        preparing?.cancel()
        bringing?.cancel()
        fileDialog?.close()
        fileDialog = nil
        closeConfirmation()
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
        let filters = pick.file?.delivered ?? []
        // What was given up before is no longer waited for.
        preparing?.cancel()
        preparing = Task { [library, source] in
            readyCount = 0
            // Most files are ready before a person could read that they are not.
            let sign = Task {
                while (try? await Task.sleep(for: .milliseconds(500))) != nil {
                    send(.preparing(readyCount))
                }
            }
            let found = await library.files(
                of: source.versioned(items), acceptedBy: filters, copying: copying
            ) { self.readyCount = $0 }
            sign.cancel()
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
        reload(Set(items.compactMap { if case .asset(let id) = $0 { id } else { nil } }))
    }

    private func reload(_ ids: Set<AssetID>) {
        outdated.subtract(ids)
        source.forget(Array(ids))
        for list in lists { list.reload(ids) }
        sidebar.reload(ids)
        preview.reload(ids)
    }

    // MARK: - Changes of photos

    /// Looks for photos that have changed since they were shown, in place of any such search still in
    /// progress.
    func findOutdated() {
        finding?.cancel()
        finding = Task { [source] in
            // A search that was cut short has found some of them, which the next one leaves out.
            outdated.formUnion(await source.changedPhotos())
            guard continuation != nil, !outdated.isEmpty else { return }
            let chosen = pick.selection.items.filter { item in
                if case .asset(let id) = item.reference { outdated.contains(id) } else { false }
            }
            // The library may be behind the window.
            let changed = await library.changed(among: source.versioned(chosen))
            guard continuation != nil else { return }
            send(.outdated(changed))
        }
    }

    /// Shows a photo as it is now, which is no longer as the person saw it.
    func giveUp(_ id: AssetID) {
        outdated.insert(id)
        send(.outdated([id]))
    }

    /// Shows photos as they are now, unless they are still chosen: the person chose what they saw.
    private func reloadOutdated() {
        let ids = outdated.filter { pick.selection.number(of: $0) == nil }
        if !ids.isEmpty { reload(ids) }
    }
}

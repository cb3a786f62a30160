// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import ImageWork
import PhotoLibrary
import Photos
import PickModel

/// The page that shows one photo at a time, in front of the grid.
@UIActor
final class PreviewPage {
    let box: Box
    let view = PreviewView()
    let toasts: ToastOverlay
    let back: Button
    private let previous: Button
    private let next: Button
    let accept: Button
    let choose: ToggleButton
    /// Removes the picture from the list of an app.
    let remove: Button
    let onlyChosen: ToggleButton
    private let title: PageTitle
    private let details: DetailsButton
    let crop: Button
    /// Why the photo cannot be chosen.
    let note: Label
    let badge: Label
    let bar: PlaybackBar
    private let problem: Box
    private let problemIcon: Icon
    private let problemText: Label
    private let retry: Button
    /// How much of a picture of the web has come.
    private let progress: ProgressBar
    let frames: FrameStrip
    /// Says that the app is told of each change of the choice.
    private let followNote: Label

    var onEvent: @UIActor (PickEvent) -> Void = { _ in }
    /// What a screen reader says of a chosen photo that the grid does not list; nil while that is unknown.
    var description: @UIActor (AssetID) -> String? = { _ in nil }
    /// Called with the version of the photo in view.
    var onVersion: @UIActor (FileVersion, AssetID) -> Void = { _, _ in }

    let source: PreviewSource
    let thumbnails: PhotoSource
    let library: LibrarySource
    /// The picture in view.
    private(set) var id: AssetID?
    /// The photo whose burst was looked for last.
    var burstID: AssetID?
    var findingBurst: Task<Void, Never>?
    /// Plays it; nil unless it moves.
    var player: PreviewPlayer?
    var offersCrop = false
    /// Whether a frame has taken the place of its picture.
    var showsFrame = false
    /// Whether the window cannot be seen.
    var isConcealed = false { didSet { suspendOrResume() } }
    private var neighbours: [AssetID] = []
    private var loading: Task<Void, Never>?
    private var sharpening: Task<Void, Never>?
    private var readingAhead: Task<Void, Never>?
    private var describing: Task<Void, Never>?
    /// Whether a video is in view, as far as that is known.
    private var isVideo = false
    /// Whether the state is being drawn, so that buttons change without the person.
    private var isDrawing = false

    /// How long a picture may take before the person is told.
    private static let patience = Duration.seconds(3)

    init(_ source: PreviewSource, _ thumbnails: PhotoSource, _ library: LibrarySource) {
        self.source = source
        self.library = library
        self.thumbnails = thumbnails
        let builder = Builder(PackageResources.preview_page_ui)
        box = builder.box("preview")
        toasts = builder.toastOverlay("toasts")
        back = builder.button("back")
        previous = builder.button("previous")
        next = builder.button("next")
        accept = builder.button("accept")
        choose = builder.toggleButton("choose")
        remove = builder.button("remove")
        onlyChosen = builder.toggleButton("only_chosen")
        title = PageTitle(builder)
        crop = builder.button("crop")
        details = builder.detailsButton("details")
        note = builder.label("note")
        badge = builder.label("badge")
        bar = PlaybackBar(builder)
        problem = builder.box("problem")
        problemIcon = builder.icon("problem_icon")
        problemText = builder.label("problem_text")
        retry = builder.button("retry")
        progress = builder.progressBar("progress")
        frames = FrameStrip(builder)
        followNote = builder.label("follow_note")
        builder.box("place").append(view.canvas, expands: true)
        back.onClick { [weak self] in self?.onEvent(.previewClosed) }
        previous.onClick { [weak self] in self?.onEvent(.previewMoved(.previous)) }
        next.onClick { [weak self] in self?.onEvent(.previewMoved(.next)) }
        crop.onClick { [weak self] in self?.onEvent(.cropOpened) }
        accept.onClick { [weak self] in self?.onEvent(.accepted) }
        choose.onClick { [weak self] in self?.onEvent(.key(.toggle)) }
        onlyChosen.onToggle { [weak self] in
            guard let self, !isDrawing else { return }
            onEvent(.previewLimited(onlyChosen.isActive))
        }
        view.onScale = { [weak self] in self?.sharpen() }
        retry.onClick { [weak self] in self?.loadAgain() }
        source.web?.onProgress = { [weak self] id in
            guard let self, id == self.id else { return }
            showProgress()
        }
        connectPlayer()
        connectFrames()
    }

    /// Whether keys go to the photo and to none of the buttons.
    var isPhotoFocused: Bool { view.canvas.containsFocus }

    /// Whether keys go to the list of details.
    var isDetailsOpen: Bool { details.isOpen }

    /// Opens the list of details.
    func openDetails() {
        // GTK takes for granted that something has the focus, because nothing in the list can have it.
        if !box.containsFocus { takeFocus() }
        details.open()
    }

    func takeFocus() { view.canvas.grabFocus() }

    // MARK: - State

    /// Whether the header bar has no room for the title.
    var isNarrow = false {
        didSet {
            title.isNarrow = isNarrow
            accept.fit(isNarrow: isNarrow)
        }
    }

    /// Says whether the app follows the choice.
    func describe(_ request: PickRequest) {
        followNote.isVisible = request.options.isContinuous
        followNote.text = Asker(request).followText
        followNote.tooltip = Asker.followExplanation
    }

    /// Draws the state, and loads the photo if it is another one than before.
    func show(_ pick: Pick, acceptLabel: String) {
        guard let preview = pick.preview, let position = pick.previewPosition else {
            return close()
        }
        isDrawing = true
        defer { isDrawing = false }
        let isOne = pick.selection.limits.maximum == 1
        show(
            position: position,
            subtitle: pick.counterText.flatMap { $0.isEmpty ? nil : localized("Chosen: %@", $0) }
                ?? "")
        let number = pick.selection.number(of: preview.shown)
        offersCrop = pick.offersCrop
        showCropButton()
        choose.isVisible = !isOne
        choose.isActive = number != nil
        let refusal = showRefusal(pick)
        onlyChosen.isVisible = !isOne
        onlyChosen.isActive = preview.chosen != nil
        onlyChosen.isSensitive = preview.chosen != nil || !pick.selection.assetIDs.isEmpty
        let isReady = pick.obstacle == nil && !pick.isPreparing && !pick.isAbandoned
        if !isReady, accept.containsFocus { view.canvas.grabFocus() }
        accept.isSensitive = isReady
        accept.tooltip = pick.obstacle.map { pick.offer.text($0) }
        if accept.label != acceptLabel {
            accept.label = acceptLabel
            accept.fit(isNarrow: isNarrow)
        }
        name(preview, in: pick, position, number, refusal)
        let index = pick.photos.index(of: preview.shown)
        show(
            preview.shown, ofRatio: pick.previewRatio,
            beside: pick.frameNeighbours + pick.previewNeighbours,
            isVideo: index.map { pick.photos.isVideo[$0] } ?? false)
        frames.show(pick)
        findBurst(pick)
    }

    /// Draws the place of the photo among those to go through, which the buttons beside it lead to.
    func show(position: (index: Int, count: Int), subtitle: String) {
        title.set(
            title: localized(
                "%@ of %@", LocalTime.number(position.index + 1), LocalTime.number(position.count)),
            subtitle: subtitle)
        let isFirst = position.index == 0
        let isLast = position.index + 1 >= position.count
        for (button, isUseless) in [(previous, isFirst), (next, isLast)] {
            // GTK would give the focus to another button, or to nothing.
            if isUseless, button.containsFocus { takeFocus() }
            button.isVisible = position.count > 1
            button.isSensitive = !isUseless
        }
    }

    /// Loads the photo if it is another one than before, and those beside it.
    ///
    /// - Parameter isVideo: Whether it is known to be a video.
    func show(
        _ id: AssetID, ofRatio ratio: Double, beside others: [AssetID], isVideo: Bool = false
    ) {
        let former = neighbours
        neighbours = others
        if id != self.id {
            self.isVideo = isVideo
            show(id, ofRatio: ratio)
        } else if neighbours != former, source.ready(id) != nil {
            readAhead()
        }
    }

    /// Ends all work, and forgets the photos.
    func close() {
        guard id != nil else { return }
        id = nil
        for task in [loading, sharpening, readingAhead, describing, findingBurst] { task?.cancel() }
        burstID = nil
        frames.close()
        sharpening = nil
        endPlaying()
        source.forgetAll()
        view.show(nil, of: PixelSize(width: 1, height: 1))
        hideProblem()
        showProgress()
    }

    /// Loads the photo in view again, because its file has changed.
    func reload(_ ids: Set<AssetID>) {
        guard let id, ids.contains(id) else { return }
        endPlaying()
        source.forgetAll()
        load(id)
        frames.reload(ids)
    }

    /// Shows the details of the photo in view.
    private func describe(_ id: AssetID) {
        describing?.cancel()
        describing = Task { [weak self, library] in
            let listed = await library.listed(id)
            let path = await library.path(of: id)
            let albums = await library.titles(ofAlbumsWith: id)
            guard !Task.isCancelled, let self, self.id == id else { return }
            if let size = listed?.asset.size, source.ready(id) == nil { view.measure(size) }
            if let listed { isVideo = listed.asset.mediaType.isVideo }
            details.show(listed?.rows(at: path, in: albums, source.ready(id)) ?? [])
            badge.text = listed?.badge ?? ""
            showBadge()
        }
    }

    // MARK: - Loading

    private func show(_ id: AssetID, ofRatio ratio: Double) {
        self.id = id
        endPlaying()
        badge.text = ""
        showBadge()
        source.keep(id, neighbours, view.deviceSize)
        hideProblem()
        describe(id)
        if let ready = source.ready(id) {
            view.show(ready.texture, of: ready.size, isMeasured: true)
        } else {
            view.show(
                thumbnails.readyTexture(of: id, pixels: 1)?.texture,
                of: Self.size(ofRatio: ratio))
        }
        load(id)
        showProgress()
    }

    /// A large size of a shape, until the right one is known; a thumbnail then fills the view.
    private static func size(ofRatio ratio: Double) -> PixelSize {
        let ratio = ratio.isFinite && ratio > 0 ? ratio : 1
        let side = 1 << 16
        return ratio >= 1
            ? PixelSize(width: side, height: max(1, Int((Double(side) / ratio).rounded())))
            : PixelSize(width: max(1, Int((Double(side) * ratio).rounded())), height: side)
    }

    private func load(_ id: AssetID) {
        view.canvas.setAccessibleBusy(source.ready(id) == nil)
        for task in [loading, sharpening, readingAhead] { task?.cancel() }
        sharpening = nil
        loading = Task { [weak self, source, thumbnails] in
            async let thumbnail: Void? = self?.showThumbnail(of: id, thumbnails)
            let waiting = Task { [weak self] in
                do { try await Task.sleep(for: Self.patience) } catch { return }
                guard let self else { return }
                showProblem(
                    icon: "content-loading-symbolic", PhotoProblem.waitingText(isVideo: isVideo))
            }
            defer { waiting.cancel() }
            guard let size = self?.view.deviceSize else { return }
            let result = await source.picture(of: id, .fitting(size), priority: .visible)
            _ = await thumbnail
            guard !Task.isCancelled, let self, self.id == id else { return }
            switch result {
            case .success(let sharp):
                hideProblem()
                show(sharp)
                describe(id)
                onVersion(sharp.version, id)
                preparePlaying(sharp.facts)
                readAhead()
            case .failure(let problem):
                view.canvas.setAccessibleBusy(false)
                showProblem(
                    icon: "image-missing-symbolic", problem.text(isVideo: isVideo),
                    canBeRetried: problem.canBeRetried)
            case nil: break
            }
        }
    }

    private func show(_ sharp: PreviewSource.Sharp) {
        view.measure(sharp.size)
        view.sharpen(sharp.texture)
        view.canvas.setAccessibleBusy(false)
        // It may have been zoomed before.
        sharpen()
    }

    /// Shows the thumbnail of a photo until its picture is there.
    private func showThumbnail(of id: AssetID, _ thumbnails: PhotoSource) async {
        if let other = source.web?.thumbnail(of: id) {
            guard !view.hasPicture,
                case .success(let sharp)? = await source.picture(
                    of: other, .fitting(view.deviceSize), priority: .visible),
                !Task.isCancelled, self.id == id, source.ready(id) == nil
            else { return }
            view.measure(sharp.size)
            return view.sharpen(sharp.texture)
        }
        guard !view.hasPicture,
            case .success(let texture)? = await thumbnails.texture(of: id, pixels: 1),
            !Task.isCancelled, self.id == id, !view.hasPicture
        else { return }
        view.sharpen(texture)
    }

    private func showProblem(icon: String, _ text: String, canBeRetried: Bool = false) {
        problemIcon.setIcon(icon)
        problemText.text = text
        retry.isVisible = canBeRetried
        problem.ignoresPointer = !canBeRetried
        // Text on a picture is legible on a ground of its own.
        problem.setClass("osd", view.hasPicture)
        problem.isVisible = true
    }

    private func hideProblem() {
        // GTK would give the focus to another button, or to nothing.
        if retry.containsFocus { takeFocus() }
        problem.isVisible = false
    }

    private func showProgress() {
        let part = id.flatMap { source.web?.progress(of: $0) }
        progress.isVisible = part != nil
        if let part { progress.show(part) }
    }

    /// Loads the picture in view once more, after an error.
    private func loadAgain() {
        guard let id else { return }
        source.web?.renew(id)
        hideProblem()
        load(id)
    }

    /// Loads all pixels of the photo once the picture is shown larger than it is.
    private func sharpen() {
        guard let id, sharpening == nil, !showsFrame, let ready = source.ready(id),
            view.viewport.shownSide > ready.side,
            PreviewSource.side(of: ready.size, .full) > ready.side
        else { return }
        sharpening = Task { [weak self, source] in
            let size = self?.view.viewport.isFitting == true ? self?.view.deviceSize : nil
            let result = await source.picture(
                of: id, size.map { .fitting($0) } ?? .full, priority: .visible)
            guard !Task.isCancelled, let self, self.id == id else { return }
            sharpening = nil
            guard !showsFrame else { return }
            if case .success(let sharp) = result, sharp.side > ready.side { show(sharp) }
        }
    }

    /// Loads the pictures of the photos beside the one in view.
    private func readAhead() {
        readingAhead?.cancel()
        readingAhead = Task { [weak self, source, neighbours] in
            for id in neighbours where !Task.isCancelled {
                guard let size = self?.view.deviceSize else { return }
                // Whoever moves there sees the error.
                _ = await source.picture(of: id, .fitting(size), priority: .background)
            }
        }
    }
}

// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel
import Thumbnails

/// The widgets of a picker window and their texts.
@UIActor
final class PickerViews {
    let window: Window
    let cancel: Button
    let accept: Button
    let grid: ScrolledWindow
    let gridOverlay: Overlay
    let albums: ListBox
    private let split: SplitView
    let toasts: ToastOverlay
    /// Everything but the preview.
    let main: Widget
    private let bottomBar: Widget
    private let bottomRow: Box
    let browse: Button
    let tray: TrayViews
    /// What the app will get.
    private let receipt = Label()
    let fileParts: FlowBox
    private let title: PageTitle
    private let appIcon: Icon
    private let counter: Label
    private let reason: Label
    private let progress: ProgressBar
    private let pages: Stack
    private let empty: StatusPage
    let search: SearchField
    let clearSearch: Button
    /// Searches all albums, after a search in one of them has found nothing.
    let searchAll: Button
    /// Opens the camera.
    let camera: SourceButtons
    /// Opens the file dialog.
    let otherFiles: SourceButtons
    private let sidebarToggle: ToggleButton
    let viewMenu: ViewMenu
    /// Called when what has the focus is about to lose it, or has lost it, though the person did not
    /// move it.
    var onFocusLost: @UIActor () -> Void = {}
    /// What the button says that accepts the choice.
    private(set) var acceptLabel = ""
    private var page = PickPage.photos
    private var offer = Offer.photos
    /// Whether the photos had the focus before an empty page took their place.
    private var owesFocus = false

    init() {
        Self.loadStyle
        let builder = Builder(PackageResources.picker_window_ui)
        window = builder.window("window")
        cancel = builder.button("cancel")
        accept = builder.button("accept")
        grid = builder.scrolledWindow("grid")
        gridOverlay = builder.overlay("grid_overlay")
        albums = builder.listBox("albums")
        toasts = builder.toastOverlay("toasts")
        split = SplitView(
            in: builder.box("split"), sidebar: builder.widget("sidebar"),
            sidebarTitle: localized("Albums"), content: toasts, contentTitle: localized("Photos"))
        main = builder.widget("main")
        bottomBar = builder.widget("bottom_bar")
        bottomRow = builder.box("bottom_row")
        browse = builder.button("browse")
        fileParts = builder.flowBox("file_parts")
        tray = TrayViews(
            box: builder.widget("tray"), photos: builder.scrolledWindow("tray_photos"),
            more: builder.label("tray_more"), clear: builder.button("tray_clear"))
        receipt.setAlignedToStart()
        receipt.setEllipsized()
        fileParts.append(receipt)
        title = PageTitle(builder, holder: "title_box")
        appIcon = builder.icon("app_icon")
        counter = builder.label("counter")
        reason = builder.label("reason")
        progress = builder.progressBar("progress")
        pages = builder.stack("pages")
        empty = builder.statusPage("empty")
        sidebarToggle = builder.toggleButton("sidebar_toggle")
        search = SearchField(
            builder.searchBar("search_bar", entry: "search"), builder.toggleButton("search_toggle"),
            found: builder.label("found"),
            suggestions: SuggestionRow(
                builder.box("suggestions"), in: builder.widget("suggestion_row")),
            parts: builder.box("search_parts"), in: builder.widget("search_row"))
        clearSearch = builder.button("clear_search")
        searchAll = builder.button("search_all")
        camera = SourceButtons(
            beside: builder.button("camera"), alone: builder.button("empty_camera"))
        otherFiles = SourceButtons(
            beside: builder.button("other_files"), alone: builder.button("empty_files"))
        viewMenu = ViewMenu(builder)
    }

    static let loadStyle: Void = Toolkit.addStyle(
        String(decoding: PackageResources.picker_window_css, as: UTF8.self))

    /// Whether keys go to photos.
    var isGridFocused: Bool { grid.containsFocus }

    // MARK: - What is asked

    /// Shows who asks, why, and for what.
    func describe(_ pick: Pick, _ thumbnails: ThumbnailLoader) {
        let request = pick.request
        let texts = RequestTexts(pick)
        window.title = texts.title
        let asker = Asker(request)
        title.set(title: texts.title, subtitle: texts.subtitle)
        appIcon.isVisible = asker.hasIcon
        asker.show(on: appIcon, thumbnails)
        acceptLabel = request.options.acceptLabel?.cut(to: 30).printable ?? localized("Select")
        reason.isVisible = texts.reason != nil
        reason.text = texts.reason ?? ""
        browse.isVisible = pick.file?.request.canBrowse == true
    }

    // MARK: - State

    func show(_ pick: Pick) {
        let isReady = pick.obstacle == nil && !pick.isPreparing && !pick.isAbandoned
        // GTK would give the focus to nothing, and the next key would reach Cancel.
        if !isReady, accept.containsFocus { onFocusLost() }
        accept.isSensitive = isReady
        browse.isSensitive = !pick.isPreparing
        otherFiles.isOffered = pick.offersFiles
        camera.isOffered = pick.showsCamera
        leadsBack = pick.hasSheetBehind
        otherFiles.isSensitive = !pick.isPreparing && !pick.isAbandoned
        camera.isSensitive = pick.offersCamera
        camera.tooltip =
            pick.hasRoom ? nil : pick.offer.text(.tooMany(maximum: pick.selection.limits.capacity))
        accept.tooltip = pick.obstacle.map { pick.offer.text($0) }
        let count = pick.counterText
        counter.isVisible = count != nil && !isNarrow
        counter.text = count ?? ""
        viewMenu.isVisible = !isNarrow && pick.takes(.library)
        let isCounted = count != nil && isNarrow && !pick.selection.isEmpty
        let number = isCounted ? LocalTime.number(pick.selection.count) : ""
        let label = isCounted ? localized("%@ (%@)", acceptLabel, number) : acceptLabel
        if label != accept.label { accept.label = label }
        // A number without its middle would be another number.
        accept.fit(isNarrow: isNarrow, suffix: isCounted ? number.count + 3 : 0)
        showReceipt(pick)
        progress.isVisible = pick.progress != nil
        if let fraction = pick.progress { progress.setFraction(fraction) }
        isLimitedToAlbum = pick.isLimitedToAlbum || !pick.takes(.library)
        show(pick.page, pick.shownOffer)
        showSources()
    }

    /// Says what the app will get, in a bar with what the app asks for beyond photos.
    ///
    /// Whoever chooses a single photo sees which one.
    private func showReceipt(_ pick: Pick) {
        let options = pick.request.options
        let hasParts = pick.file != nil || !options.wishes.isEmpty || options.isContinuous
        let isCounted = !pick.selection.isEmpty && pick.selection.limits.maximum != 1
        receipt.isVisibleWithHolder = isCounted
        receipt.text = pick.receiptText
        receipt.tooltip = receipt.text
        bottomBar.isVisible = hasParts || isCounted
    }

    private func show(_ page: PickPage, _ offer: Offer) {
        guard page != self.page || offer != self.offer else { return }
        self.page = page
        self.offer = offer
        let hadFocus = isGridFocused
        let texts = offer.texts(of: page)
        // A page behind another one would still be read out, and a hidden one cannot be shown.
        if texts != nil { empty.isVisible = true }
        pages.show(texts == nil ? "grid" : "empty")
        if texts == nil { empty.isVisible = false }
        if let texts {
            let isSearch = if case .nothingFound = page { true } else { false }
            searchAll.label = offer.searchAllLabel
            searchAll.isVisible = page.isSearchInAlbum && !isLimitedToAlbum
            empty.set(
                icon: isSearch ? "edit-find-symbolic" : "folder-pictures-symbolic",
                title: texts.title, description: texts.description)
            clearSearch.isVisible = isSearch
            owesFocus = owesFocus || hadFocus
        } else if owesFocus {
            owesFocus = false
            grid.grabFocus()
        }
    }

    /// Gives the focus to the photos when they appear.
    func oweFocus() {
        owesFocus = true
    }

    /// Leaves the focus where it is when photos appear: the person is using the keyboard.
    func keepFocus() {
        owesFocus = false
    }

    /// Gives the focus to the first of the buttons below the albums.
    ///
    /// - Returns: Whether there is one that can be pressed.
    func focusSources() -> Bool { camera.takeFocus() || otherFiles.takeFocus() }

    // MARK: - Sidebar

    /// Whether the person sees no album but the one in view.
    private var isLimitedToAlbum = false {
        didSet {
            guard isLimitedToAlbum != oldValue else { return }
            sidebarToggle.isVisible = !isLimitedToAlbum
            sidebarToggle.isActive = !isLimitedToAlbum && !isNarrow
            showSidebar()
        }
    }

    func connectSidebar() {
        sidebarToggle.onToggle { [weak self] in self?.showSidebar() }
        split.onPageChange { [weak self] in
            guard let self, isNarrow else { return }
            sidebarToggle.isActive = split.isAtSidebar
            showSources()
        }
    }

    private func showSources() {
        let isInFront = isNarrow ? split.isAtSidebar : sidebarToggle.isActive
        for buttons in [camera, otherFiles] {
            buttons.show(besideAlbums: isInFront, onEmptyPage: page != .photos)
        }
    }

    /// The widths below which the albums get a page of their own, in layout pixels with text of the
    /// usual size.
    private static let (sidebarWidth, photosWidth) = (220.0, 300.0)

    /// Whether there is room for one page only, and for few controls in the header bar.
    var isNarrow: Bool { split.isNarrow }

    /// Makes room for one page or for more.
    ///
    /// - Returns: Whether the window has become narrow or wide.
    func fit(_ width: Int) -> Bool {
        let wasNarrow = isNarrow
        let scale = window.textScale
        split.fit(
            inWidth: width,
            isNarrow: Double(width) <= (Self.sidebarWidth + Self.photosWidth) * scale,
            sidebarWidth: Int(Self.sidebarWidth * scale))
        guard isNarrow != wasNarrow else { return false }
        // Where there is room for one page only, show the photos.
        sidebarToggle.isActive = !isNarrow && !isLimitedToAlbum
        showSidebar()
        showWayOut()
        title.isNarrow = isNarrow
        bottomRow.isVertical = isNarrow
        return true
    }

    /// Whether the first button leads back to the sheet, rather than cancel.
    private var leadsBack = false {
        didSet { if leadsBack != oldValue { showWayOut() } }
    }

    private func showWayOut() {
        let (word, icon) =
            leadsBack
            ? (localized("Back"), "go-previous-symbolic")
            : (localized("Cancel"), "window-close-symbolic")
        cancel.show(word, icon: icon, isNarrow: isNarrow)
    }

    /// Shows the photos where there is room for one page only.
    ///
    /// - Returns: Whether another page was there.
    func showPhotos() -> Bool {
        guard isNarrow else { return false }
        split.showSidebar(false)
        return true
    }

    /// Returns from the page of albums to the photos.
    ///
    /// - Returns: Whether the albums were a page of their own, and in front.
    func goBack() -> Bool {
        guard isNarrow, split.isAtSidebar else { return false }
        split.showSidebar(false)
        return true
    }

    func toggleSidebar() {
        guard !isLimitedToAlbum else { return }
        sidebarToggle.isActive.toggle()
    }

    private func showSidebar() {
        let hadFocus = albums.containsFocus
        split.showSidebar(sidebarToggle.isActive)
        showSources()
        // GTK would give it to a button, and the next key would press it.
        if hadFocus, !sidebarToggle.isActive { onFocusLost() }
    }
}

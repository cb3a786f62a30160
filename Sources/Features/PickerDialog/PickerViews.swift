// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos

/// The widgets of a picker window, and what they say.
@UIActor
final class PickerViews {
    let window: Window
    let cancel: Button
    let accept: Button
    let grid: ScrolledWindow
    let albums: ListBox
    let split: SplitView
    let toasts: ToastOverlay
    let bottomBar: Widget
    let browse: Button
    let fileParts: FlowBox
    private let title: WindowTitle
    private let appIcon: Icon
    private let counter: Label
    private let reason: Label
    private let progress: ProgressBar
    private let pages: Stack
    private let empty: StatusPage
    private let sidebarToggle: ToggleButton

    init() {
        Self.loadStyle
        let builder = Builder(PackageResources.picker_window_ui)
        window = builder.window("window")
        cancel = builder.button("cancel")
        accept = builder.button("accept")
        grid = builder.scrolledWindow("grid")
        albums = builder.listBox("albums")
        toasts = builder.toastOverlay("toasts")
        split = SplitView(
            in: builder.box("split"), sidebar: builder.widget("sidebar"),
            sidebarTitle: localized("Albums"), content: toasts, contentTitle: localized("Photos"),
            sidebarWidth: 220, contentWidth: 300)
        bottomBar = builder.widget("bottom_bar")
        browse = builder.button("browse")
        fileParts = builder.flowBox("file_parts")
        title = builder.windowTitle("title")
        appIcon = builder.icon("app_icon")
        counter = builder.label("counter")
        reason = builder.label("reason")
        progress = builder.progressBar("progress")
        pages = builder.stack("pages")
        empty = builder.statusPage("empty")
        sidebarToggle = builder.toggleButton("sidebar_toggle")
    }

    private static let loadStyle: Void = Toolkit.addStyle(
        String(decoding: PackageResources.picker_window_css, as: UTF8.self))

    /// Whether keys go to photos.
    var isGridFocused: Bool { grid.containsFocus }

    // MARK: - What is asked

    /// Says who asks, why, and for what.
    func describe(_ request: PickRequest) {
        let isOne = request.options.count.maximum == 1
        let text =
            request.title.isEmpty
            ? (isOne ? localized("Choose a Photo") : localized("Choose Photos")) : request.title
        window.title = text
        let asker = Asker(request.appID)
        title.set(
            title: text,
            subtitle: asker.name.map { localized("For %@", $0) }
                ?? localized("For an unknown app"))
        appIcon.isVisible = asker.hasIcon
        asker.show(on: appIcon)
        accept.label = request.options.acceptLabel?.cut(to: 30) ?? localized("Select")
        reason.isVisible = request.options.reason != nil
        // Quoted, because these are the app's words and not ours.
        reason.text = request.options.reason.map { localized("“%@”", $0) } ?? ""
    }

    // MARK: - What is chosen

    func show(_ selection: Selection) {
        accept.isSensitive = selection.isComplete && !selection.isEmpty
        let count = LocalTime.number(selection.count)
        counter.isVisible = selection.limits.maximum != 1
        if let maximum = selection.limits.maximum {
            counter.text = localized("%@ of %@", count, LocalTime.number(maximum))
        } else {
            counter.text =
                selection.isEmpty
                ? ""
                : localizedCount(one: "%@ photo", many: "%@ photos", count: selection.count, count)
        }
    }

    // MARK: - What there is

    /// Shows the grid, or says why it is empty, and how far the library has been read.
    func show(_ status: LibraryStatus?, isEmpty: Bool, isWholeLibrary: Bool) {
        let isIndexing = status?.isIndexing ?? true
        progress.isVisible = isIndexing
        if let status, status.files > 0 {
            progress.setFraction(1 - Double(status.pending) / Double(status.files))
        }
        pages.show(isEmpty ? "empty" : "grid")
        // A page behind another one would still be read out.
        empty.isVisible = isEmpty
        guard isEmpty else { return }
        if isIndexing {
            let files = LocalTime.number(status?.files ?? 0)
            empty.set(
                icon: "folder-pictures-symbolic", title: localized("Looking for photos"),
                description: localizedCount(
                    one: "Looking through %@ file…", many: "Looking through %@ files…",
                    count: status?.files ?? 0, files))
        } else if isWholeLibrary {
            empty.set(
                icon: "folder-pictures-symbolic", title: localized("No photos in Pictures yet"),
                description: localized("Photos that you save in your Pictures folder appear here."))
        } else {
            empty.set(
                icon: "folder-pictures-symbolic", title: localized("No photos in this album"),
                description: "")
        }
    }

    // MARK: - Sidebar

    /// Whether there is nothing to see but the album that is open.
    var isLimitedToAlbum = false {
        didSet {
            guard isLimitedToAlbum != oldValue else { return }
            sidebarToggle.isVisible = !isLimitedToAlbum
            sidebarToggle.isActive = !isLimitedToAlbum && !split.isNarrow
            showSidebar()
        }
    }

    func connectSidebar() {
        sidebarToggle.onToggle { [weak self] in self?.showSidebar() }
        split.onNarrow { [weak self] in
            guard let self else { return }
            // Where there is room for one page only, it is the one with the photos.
            sidebarToggle.isActive = !split.isNarrow && !isLimitedToAlbum
            showSidebar()
        }
        split.onPageChange { [weak self] in
            guard let self, split.isNarrow else { return }
            sidebarToggle.isActive = split.isAtSidebar
        }
    }

    func toggleSidebar() {
        guard !isLimitedToAlbum else { return }
        sidebarToggle.isActive.toggle()
    }

    private func showSidebar() { split.showSidebar(sidebarToggle.isActive) }
}

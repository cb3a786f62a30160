// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// The sheet: who asks and why, a strip of photos, and rows of actions.
@UIActor
final class SheetPage {
    /// Called with the row that a person activates.
    var onAction: @UIActor (SheetAction.Kind) -> Void = { _ in }
    /// Called when rows have moved, or have got the focus, though the person did nothing to that end.
    var onShift: @UIActor () -> Void = {}
    /// Called when the person wants to finish with what is chosen.
    var onAccept: @UIActor () -> Void = {}
    /// Called when the person presses Cancel above the photos.
    var onCancel: @UIActor () -> Void = {}

    let box: Widget
    let strip: PhotoStrip
    let toasts: ToastOverlay
    /// What the app asks for beyond reading the photos once.
    let parts: FlowBox
    private let title: WindowTitle
    private let appIcon: Icon
    private let reason: Label
    private let scroller: ScrolledWindow
    private let empty: (box: Widget, title: Label, text: Label)
    private let accept = SheetRow()
    private let rows: [(action: SheetAction, row: SheetRow)]
    /// The box with all rows, and what scrolls it.
    private let list: (box: Box, scroller: ScrolledWindow)
    /// What is above the last row, and how high each of these was when the person saw it; none while another
    /// page was in front.
    private var heights: [Int] = []
    /// Whether the photos had the focus before there were none.
    private var owesFocus = false

    /// The width of the sheet, in layout pixels: that of the parent window within these.
    nonisolated static let widths = 360...640
    /// Its width without a parent window.
    nonisolated static let usualWidth = 480

    init(_ request: PickRequest) {
        let builder = Builder(PackageResources.sheet_page_ui)
        box = builder.widget("page")
        title = builder.windowTitle("title")
        appIcon = builder.icon("app_icon")
        reason = builder.label("reason")
        toasts = builder.toastOverlay("toasts")
        scroller = builder.scrolledWindow("strip")
        empty = (
            builder.widget("empty"), builder.label("empty_title"), builder.label("empty_text")
        )
        parts = builder.flowBox("parts")
        strip = PhotoStrip(in: scroller)
        rows = request.options.actions.map { ($0, SheetRow(iconName: $0.iconName)) }
        builder.widget("bar").isVisible =
            !request.options.wishes.isEmpty || request.options.isContinuous
        list = (builder.box("rows"), builder.scrolledWindow("row_scroller"))
        list.box.append(accept.button)
        accept.button.setClass("accept")
        accept.button.onClick { [weak self] in self?.onAccept() }
        for (action, row) in rows {
            list.box.append(row.button)
            row.button.onClick { [weak self] in self?.onAction(action.kind) }
        }
        let cancel = builder.button("cancel")
        cancel.isVisible = !rows.contains { $0.action.kind == .close }
        cancel.onClick { [weak self] in self?.onCancel() }
        toasts.onFocusLost = { [weak self] in self?.takeFocus() }
    }

    /// Says who asks, and why.
    func describe(_ texts: RequestTexts, _ showIcon: (Icon) -> Void) {
        title.set(title: texts.title, subtitle: texts.subtitle)
        reason.isVisible = texts.reason != nil
        reason.text = texts.reason ?? ""
        showIcon(appIcon)
    }

    /// - Parameter acceptLabel: What the app calls the row that finishes; nil for a text of ours.
    func show(_ pick: Pick, acceptLabel: String?) {
        let isReady = pick.obstacle == nil && !pick.isPreparing && !pick.isAbandoned
        let texts = pick.shownOffer.texts(of: pick.page)
        // GTK would give the focus to what comes next, and the next key would activate that.
        if texts != nil, scroller.containsFocus { owesFocus = true }
        let losesFocus =
            texts != nil && scroller.containsFocus
            || accept.button.containsFocus && !(isReady && pick.hasAcceptRow)
            || rows.contains { $0.row.button.containsFocus && !pick.offers($0.action.kind) }
        scroller.isVisible = texts == nil
        empty.box.isVisible = texts != nil
        empty.title.text = texts?.title ?? ""
        empty.text.text = texts?.description ?? ""
        empty.text.isVisible = texts?.description.isEmpty == false
        let count = pick.selection.count
        accept.show(
            Self.title(acceptLabel, count, pick.offer), note: count > 0 ? pick.receiptText : nil)
        accept.button.isVisible = pick.hasAcceptRow
        accept.button.isSensitive = isReady
        accept.button.tooltip = pick.obstacle.map { pick.offer.text($0) }
        for (action, row) in rows {
            row.show(action.title(pick.offer), note: action.note(pick.offer))
            row.button.isVisible = action.kind != .camera || !pick.isCameraForbidden
            row.button.isSensitive = pick.offers(action.kind)
            row.button.tooltip = action.kind.obstacle(in: pick)
        }
        if losesFocus || texts == nil && owesFocus { takeFocus() }
        // The next key may have been meant for what has gone.
        if losesFocus { onShift() }
        if texts == nil { owesFocus = false }
    }

    // MARK: - Layout

    /// The height at which all rows are in view, in layout pixels.
    ///
    /// - Parameter pages: Those that the sheet is one of.
    func height(inWidth width: Int, among pages: WindowPages) -> Int {
        pages.height(of: box, inWidth: width) - pages.height(of: list.scroller, inWidth: width)
            + pages.height(of: list.box, inWidth: width)
    }

    /// Notices whether rows have moved; call this after each frame.
    func followRows() {
        // The first frame of a window may come before anything has a size.
        guard box.isMapped, list.box.size.height > 0 else {
            heights = []
            return
        }
        let buttons = [accept.button] + rows.dropLast().map(\.row.button)
        let parts: [Widget] = [reason, toasts] + buttons
        let now = parts.map { $0.isVisible ? $0.size.height : 0 }
        if !heights.isEmpty, now != heights { onShift() }
        heights = now
    }

    private static func title(_ acceptLabel: String?, _ count: Int, _ offer: Offer) -> String {
        let number = LocalTime.number(count)
        guard let acceptLabel else {
            return count > 0 ? offer.selectTitle(count) : localized("Select")
        }
        return count > 0 ? localized("%@ (%@)", acceptLabel, number) : acceptLabel
    }

    // MARK: - Focus

    /// Leaves the focus where it is when photos appear: the person is using the keyboard.
    func keepFocus() { owesFocus = false }

    /// Gives the focus to the photos or, without any, to the first row that can do something.
    func takeFocus() {
        guard box.isVisible else { return }
        if scroller.isVisible {
            strip.takeFocus()
            return
        }
        // Last the one that would send what is chosen.
        for row in rows.map(\.row) + [accept]
        where row.button.isVisible && row.button.isSensitive && row.button.grabFocus() { return }
    }
}

// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

/// The sheet, and the grid that one of its rows opens in its place.
extension PickerWindow {
    func connectSheet() {
        guard let sheet else { return }
        sheet.onCancel = { [weak self] in self?.send(.cancelled) }
        sheet.onAccept = { [weak self] in self?.activateRow { $0.send(.accepted) } }
        sheet.onAction = { [weak self] action in self?.activateRow { $0.perform(action) } }
        sheet.onShift = { [weak self] in
            self?.rowPause.begin()
            self?.tellBusy()
        }
        pages.wholeHeight = { [weak pages, weak sheet] page, width in
            guard let pages, let sheet, page === sheet.box else { return nil }
            return sheet.height(inWidth: width, among: pages)
        }
        views.window.onDrawn { [weak sheet] in sheet?.followRows() }
        sheet.strip.onShift = { [weak self] in self?.pauseAfterShift() }
        views.window.onFocusChange { [weak self] in self?.sheet?.strip.followFocus() }
        views.window.onResize { [weak self] in self?.placeWindow() }
    }

    /// Does what a row says, unless another one has just been in its place.
    private func activateRow(_ act: @UIActor (PickerWindow) -> Void) {
        guard !rowPause.isActive else { return tell(pick.offer.text(.listChanged)) }
        act(self)
    }

    private func perform(_ action: SheetAction.Kind) {
        switch action {
        case .library: send(.gridOpened)
        case .recent: send(.newestChosen(isSettled: !shiftPause.isActive))
        case .files: openFiles()
        case .close: send(.cancelled)
        case .camera: send(.cameraOpened)
        }
    }

    /// Whether no other page covers the sheet.
    var isSheetInFront: Bool { sheet?.box.isVisible == true }

    /// Goes back from the grid to the sheet or, without one, cancels.
    func goBack() {
        guard pick.hasSheetBehind else { return send(.cancelled) }
        // Its words are for the grid.
        _ = views.search.close()
        send(.sheetReturned)
    }

    /// Keys in the sheet.
    ///
    /// - Returns: Whether the key was handled.
    func handleInSheet(_ key: Key, _ modifiers: Modifiers) -> Bool {
        guard let strip = sheet?.strip else { return false }
        switch key {
        case .escape: send(.cancelled)
        case .character("o") where modifiers == .control: openFiles()
        case .character("v") where modifiers == .control: paste()
        case .enter where modifiers.contains(.control): send(.accepted)
        case .character("a") where modifiers.contains(.control):
            send(.key(modifiers.contains(.shift) ? .deselectAll : .selectAll))
        // In a new sheet the photos have the focus, and nothing shows it.
        case .tab where modifiers.isEmpty && strip.containsFocus && pick.focus == nil:
            return focusPhotos(in: strip)
        default: return strip.containsFocus && handle(key, modifiers, on: strip)
        }
        return true
    }

    // MARK: - Size and place

    /// Gives the window the size of the page in front: as small as the sheet is, or that of the grid.
    ///
    /// - Parameter isOther: Whether another page was in front before.
    func fitWindow(isOther: Bool) {
        guard sheet != nil else { return }
        let (width, height): (Int, Int)
        if isSheetInFront {
            width = isOther ? sheetWidth : sheetSize.width
            views.window.setMinimumSize(width: SheetPage.widths.lowerBound)
            height = views.window.naturalHeight(inWidth: width)
            guard isOther || height != sheetSize.height else { return }
            if !isAsSmallAsSheet, views.window.isMapped { largeSize = views.window.size }
            isAsSmallAsSheet = true
            sheetSize = (width, height)
        } else {
            guard isAsSmallAsSheet || !views.window.isMapped else { return }
            isAsSmallAsSheet = false
            (width, height) = largeSize
            views.window.setMinimumSize(width: 360, height: 480)
        }
        let former = views.window.isMapped ? resizing?.former ?? views.window.frame : nil
        resizing = Resizing(former: former)
        views.window.resize(width: width, height: height)
    }

    /// The width of the parent window, within limits.
    private var sheetWidth: Int {
        guard let parent = parentFrame else { return SheetPage.usualWidth }
        return min(max(parent.width, SheetPage.widths.lowerBound), SheetPage.widths.upperBound)
    }

    private var parentFrame: WindowFrame? {
        views.window.frame(ofParent: pick.request.parentWindow)
    }

    /// Puts the sheet at the lower edge of the parent window, and another page in front of the middle of it;
    /// without a parent, in the middle of where the window was.
    ///
    /// Once after each change of the size that is ours: after that, the person may want it elsewhere.
    private func placeWindow() {
        guard let resizing else { return }
        self.resizing = nil
        let parent = parentFrame
        views.window.move(
            over: parent ?? resizing.former, isAtLowerEdge: parent != nil && isSheetInFront)
    }
}

/// A change of a window's size that has not been drawn yet.
struct Resizing {
    /// Where the window was before; nil if it is new, or if nobody tells.
    let former: WindowFrame?
}

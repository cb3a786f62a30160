// SPDX-License-Identifier: MIT

internal import CGtk

/// The pages of a window, one of which is visible at a time and fills it.
///
/// GTK makes a window as wide as its content needs to be, whatever the person or the screen wants. Here
/// it is the other way round: the window has any width, and its owner makes the page fit.
///
/// - Source: AdwBreakpointBin of libadwaita 1.4.
@UIActor
package final class WindowPages {
    /// Called with the width in layout pixels before the visible page is laid out in it.
    ///
    /// What the page shows may be changed here.
    package var onWidth: @UIActor (Int) -> Void = { _ in }
    /// Returns the height at which all of a page is in view at a given width, in layout pixels; nil for a page of
    /// which that is always the case.
    package var wholeHeight: @UIActor (Widget, Int) -> Int? = { _, _ in nil }

    private let canvas = Canvas()
    /// All of them, visible or not.
    package let all: [Widget]

    /// Replaces the content of a window by pages, of which the content may be one.
    package init(in window: Window, _ pages: [Widget]) {
        all = pages
        adw_window_set_content(window.pointer(), nil)
        for page in pages { canvas.add(page) }
        canvas.heightForWidth = { [weak self] width in
            guard let self, let page = visiblePage else { return 0 }
            return canvas.minimumHeight(of: page, inWidth: width)
        }
        canvas.naturalHeightForWidth = { [weak self] width in
            guard let self, let page = visiblePage else { return 0 }
            return wholeHeight(page, width) ?? 0
        }
        canvas.allocate = { [weak self] width, height in
            guard let self else { return }
            onWidth(width)
            guard let page = visiblePage else { return }
            // What does not fit is cut off, rather than squeezed until nothing can be read.
            canvas.place(
                page, x: 0, y: 0, width: max(width, canvas.minimumWidth(of: page)), height: height)
        }
        adw_window_set_content(window.pointer(), canvas.widget)
    }

    /// The height that a page needs at a given width, in layout pixels.
    package func height(of page: Widget, inWidth width: Int) -> Int {
        canvas.minimumHeight(of: page, inWidth: width)
    }

    private var visiblePage: Widget? { all.first { $0.isVisible } }
}

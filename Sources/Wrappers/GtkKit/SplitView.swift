// SPDX-License-Identifier: MIT

internal import CGtk

/// A sidebar beside the content.
///
/// A narrow window shows one of the two at a time.
@UIActor
package final class SplitView: Widget {
    private let sidebarWidth: gint

    /// Puts two widgets that have no parent yet into a new view.
    ///
    /// - Parameters:
    ///   - place: An empty box, which the view fills.
    ///   - sidebarTitle: What a screen reader calls the sidebar while it is a page of its own.
    ///   - contentTitle: The same for the content.
    ///   - sidebarWidth: The least width of the sidebar, in layout pixels; in a wide window it is up to
    ///     half as wide again.
    ///   - contentWidth: The least width of the content in layout pixels; the view is narrow when
    ///     it has no room for both.
    package init(
        in place: Box, sidebar: Widget, sidebarTitle: String, content: Widget,
        contentTitle: String, sidebarWidth: Int, contentWidth: Int
    ) {
        self.sidebarWidth = gint(clamping: sidebarWidth)
        super.init(
            sinking: pp_split_view_new(
                sidebar.widget, sidebarTitle, content.widget, contentTitle, self.sidebarWidth,
                gint(clamping: contentWidth)))
        place.append(self, expands: true)
    }

    /// Whether there is room for only one page.
    package var isNarrow: Bool { pp_split_view_is_narrow(widget) != 0 }

    /// Whether the sidebar is the page that a narrow view shows.
    package var isAtSidebar: Bool { pp_split_view_is_at_sidebar(widget) != 0 }

    /// Shows the sidebar beside the content or, in a narrow view, in its place; or hides it.
    package func showSidebar(_ isShown: Bool) {
        pp_split_view_show_sidebar(widget, isShown ? 1 : 0, sidebarWidth)
    }

    /// Lets the view become narrow in a window of this width, even while its sidebar is hidden.
    package func fit(inWidth width: Int) {
        pp_split_view_fit(widget, gint(clamping: width), sidebarWidth)
    }

    /// Calls `handler` when the view has become narrow or wide.
    package func onNarrow(_ handler: @escaping @UIActor () -> Void) {
        inner.connect(PP_SPLIT_VIEW_NARROW, handler)
    }

    /// Calls `handler` when a narrow view shows the other page, for example after a swipe.
    package func onPageChange(_ handler: @escaping @UIActor () -> Void) {
        inner.connect(PP_SPLIT_VIEW_PAGE, handler)
    }

    private var inner: Object {
        Object(borrowing: UnsafeMutableRawPointer(pp_split_view_inner(widget)))
    }
}

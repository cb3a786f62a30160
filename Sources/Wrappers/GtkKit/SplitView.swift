// SPDX-License-Identifier: MIT

internal import CGtk

/// A sidebar beside the content.
///
/// A narrow window shows one of the two at a time.
@UIActor
package final class SplitView: Widget {
    /// Whether there is room for only one page; see ``fit(inWidth:isNarrow:sidebarWidth:)``.
    package private(set) var isNarrow = false
    private var sidebarWidth: gint = 0

    /// Puts two widgets that have no parent yet into a new view.
    ///
    /// - Parameters:
    ///   - place: An empty box, which the view fills.
    ///   - sidebarTitle: What a screen reader calls the sidebar while it is a page of its own.
    ///   - contentTitle: The same for the content.
    package init(
        in place: Box, sidebar: Widget, sidebarTitle: String, content: Widget, contentTitle: String
    ) {
        super.init(
            sinking: pp_split_view_new(
                sidebar.widget, sidebarTitle, content.widget, contentTitle))
        place.append(self, expands: true)
    }

    /// Whether the sidebar is the page that a narrow view shows.
    package var isAtSidebar: Bool { pp_split_view_is_at_sidebar(widget) != 0 }

    /// Shows the sidebar beside the content or, in a narrow view, in its place; or hides it.
    package func showSidebar(_ isShown: Bool) {
        pp_split_view_show_sidebar(widget, isShown ? 1 : 0, isNarrow ? 1 : 0, sidebarWidth)
    }

    /// Makes room for one page or for both; call ``showSidebar(_:)`` afterwards if that has changed.
    ///
    /// - Parameters:
    ///   - width: The width of the view in layout pixels.
    ///   - sidebarWidth: The least width of the sidebar beside the content, in layout pixels; in a wide
    ///     window it is up to half as wide again.
    package func fit(inWidth width: Int, isNarrow: Bool, sidebarWidth: Int) {
        self.isNarrow = isNarrow
        self.sidebarWidth = gint(clamping: sidebarWidth)
        pp_split_view_fit(widget, isNarrow ? 1 : 0, gint(clamping: width), self.sidebarWidth)
    }

    /// Calls `handler` when a narrow view shows the other page, for example after a swipe.
    package func onPageChange(_ handler: @escaping @UIActor () -> Void) {
        connect(PP_SPLIT_VIEW_PAGE, handler)
    }
}

// SPDX-License-Identifier: MIT

import GtkKit

/// The title of a page: in its header bar or, in a narrow window, in a row of its own below that.
@UIActor
final class PageTitle {
    private let title: WindowTitle
    /// What takes the room in the header bar.
    private let holder: Widget
    private let row: WindowTitle

    /// - Parameter holder: The id of the widget in the header bar that contains the title, if there is
    ///   another one.
    init(_ builder: Builder, holder: String = "title") {
        title = builder.windowTitle("title")
        self.holder = builder.widget(holder)
        row = builder.windowTitle("title_row")
    }

    func set(title: String, subtitle: String) {
        self.title.set(title: title, subtitle: subtitle)
        row.set(title: title, subtitle: subtitle)
    }

    var isNarrow: Bool {
        get { row.isVisible }
        set {
            row.isVisible = newValue
            holder.isVisible = !newValue
        }
    }
}

extension Button {
    /// Shows a word or, where there is little room, an icon for it.
    func show(_ word: String, icon: String, isNarrow: Bool) {
        if isNarrow {
            setIcon(icon)
        } else {
            label = word
        }
        setAccessibleLabel(word)
        tooltip = isNarrow ? word : nil
    }

    /// Lets the label of a button in a header bar become shorter than it is.
    ///
    /// - Parameter suffix: The number of characters at the end that have to be readable.
    func fit(isNarrow: Bool, suffix: Int = 0) {
        let room = 5 + suffix
        setEllipsized(beyond: isNarrow ? room : 2 * room, room: room)
    }
}

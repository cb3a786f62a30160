// SPDX-License-Identifier: MIT

import GtkKit

/// What a tile shows in place of a picture: an icon, the name of the file, and the reason.
@UIActor
final class GapSign {
    let box = Box(isVertical: true, spacing: 3)
    private let icon = Icon("image-missing-symbolic", pixels: 32)
    /// Made when they are needed first: most tiles have a picture.
    private var texts: (name: Label, reason: Label)?
    private var reason: String?

    /// The name of the file; empty until it is known.
    var name = "" { didSet { if name != oldValue { showTexts() } } }

    /// Whether the tile has room for words; the tooltip has them all the same.
    var isRoomy = true { didSet { if isRoomy != oldValue { showTexts() } } }

    init() {
        box.append(icon)
        box.setClass("gap-sign")
        box.isVisible = false
    }

    /// Shows an icon and the reason; nothing for nil.
    func show(_ gap: (icon: String, reason: String)?) {
        reason = gap?.reason
        if let gap { icon.setIcon(gap.icon) }
        showTexts()
        box.isVisible = gap != nil
    }

    private func showTexts() {
        guard let reason else { return }
        let texts = texts ?? makeTexts()
        texts.name.text = name
        texts.name.isVisible = isRoomy && !name.isEmpty
        texts.reason.text = reason
        texts.reason.isVisible = isRoomy
    }

    private func makeTexts() -> (name: Label, reason: Label) {
        let name = Label()
        name.setEllipsized()
        let reason = Label()
        reason.setWrapped()
        reason.setEllipsized()
        reason.setLines(atMost: 3)
        box.append(name)
        box.append(reason)
        texts = (name, reason)
        return (name, reason)
    }
}

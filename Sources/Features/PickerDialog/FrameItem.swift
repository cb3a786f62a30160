// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos

/// A picture of a burst, small.
@UIActor
final class FrameItem {
    let id: AssetID
    let widget: RowItem
    private let thumbnail = GtkKit.Picture()
    private let check = Label("✓")
    /// Marks the picture that the grid shows for all.
    private let dot = Box(isVertical: true)
    private var name = ""
    private var state: (isCurrent: Bool, isMain: Bool, isChosen: Bool)?

    /// The side of the picture, in layout pixels.
    static let side = 56

    init(_ id: AssetID, onClick: @escaping @UIActor () -> Void) {
        self.id = id
        let frame = Box(isVertical: true)
        frame.setMinimumSize(width: Self.side, height: Self.side)
        frame.setClass("tray-picture")
        let overlay = Overlay(frame)
        overlay.addFilling(thumbnail)
        overlay.addAtTopEnd(check)
        check.setClass("frame-check")
        dot.setMinimumSize(width: 6, height: 6)
        dot.setClass("frame-dot")
        dot.center()
        let box = Box(isVertical: true, spacing: 3)
        box.append(overlay)
        box.append(dot)
        widget = RowItem(box)
        widget.setClass("frame-item")
        widget.isFocusable = false
        widget.onClick(onClick)
    }

    /// Nil until it is loaded, and if it cannot be.
    var picture: Texture? {
        get { thumbnail.texture }
        set { thumbnail.texture = newValue }
    }

    /// What a person is told of a picture.
    ///
    /// - Parameter index: Its place in the burst, from 0.
    static func name(at index: Int, of count: Int) -> String {
        localized(
            "Picture %@ of %@ of the burst", LocalTime.number(index + 1), LocalTime.number(count))
    }

    /// Says which picture it is.
    func describe(at index: Int, of count: Int) {
        name = Self.name(at: index, of: count)
        widget.setAccessiblePosition(index + 1, of: count)
        nameWidget()
    }

    /// - Parameters:
    ///   - isCurrent: Whether it is in view.
    ///   - isMain: Whether the grid shows it for all.
    func show(isCurrent: Bool, isMain: Bool, isChosen: Bool) {
        guard state.map({ $0 != (isCurrent, isMain, isChosen) }) ?? true else { return }
        state = (isCurrent, isMain, isChosen)
        widget.setClass("current", isCurrent)
        dot.setClass("gone", !isMain)
        check.isVisible = isChosen
        nameWidget()
    }

    private func nameWidget() {
        let main = state?.isMain == true ? localized("%@, main picture", name) : name
        widget.tooltip = main
        widget.setAccessibleLabel(state?.isChosen == true ? localized("%@, selected", main) : main)
    }
}

// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// The controls that a file dialog has below its files: the app's questions and its filters.
@UIActor
final class FileBar {
    var onEvent: @UIActor (PickEvent) -> Void = { _ in }

    /// Kept for the handlers, which refer to the widgets weakly.
    private var widgets: [Widget] = []

    init(_ box: FlowBox, _ state: FileState) {
        let request = state.request
        for (index, choice) in request.choices.enumerated() {
            box.append(choice.options.isEmpty ? tick(choice, index) : list(choice, index))
        }
        if request.filters.all.count > 1 { box.append(filterList(request.filters)) }
    }

    private func tick(_ choice: FileChoice, _ index: Int) -> Widget {
        let button = CheckButton(choice.label.cut(to: 30))
        button.tooltip = choice.label.cut(to: 200)
        widgets.append(button)
        button.isActive = choice.initial == "true"
        button.onToggle { [weak self, weak button] in
            guard let button else { return }
            self?.onEvent(.answered(index, button.isActive ? "true" : "false"))
        }
        return button
    }

    private func list(_ choice: FileChoice, _ index: Int) -> Widget {
        let list = DropDown(choice.options.map { $0.label.cut(to: 20) })
        widgets.append(list)
        list.selected = choice.options.firstIndex { $0.id == choice.initial }
        list.setAccessibleLabel(choice.label.cut(to: 200))
        list.onSelect { [weak self, weak list] in
            guard let selected = list?.selected else { return }
            self?.onEvent(.answered(index, choice.options[selected].id))
        }
        let label = Label(choice.label.cut(to: 30))
        label.setEllipsized()
        let box = Box(isVertical: false, spacing: 6)
        box.tooltip = choice.label.cut(to: 200)
        box.append(label)
        box.append(list)
        return box
    }

    private func filterList(_ filters: PictureFilters) -> Widget {
        // Where the app chose no filter, the first entry stands for all of them.
        let hasAll = filters.current == nil
        let names = filters.all.map { $0.filter.name.cut(to: 30) }
        let list = DropDown((hasAll ? [localized("All supported types")] : []) + names)
        widgets.append(list)
        list.selected = filters.current ?? 0
        list.setAccessibleLabel(localized("File type"))
        list.onSelect { [weak self, weak list] in
            guard let selected = list?.selected else { return }
            let index = hasAll ? selected - 1 : selected
            self?.onEvent(.filterChosen(index < 0 ? nil : index))
        }
        return list
    }
}

extension String {
    /// The beginning of an app's text, as long as the window has room for.
    func cut(to limit: Int) -> String {
        count > limit ? prefix(limit - 1) + "…" : self
    }
}

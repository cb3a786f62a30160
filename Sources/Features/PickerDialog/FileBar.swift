// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos

/// What a file dialog has below its files: the app's questions and its filters.
@UIActor
final class FileBar {
    /// The answers to the app's questions, in their order.
    private(set) var answers: [String]
    /// The filter in use; nil for all of them together.
    private(set) var filter: Int?
    /// Called when the person has chosen another filter.
    var onFilter: @UIActor () -> Void = {}

    private let request: FileRequest
    /// What the handlers of the widgets look at.
    private var widgets: [Widget] = []

    init(_ box: FlowBox, _ request: FileRequest) {
        self.request = request
        answers = request.choices.map(\.initial)
        filter = request.filters.current
        for (index, choice) in request.choices.enumerated() {
            box.append(choice.options.isEmpty ? tick(choice, index) : list(choice, index))
        }
        if request.filters.all.count > 1 { box.append(filterList()) }
    }

    /// What the filter in use lets through.
    var mediaTypes: MediaFilter {
        filter.map { request.filters.all[$0].mediaTypes } ?? request.filters.mediaTypes
    }

    private func tick(_ choice: FileChoice, _ index: Int) -> Widget {
        let button = CheckButton(choice.label.cut(to: 30))
        button.tooltip = choice.label.cut(to: 200)
        widgets.append(button)
        button.isActive = choice.initial == "true"
        button.onToggle { [weak self, weak button] in
            guard let button else { return }
            self?.answers[index] = button.isActive ? "true" : "false"
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
            self?.answers[index] = choice.options[selected].id
        }
        let label = Label(choice.label.cut(to: 30))
        label.setEllipsized()
        let box = Box(isVertical: false, spacing: 6)
        box.tooltip = choice.label.cut(to: 200)
        box.append(label)
        box.append(list)
        return box
    }

    private func filterList() -> Widget {
        // Where the app has chosen none, the first entry stands for all of them.
        let hasAll = request.filters.current == nil
        let names = request.filters.all.map { $0.filter.name.cut(to: 30) }
        let list = DropDown((hasAll ? [localized("All supported types")] : []) + names)
        widgets.append(list)
        list.selected = request.filters.current ?? 0
        list.setAccessibleLabel(localized("File type"))
        list.onSelect { [weak self, weak list] in
            guard let self, let selected = list?.selected else { return }
            filter = hasAll ? (selected == 0 ? nil : selected - 1) : selected
            onFilter()
        }
        return list
    }
}

extension String {
    /// As much of an app's text as there is room for.
    func cut(to limit: Int) -> String {
        count > limit ? prefix(limit - 1) + "…" : self
    }
}

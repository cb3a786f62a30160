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
    /// What the app gets.
    private let delivery = Label()
    /// How far the files are; only while the person waits for them.
    private let progress = Label()
    private let removal = CheckButton(localized("Remove location"))
    private let app: String?

    init(_ box: FlowBox, _ state: FileState) {
        let request = state.request
        app = Asker(request.pick).name?.cut(to: 30)
        for (index, choice) in request.choices.enumerated() {
            box.append(choice.options.isEmpty ? tick(choice, index) : list(choice, index))
        }
        if request.filters.all.count > 1 { box.append(filterList(request.filters)) }
        removal.isActive = state.removesLocation
        removal.tooltip = localized(
            "The app gets copies that do not say where the photos were taken.")
        removal.onToggle { [weak self] in
            guard let self else { return }
            onEvent(.locationRemoval(removal.isActive))
        }
        box.append(removal)
        delivery.setEllipsized()
        delivery.setAlignedToStart()
        delivery.setClass("dim-label")
        box.append(delivery)
        box.append(progress)
    }

    /// Says what the app will get.
    func show(_ pick: Pick) {
        guard let file = pick.file else { return }
        removal.isVisibleWithHolder = pick.hasLocation
        // The app gets what the bar says. Not the whole bar: screen readers look at each control.
        for control in widgets + [removal] { control.isSensitive = !pick.isPreparing }
        delivery.text = text(of: file, pick)
        delivery.tooltip = delivery.text
        let readyCount = pick.isPreparing ? file.readyCount : nil
        progress.isVisibleWithHolder = readyCount != nil
        if let readyCount { progress.text = text(readyCount, of: pick.selection.count) }
    }

    private func text(_ readyCount: Int, of count: Int) -> String {
        guard count > 1 else { return localized("Preparing the photo…") }
        return localized(
            "Preparing photos: %@ of %@", LocalTime.number(readyCount), LocalTime.number(count))
    }

    private func text(of file: FileState, _ pick: Pick) -> String {
        if pick.hasLocation, !file.removesLocation {
            return app.map { localized("%@ will see where the photos were taken", $0) }
                ?? localized("The app will see where the photos were taken")
        }
        if file.removesLocation, pick.hasLocation || pick.selection.isEmpty {
            return app.map { localized("%@ gets copies without location", $0) }
                ?? localized("The app gets copies without location")
        }
        return app.map { localized("%@ gets the original files", $0) }
            ?? localized("The app gets the original files")
    }

    /// A question of the app, which must not look like one of ours, such as whether the location goes.
    private static func quoted(_ choice: FileChoice) -> String {
        localized("“%@”", choice.label.cut(to: 30).printable)
    }

    private func tick(_ choice: FileChoice, _ index: Int) -> Widget {
        let button = CheckButton(Self.quoted(choice))
        button.tooltip = choice.label.cut(to: 200).printable
        widgets.append(button)
        button.isActive = choice.initial == "true"
        button.onToggle { [weak self, weak button] in
            guard let button else { return }
            self?.onEvent(.answered(index, button.isActive ? "true" : "false"))
        }
        return button
    }

    private func list(_ choice: FileChoice, _ index: Int) -> Widget {
        let list = DropDown(choice.options.map { $0.label.cut(to: 20).printable })
        widgets.append(list)
        list.selected = choice.options.firstIndex { $0.id == choice.initial }
        list.setName(choice.label.cut(to: 200).printable)
        list.onSelect { [weak self, weak list] in
            guard let selected = list?.selected else { return }
            self?.onEvent(.answered(index, choice.options[selected].id))
        }
        let label = Label(Self.quoted(choice))
        label.setEllipsized()
        let box = Box(isVertical: false, spacing: 6)
        box.tooltip = choice.label.cut(to: 200).printable
        box.append(label)
        box.append(list)
        return box
    }

    private func filterList(_ filters: PictureFilters) -> Widget {
        // Where the app chose no filter, the first entry stands for all of them.
        let hasAll = filters.current == nil
        let names = filters.all.map { $0.filter.name.cut(to: 30).printable }
        let list = DropDown((hasAll ? [localized("All supported types")] : []) + names)
        widgets.append(list)
        list.selected = filters.current ?? 0
        list.setName(localized("File type"))
        list.onSelect { [weak self, weak list] in
            guard let selected = list?.selected else { return }
            let index = hasAll ? selected - 1 : selected
            self?.onEvent(.filterChosen(index < 0 ? nil : index))
        }
        return list
    }
}

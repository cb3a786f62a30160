// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// What an app asks for beyond reading the photos once: switches, which are off at first, and a note if it
/// follows the choice.
@UIActor
final class GrantBar {
    var onEvent: @UIActor (PickEvent) -> Void = { _ in }

    private var buttons: [(grant: Grants, button: CheckButton)] = []

    init(_ box: FlowBox, _ request: PickRequest) {
        let asker = Asker(request)
        let name = asker.name?.cut(to: 30)
        if request.options.isContinuous { addNote(asker, to: box) }
        if request.options.wishes.contains(.persistent) {
            add(
                .persistent, to: box,
                name.map { localized("Let %@ keep access", $0) }
                    ?? localized("Let the app keep access"),
                localized("It can open these photos again later, even while you are not using it."))
        }
        if request.options.wishes.contains(.writable) {
            add(
                .writable, to: box,
                name.map { localized("Let %@ change the photos", $0) }
                    ?? localized("Let the app change the photos"),
                localized("It can edit and overwrite the original files."))
        }
        if request.options.wishes.contains(.location) {
            add(
                .location, to: box,
                name.map { localized("Let %@ see where the photos were taken", $0) }
                    ?? localized("Let the app see where the photos were taken"),
                localized("Otherwise the location is removed from the files that it gets."))
        }
    }

    /// Shows what is granted: another bar may have the same switches.
    func show(_ grants: Grants) {
        for (grant, button) in buttons where button.isActive != grants.contains(grant) {
            button.isActive = grants.contains(grant)
        }
    }

    private func addNote(_ asker: Asker, to box: FlowBox) {
        let note = Label()
        note.text = asker.followText
        note.tooltip = Asker.followExplanation
        note.setAlignedToStart()
        note.setWrapped(isCentered: false)
        box.append(note)
    }

    private func add(_ grant: Grants, to box: FlowBox, _ label: String, _ explanation: String) {
        let button = CheckButton(label)
        button.tooltip = explanation
        button.onToggle { [weak self, weak button] in
            guard let button else { return }
            self?.onEvent(.granted(grant, button.isActive))
        }
        buttons.append((grant, button))
        box.append(button)
    }
}

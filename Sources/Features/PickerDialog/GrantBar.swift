// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos

/// What a person may grant an app with the photos, as far as the app has asked for it.
@UIActor
final class GrantBar {
    /// What was ticked: nothing at first.
    private(set) var granted = Grants.none
    private var buttons: [CheckButton] = []

    init(_ box: FlowBox, _ request: PickRequest) {
        let name = Asker(request.appID).name?.cut(to: 30)
        if request.options.wishes.contains(.persistent) {
            add(
                .persistent, to: box,
                name.map { localized("Let %@ keep access", $0) }
                    ?? localized("Let the app keep access"),
                localized("It can open the photos again later, also when you do not use it."))
        }
        if request.options.wishes.contains(.writable) {
            add(
                .writable, to: box,
                name.map { localized("Let %@ change the photos", $0) }
                    ?? localized("Let the app change the photos"),
                localized("It can edit and overwrite the files themselves."))
        }
        if request.options.wishes.contains(.location) {
            add(
                .location, to: box,
                name.map { localized("Let %@ see where they were taken", $0) }
                    ?? localized("Let the app see where they were taken"),
                localized("Otherwise the place is removed from the files that it gets."))
        }
    }

    private func add(_ grant: Grants, to box: FlowBox, _ label: String, _ explanation: String) {
        let button = CheckButton(label)
        button.tooltip = explanation
        button.onToggle { [weak self, weak button] in
            guard let self, let button else { return }
            if button.isActive { granted.insert(grant) } else { granted.remove(grant) }
        }
        buttons.append(button)
        box.append(button)
    }
}

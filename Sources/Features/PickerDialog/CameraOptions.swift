// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

/// The menu of the page with the camera: what the camera in use can do.
@UIActor
final class CameraOptions {
    private let button: MenuButton
    private let choices: Box
    private let thirds = CheckButton(localized("Grid Lines"))
    /// What the menu offers at the moment.
    private var offer: Offer?
    private var sizes: DropDown?
    private var controls: [CameraControl: CheckButton] = [:]
    /// Whether the widgets change because the state did.
    private var isShowing = false

    var onEvent: @UIActor (CameraEvent) -> Void = { _ in }

    private struct Offer: Hashable {
        let sizes: [PixelSize]
        let controls: [CameraControl]
    }

    init(_ builder: Builder) {
        button = builder.menuButton("options")
        choices = builder.box("choices")
        // It would lie over the menu.
        button.onOpenChange { [weak self] in
            guard let self else { return }
            button.tooltip = button.isOpen ? nil : localized("Camera Options")
        }
        thirds.onToggle { [weak self] in
            guard let self, !isShowing else { return }
            onEvent(.thirdsShown(thirds.isActive))
        }
    }

    var isOpen: Bool { button.isOpen }

    func show(_ state: CameraState) {
        isShowing = true
        defer { isShowing = false }
        button.isVisible = state.isOn
        offer(
            Offer(
                sizes: state.sizes,
                controls: CameraControl.allCases.filter {
                    state.camera?.controls.contains($0) == true
                }))
        thirds.isActive = state.showsThirds
        for (control, check) in controls { check.isActive = state.switchedOn.contains(control) }
        let chosen = state.preferredSize.flatMap { state.sizes.firstIndex(of: $0) }
        let index = chosen.map { $0 + 1 } ?? 0
        if let sizes, sizes.selected != index { sizes.selected = index }
    }

    private func offer(_ offer: Offer) {
        guard offer != self.offer else { return }
        self.offer = offer
        choices.removeAll()
        sizes = nil
        controls = [:]
        if !offer.sizes.isEmpty {
            let name = Label(localized("Resolution"))
            name.setAlignedToStart()
            choices.append(name)
            // Nobody separates the thousands of these.
            let list = DropDown(
                [localized("Largest Photo")] + offer.sizes.map { "\($0.width) × \($0.height)" })
            list.setAccessibleLabel(localized("Resolution"))
            list.onSelect { [weak self] in
                guard let self, !isShowing, let index = list.selected else { return }
                let size = index > 0 && index <= offer.sizes.count ? offer.sizes[index - 1] : nil
                onEvent(.sizeChosen(size))
            }
            sizes = list
            choices.append(list)
        }
        for control in offer.controls {
            let check = CheckButton(control.title)
            check.onToggle { [weak self] in
                guard let self, !isShowing else { return }
                onEvent(.controlSet(control, check.isActive))
            }
            controls[control] = check
            choices.append(check)
        }
        choices.append(thirds)
    }
}

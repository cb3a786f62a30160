// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

// How the page draws its state.
extension CameraPage {
    /// What of the page is in front.
    enum Part { case camera, photo, problem }

    /// What the page shows.
    struct Drawn {
        var part: Part?
        var phase: CameraState.Phase?
        var timer: Int?
        var shutter: String?
        var picture: String?
        var refusal: String?
    }

    /// How long the person looks at a photo before they can use it.
    private static let settlingTime = Duration.milliseconds(700)

    /// Shows the state.
    func draw() {
        guard let state else { return }
        announce(state)
        let isReview = state.phase == .reviewing
        if !isReview { shot = nil }
        if case .counting(let left) = state.phase {
            count.text = LocalTime.number(left)
            count.isVisible = true
        } else {
            counting?.cancel()
            count.isVisible = false
        }
        title.set(title: isReview ? localized("Use This Photo?") : state.cameraTitle, subtitle: "")
        // Translators: the argument is the name of a camera.
        let picture =
            isReview ? localized("Photo") : localized("Picture of “%@”", state.cameraTitle)
        if picture != drawn.picture {
            drawn.picture = picture
            view.canvas.setAccessibleLabel(picture)
        }
        indicator.isVisible = state.isOn
        options.show(state)
        view.showsThirds = state.showsThirds
        drawProblem(state)
        controls.isVisible = state.isOn
        review.isVisible = isReview
        settle(isReview)
        drawVerdict(state)
        shutter.isSensitive = state.canShoot
        drawShutter(state)
        switching.isVisible = state.cameras.count > 1
        switching.isSensitive = state.canSwitch
        drawTimer(state)
        spinner.isVisible = state.phase == .starting
        moveFocus(state)
    }

    /// Gives the focus to what has appeared: GTK would give it to the button that leaves the page.
    private func moveFocus(_ state: CameraState) {
        let part: Part = review.isVisible ? .photo : problem.place.isVisible ? .problem : .camera
        let isOther = part != drawn.part
        drawn.part = part
        // Until the picture is live, the shutter cannot have it, nor can the decision until it can be made.
        let waits = part != .problem && view.canvas.containsFocus
        if isOther || waits && (state.canShoot || review.isVisible) { takeFocus() }
    }

    /// Keeps a photo that has just appeared for long enough to be seen.
    private func settle(_ isReview: Bool) {
        guard isReview else {
            settling?.cancel()
            settling = nil
            hasSettled = false
            return
        }
        guard !hasSettled else { return }
        hasSettled = true
        settling = Task { [weak self] in
            guard (try? await Task.sleep(for: Self.settlingTime)) != nil, let self else { return }
            settling = nil
            draw()
        }
    }

    /// Says why the app does not take the photo, if it does not.
    private func drawVerdict(_ state: CameraState) {
        var text: String?
        if review.isVisible, case .refused(let reason) = state.verdict { text = self.text(reason) }
        use.isSensitive = state.canUse && settling == nil
        guard text != drawn.refusal else { return }
        drawn.refusal = text
        refusal.text = text ?? ""
        refusal.isVisible = text != nil
        if let text { toasts.announce(text) }
    }

    /// Has screen readers say what those see who look.
    private func announce(_ state: CameraState) {
        defer { drawn.phase = state.phase }
        if let text = state.announcement(after: drawn.phase) { toasts.announce(text) }
    }

    private func drawShutter(_ state: CameraState) {
        let name = state.shutterTitle
        guard name != drawn.shutter else { return }
        drawn.shutter = name
        if case .counting = state.phase {
            shutter.setIcon("media-playback-stop-symbolic")
        } else {
            shutter.label = ""
        }
        shutter.setAccessibleLabel(name)
        shutter.tooltip = name
    }

    private func drawProblem(_ state: CameraState) {
        let texts = state.problemTexts
        problem.place.isVisible = texts != nil
        stage.isVisible = texts == nil
        guard let texts else { return }
        problem.page.set(icon: texts.icon, title: texts.title, description: texts.description)
        problem.again.label = state.resumeTitle
        problem.again.isVisible = state.canResume
        problem.other.isVisible = state.canSwitch
    }

    private func drawTimer(_ state: CameraState) {
        timer.isSensitive = state.phase == .live
        guard state.timer != drawn.timer else { return }
        drawn.timer = state.timer
        let name = CameraState.title(ofTimer: state.timer)
        if state.timer == 0 {
            timer.setIcon("alarm-symbolic")
        } else {
            timer.label = localized("%@ s", LocalTime.number(state.timer))
        }
        // Translators: the argument is “No Timer” or a number of seconds.
        let label = localized("Timer: %@", name)
        timer.setAccessibleLabel(label)
        timer.tooltip = label
    }

    func takeFocus() {
        let wanted: Widget =
            review.isVisible
            ? (drawn.refusal == nil ? use : retake)
            : problem.place.isVisible ? problem.again : shutter
        // What cannot be pressed yet gets it later.
        if !wanted.isVisible || !wanted.isSensitive || !wanted.grabFocus() {
            _ = view.canvas.grabFocus()
        }
    }
}
